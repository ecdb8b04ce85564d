// Where the pulses of one scan go: all of it, and a few neighbours with their spots to scale. As seen from the
// sensor, left at the left.
import { degrees, radians } from '#domain/maths/numbers.ts';
import { type Canvas, type Point, type Rgb } from './canvas.ts';
import { markColours, viridisColour } from './colourMaps.ts';
import { drawColourBar, drawPlot, drawTitle, plotColours, type RectPx } from './plot.ts';
import { number, type ShownSensor } from '#contract/host/sensorFacts.ts';

const { ink, softInk } = plotColours;

/** Degrees, with the sensor's front in the middle. */
function pulseAngles({ columns, shown }: ShownSensor): {
  azimuthDeg: number[];
  elevationDeg: number[];
} {
  const isSpinning = shown.recipe.scan.kind === 'spinning';
  const azimuthDeg = Array.from(columns.pulse_azimuth_rad, (azimuth) => {
    const at = degrees(azimuth);
    return isSpinning && at > 180 ? at - 360 : at;
  });
  return { azimuthDeg, elevationDeg: Array.from(columns.pulse_elevation_rad, degrees) };
}

/** Every pulse in the colour of its time; below, 100 px for axis and bar. */
export function drawScan(canvas: Canvas, rect: RectPx, picture: ShownSensor): void {
  const { shown, columns } = picture;
  const { recipe, description } = shown;
  const { azimuthDeg, elevationDeg } = pulseAngles(picture);
  const isSpinning = recipe.scan.kind === 'spinning';
  const what = { spinning: 'revolution', sweep: 'sweep', mirror: 'scan', image: 'image' };
  const part = description.isWholeScan ? '' : ', its beginning';
  drawTitle(canvas, rect, `Pulses of one ${what[recipe.scan.kind]}${part}`);
  const [low, high] = padded(elevationDeg, 0.06);
  const [right, left] = isSpinning ? [-180, 180] : padded(azimuthDeg, 0.03);
  const plot = drawPlot(
    canvas,
    rect,
    { label: 'azimuth (°), from left to right as seen from the sensor', from: left, to: right },
    { label: 'elevation (°)', from: low, to: high },
  );
  const times = Array.from(columns.pulse_time_ns, Number);
  const [firstNs, lastNs] = [times[0] ?? 0, times.reduce((most, t) => Math.max(most, t), 0)];
  const rows = Math.max(1, columns.laser_ring.length);
  const fewPx = azimuthDeg.length < 1000 ? 5 : 3;
  const sidePx = Math.max(1, Math.min(fewPx, Math.floor(rect.height / rows / 5)));
  for (const [pulse, azimuth] of azimuthDeg.entries()) {
    const [x, y] = plot.toPx(azimuth, elevationDeg[pulse] ?? 0);
    const share = lastNs > firstNs ? ((times[pulse] ?? 0) - firstNs) / (lastNs - firstNs) : 0.35;
    // Why not to the end: yellow on white is not seen.
    canvas.fillRect(x - sidePx / 2, y - sidePx / 2, sidePx, sidePx, viridisColour(0.88 * share));
  }
  const barY = rect.top + rect.height + 68;
  if (lastNs === firstNs) {
    canvas.text('all at one instant', rect.left, barY, { colour: softInk });
    return;
  }
  const bar = { left: rect.left + 60, top: barY - 2, width: 220, height: 18 };
  drawColourBar(canvas, bar, (share) => viridisColour(0.88 * share), {
    from: '0',
    to: `${number((lastNs - firstNs) / 1e6)} ms: time of the pulse`,
  });
}

/** A few neighbouring pulses with their spots to scale: what is covered, and what lies between. */
export function drawDetail(canvas: Canvas, rect: RectPx, picture: ShownSensor): void {
  const { shown } = picture;
  const { azimuthDeg, elevationDeg } = pulseAngles(picture);
  const { azimuth, elevation, sideDeg } = detailWindow(picture, azimuthDeg);
  drawTitle(canvas, rect, 'Spots to scale');
  const halfWidthDeg = (sideDeg * rect.width) / rect.height / 2;
  const plot = drawPlot(
    canvas,
    rect,
    { label: 'azimuth (°)', from: azimuth + halfWidthDeg, to: azimuth - halfWidthDeg },
    { label: 'elevation (°)', from: elevation - sideDeg / 2, to: elevation + sideDeg / 2 },
  );
  const { beam } = shown.recipe;
  for (const [pulse, at] of azimuthDeg.entries()) {
    const up = elevationDeg[pulse] ?? 0;
    // The angle at the sensor that a step of azimuth makes is smaller off the horizon.
    const halfPx: Point = [
      (degrees(beam.divergenceHorizontalRad / 2) * plot.pxPerX) / Math.cos(radians(up)),
      degrees(beam.divergenceVerticalRad / 2) * plot.pxPerY,
    ];
    if (!isWithin(plot.toPx(at, up), halfPx)) continue;
    outlineSpot(canvas, beam.shape, plot.toPx(at, up), halfPx, 1.5, markColours.skyBlue);
    canvas.disc(plot.toPx(at, up), 2.2, ink);
  }

  function isWithin([x, y]: Point, [halfX, halfY]: Point): boolean {
    const { left, top, width, height } = rect;
    return (
      x - halfX >= left &&
      x + halfX <= left + width &&
      y - halfY >= top &&
      y + halfY <= top + height
    );
  }
}

/** A square about a pulse in the midst of a scan: ten steps of azimuth, a few lasers, two spots at least. */
function detailWindow(
  { shown, columns }: ShownSensor,
  azimuthDeg: number[],
): { azimuth: number; elevation: number; sideDeg: number } {
  const { scan, slotsPerSecond, beam } = shown.recipe;
  const lasersDeg = Array.from(columns.laser_elevation_rad, degrees);
  const gapsDeg = lasersDeg.slice(1).map((at, index) => at - (lasersDeg[index] ?? 0));
  const gapDeg = gapsDeg.sort((a, b) => a - b)[Math.floor(gapsDeg.length / 2)] ?? 0;
  const [low, high] = scan.kind === 'spinning' ? [0, 360] : padded(azimuthDeg, 0);
  const stepDeg = ((high - low) * scan.rateHz) / slotsPerSecond;
  // Few lasers are all shown.
  const lasersSpanDeg =
    lasersDeg.length > 8 ? 3.2 * gapDeg : (lasersDeg.at(-1) ?? 0) - (lasersDeg[0] ?? 0) + gapDeg;
  const spotDeg = degrees(Math.max(beam.divergenceHorizontalRad, beam.divergenceVerticalRad));
  // Why not the middle of a revolution: there is the seam of the other plot.
  const middle = Math.floor(azimuthDeg.length * (scan.kind === 'spinning' ? 0.25 : 0.5));
  const level = lasersDeg.reduce(
    (best, at) => (Math.abs(at) < Math.abs(best) ? at : best),
    Infinity,
  );
  return {
    azimuth: azimuthDeg[middle] ?? 0,
    elevation: lasersDeg.length > 8 ? level : ((lasersDeg[0] ?? 0) + (lasersDeg.at(-1) ?? 0)) / 2,
    sideDeg: Math.max(10 * stepDeg, lasersSpanDeg + spotDeg, 2.5 * spotDeg),
  };
}

/** Least and greatest, with a share of the span more at both ends, and at least a degree apart. */
function padded(values: number[], share: number): [number, number] {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const more = Math.max(share * (high - low), high - low < 1 ? 0.5 : 0);
  return [low - more, high + more];
}

/** The full angle's outline. */
export function outlineSpot(
  canvas: Canvas,
  shape: 'circular' | 'rectangular' | 'elliptical',
  [x, y]: Point,
  [halfWidth, halfHeight]: Point,
  thicknessPx: number,
  colour: Rgb,
): void {
  if (halfWidth === 0 && halfHeight === 0) return;
  if (shape === 'rectangular') {
    const corners: Point[] = [
      [x - halfWidth, y - halfHeight],
      [x + halfWidth, y - halfHeight],
      [x + halfWidth, y + halfHeight],
      [x - halfWidth, y + halfHeight],
      [x - halfWidth, y - halfHeight],
    ];
    canvas.line(corners, thicknessPx, colour);
    return;
  }
  const around = Array.from({ length: 97 }, (_, step): Point => {
    const angle = (2 * Math.PI * step) / 96;
    return [x + halfWidth * Math.cos(angle), y + halfHeight * Math.sin(angle)];
  });
  canvas.line(around, thicknessPx, colour);
}
