// One page about a sensor: footprint at a range, where the pulses of a scan go, its lasers, and in words the
// rest. Everything drawn is what the worker describes; as seen from the sensor, left at the left.
import type { Replies } from '#contract/methods.ts';
import type { SensorDescriptionColumns } from '#contract/worker.ts';
import { countText } from '../table.ts';
import { createCanvas, textWidthPx, type Canvas, type Point, type Rgb } from './canvas.ts';
import { markColours, viridisColour } from './colourMaps.ts';
import { drawColourBar, drawPlot, plotColours, wrapText, type RectPx } from './plot.ts';
import { number, sensorFacts } from './sensorFacts.ts';

export interface SensorPicture {
  shown: Replies['sensor.show'];
  columns: SensorDescriptionColumns;
}

const { ink, softInk, paper } = plotColours;
const degree = 180 / Math.PI;
const sizePx = { width: 2040, height: 1500 };
const footprintPx: RectPx = { left: 110, top: 200, width: 600, height: 600 };
const factsPx: RectPx = { left: 790, top: 140, width: 690, height: 720 };
const scanPx: RectPx = { left: 110, top: 980, width: 790, height: 390 };
const detailPx: RectPx = { left: 1030, top: 980, width: 430, height: 390 };
const tablePx: RectPx = { left: 1540, top: 140, width: 450, height: 1300 };

/** @returns a PNG */
export function drawSensor(picture: SensorPicture): Uint8Array {
  const { sensor } = picture.shown;
  const canvas = createCanvas(sizePx.width, sizePx.height, paper);
  canvas.text(sensor.name, 60, 36, { colour: ink, scale: 4 });
  const [source = '', ...more] = wrapText(
    `${sensor.id}, from: ${sensor.source}`,
    sizePx.width - 120,
  );
  const subtitle = more.length === 0 ? source : `${source} ...`;
  canvas.text(subtitle, 60, 88, { colour: softInk });
  drawFootprint(canvas, picture);
  drawFacts(canvas, picture);
  drawScan(canvas, picture);
  drawDetail(canvas, picture);
  drawLasers(canvas, picture);
  return canvas.png();
}

function drawFootprint(canvas: Canvas, { shown, columns }: SensorPicture): void {
  const { description, recipe } = shown;
  const { rangeM, spotM } = description;
  const { ray_left: left, ray_up: up, ray_weight: weights } = columns;
  const mm = 1000 * rangeM;
  const reach = [...left, ...up].reduce((most, at) => Math.max(most, Math.abs(at) * mm), 0);
  const spotReach = 500 * Math.max(spotM.width, spotM.height);
  const halfMm = 1.15 * Math.max(reach, spotReach) || 10;
  title(canvas, footprintPx, `Footprint at ${number(rangeM)} m`);
  const plot = drawPlot(
    canvas,
    footprintPx,
    { label: 'across (mm)', from: halfMm, to: -halfMm },
    { label: 'up (mm)', from: -halfMm, to: halfMm },
  );
  const halfPx: Point = [500 * spotM.width * plot.pxPerX, 500 * spotM.height * plot.pxPerY];
  const centre = plot.toPx(0, 0);
  outlineSpot(canvas, recipe.beam.shape, centre, halfPx, 3, markColours.skyBlue);
  const heaviest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const lightest = weights.reduce((least, weight) => Math.min(least, weight), Infinity);
  // As large as the rays leave room for: their share of the spot, but to be seen.
  const radiusPx = Math.max(2.5, Math.min(10, 110 / Math.sqrt(weights.length)));
  const isEven = heaviest - lightest <= 1e-9 * heaviest;
  for (const [ray, weight] of weights.entries()) {
    const at = plot.toPx((left[ray] ?? 0) * mm, (up[ray] ?? 0) * mm);
    const share = isEven ? 0.35 : (weight - lightest) / (heaviest - lightest);
    canvas.disc(at, radiusPx, viridisColour(0.9 * share));
  }
  const labelY = footprintPx.top + footprintPx.height + 66;
  if (isEven) {
    const outline = spotReach > 0 ? '; outline: full angle' : '';
    const which = description.differsByPulse ? ' of pulse 0' : '';
    const text = `${countText(weights.length)} × weight ${number(heaviest)}${which}${outline}`;
    canvas.text(text, footprintPx.left, labelY, { colour: softInk });
    return;
  }
  const bar = { left: footprintPx.left + 150, top: labelY - 2, width: 220, height: 18 };
  drawColourBar(canvas, bar, (share) => viridisColour(0.9 * share), {
    from: number(lightest),
    to: `${number(heaviest)} weight`,
  });
}

/** The full angle's outline. */
function outlineSpot(
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

function drawFacts(canvas: Canvas, { shown }: SensorPicture): void {
  let y = factsPx.top;
  for (const { title: heading, lines } of sensorFacts(shown)) {
    if (heading === 'Source') continue;
    canvas.text(heading, factsPx.left, y, { colour: markColours.vermilion });
    y += 24;
    for (const line of lines.flatMap((text) => wrapText(text, factsPx.width - 20))) {
      canvas.text(line, factsPx.left + 20, y, { colour: ink });
      y += 23;
    }
    y += 14;
  }
}

/** Degrees, with the sensor's front in the middle. */
function pulseAngles({ columns, shown }: SensorPicture): {
  azimuthDeg: number[];
  elevationDeg: number[];
} {
  const isSpinning = shown.recipe.scan.kind === 'spinning';
  const azimuthDeg = Array.from(columns.pulse_azimuth_rad, (azimuth) => {
    const at = azimuth * degree;
    return isSpinning && at > 180 ? at - 360 : at;
  });
  return { azimuthDeg, elevationDeg: Array.from(columns.pulse_elevation_rad, (e) => e * degree) };
}

function drawScan(canvas: Canvas, picture: SensorPicture): void {
  const { shown, columns } = picture;
  const { recipe, description } = shown;
  const { azimuthDeg, elevationDeg } = pulseAngles(picture);
  const isSpinning = recipe.scan.kind === 'spinning';
  const what = { spinning: 'revolution', sweep: 'sweep', mirror: 'scan', image: 'image' };
  const part = description.isWholeScan ? '' : ', its beginning';
  title(canvas, scanPx, `Pulses of one ${what[recipe.scan.kind]}${part}`);
  const [low, high] = padded(elevationDeg, 0.06);
  const [right, left] = isSpinning ? [-180, 180] : padded(azimuthDeg, 0.03);
  const plot = drawPlot(
    canvas,
    scanPx,
    { label: 'azimuth (°), from left to right as seen from the sensor', from: left, to: right },
    { label: 'elevation (°)', from: low, to: high },
  );
  const times = Array.from(columns.pulse_time_ns, Number);
  const [firstNs, lastNs] = [times[0] ?? 0, times.reduce((most, t) => Math.max(most, t), 0)];
  const rows = Math.max(1, columns.laser_ring.length);
  const fewPx = azimuthDeg.length < 1000 ? 5 : 3;
  const sidePx = Math.max(1, Math.min(fewPx, Math.floor(scanPx.height / rows / 5)));
  for (const [pulse, azimuth] of azimuthDeg.entries()) {
    const [x, y] = plot.toPx(azimuth, elevationDeg[pulse] ?? 0);
    const share = lastNs > firstNs ? ((times[pulse] ?? 0) - firstNs) / (lastNs - firstNs) : 0.35;
    // Why not to the end: yellow on white is not seen.
    canvas.fillRect(x - sidePx / 2, y - sidePx / 2, sidePx, sidePx, viridisColour(0.88 * share));
  }
  const barY = scanPx.top + scanPx.height + 68;
  if (lastNs === firstNs) {
    canvas.text('all at one instant', scanPx.left, barY, { colour: softInk });
    return;
  }
  const bar = { left: scanPx.left + 60, top: barY - 2, width: 220, height: 18 };
  drawColourBar(canvas, bar, (share) => viridisColour(0.88 * share), {
    from: '0',
    to: `${number((lastNs - firstNs) / 1e6)} ms: time of the pulse`,
  });
}

/** A few neighbouring pulses with their spots to scale: what is covered, and what lies between. */
function drawDetail(canvas: Canvas, picture: SensorPicture): void {
  const { shown } = picture;
  const { azimuthDeg, elevationDeg } = pulseAngles(picture);
  const { azimuth, elevation, sideDeg } = detailWindow(picture, azimuthDeg);
  title(canvas, detailPx, 'Spots to scale');
  const halfWidthDeg = (sideDeg * detailPx.width) / detailPx.height / 2;
  const plot = drawPlot(
    canvas,
    detailPx,
    { label: 'azimuth (°)', from: azimuth + halfWidthDeg, to: azimuth - halfWidthDeg },
    { label: 'elevation (°)', from: elevation - sideDeg / 2, to: elevation + sideDeg / 2 },
  );
  const { beam } = shown.recipe;
  for (const [pulse, at] of azimuthDeg.entries()) {
    const up = elevationDeg[pulse] ?? 0;
    // The angle at the sensor that a step of azimuth makes is smaller off the horizon.
    const halfPx: Point = [
      ((beam.divergenceHorizontalRad / 2) * degree * plot.pxPerX) / Math.cos(up / degree),
      (beam.divergenceVerticalRad / 2) * degree * plot.pxPerY,
    ];
    if (!isWithin(plot.toPx(at, up), halfPx)) continue;
    outlineSpot(canvas, beam.shape, plot.toPx(at, up), halfPx, 1.5, markColours.skyBlue);
    canvas.disc(plot.toPx(at, up), 2.2, ink);
  }

  function isWithin([x, y]: Point, [halfX, halfY]: Point): boolean {
    const { left, top, width, height } = detailPx;
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
  { shown, columns }: SensorPicture,
  azimuthDeg: number[],
): { azimuth: number; elevation: number; sideDeg: number } {
  const { scan, slotsPerSecond, beam } = shown.recipe;
  const lasersDeg = Array.from(columns.laser_elevation_rad, (e) => e * degree);
  const gapsDeg = lasersDeg.slice(1).map((at, index) => at - (lasersDeg[index] ?? 0));
  const gapDeg = gapsDeg.sort((a, b) => a - b)[Math.floor(gapsDeg.length / 2)] ?? 0;
  const [low, high] = scan.kind === 'spinning' ? [0, 360] : padded(azimuthDeg, 0);
  const stepDeg = ((high - low) * scan.rateHz) / slotsPerSecond;
  // Few lasers are all shown.
  const lasersSpanDeg =
    lasersDeg.length > 8 ? 3.2 * gapDeg : (lasersDeg.at(-1) ?? 0) - (lasersDeg[0] ?? 0) + gapDeg;
  const spotDeg = Math.max(beam.divergenceHorizontalRad, beam.divergenceVerticalRad) * degree;
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

const mostTableRows = 64;
const rowPx = 19;
const stripe: Rgb = [244, 245, 247];

interface TableColumn {
  head: string;
  unit: string;
  text: (laser: number) => string;
}

/** A row for each laser, the highest on top, with what any of them has. */
function drawLasers(canvas: Canvas, { shown, columns }: SensorPicture): void {
  const { laser_ring: rings, laser_elevation_rad: elevations } = columns;
  const isImage = shown.recipe.scan.kind === 'image';
  const firingUs = Array.from(columns.laser_firing_offset_ns, (ns) => Number(ns) / 1000);
  const optional = (
    head: string,
    unit: string,
    values: ArrayLike<number>,
    text: (value: number) => string,
  ): TableColumn[] =>
    Array.from(values).some((value) => value !== 0)
      ? [{ head, unit, text: (laser) => text(values[laser] ?? 0) }]
      : [];
  const table: TableColumn[] = [
    { head: isImage ? 'row' : 'ring', unit: '', text: (laser) => String(rings[laser] ?? laser) },
    {
      head: 'elevation',
      unit: 'deg',
      text: (laser) => ((elevations[laser] ?? 0) * degree).toFixed(3),
    },
    ...optional('azimuth', 'deg', columns.laser_azimuth_offset_rad, (a) => (a * degree).toFixed(2)),
    ...optional('fires', 'µs', firingUs, (us) => us.toFixed(2)),
    ...optional('bias', 'mm', columns.laser_range_bias_m, (m) => (m * 1000).toFixed(1)),
  ];
  const step = Math.ceil(rings.length / mostTableRows);
  const what = isImage ? 'Rows of pixels' : 'Lasers';
  const few = step === 1 ? what : `${what}: one of ${step}, of ${countText(rings.length)}`;
  title(canvas, tablePx, few, 0);
  const lasers = Array.from(
    { length: Math.ceil(rings.length / step) },
    (_, row) => rings.length - 1 - row * step,
  );
  const widths = table.map(({ head, text }) =>
    [head, ...lasers.map(text)].reduce((most, cell) => Math.max(most, textWidthPx(cell)), 0),
  );
  const gapPx = 26;
  const top = tablePx.top + 40;
  const widthPx = widths.reduce((sum, width) => sum + width + gapPx, gapPx / 2);
  for (const row of lasers.keys()) {
    if (row % 2 === 0) {
      canvas.fillRect(tablePx.left, top + 45 + row * rowPx, widthPx, rowPx, stripe);
    }
  }
  let right = tablePx.left;
  for (const [index, { head, unit, text }] of table.entries()) {
    right += (widths[index] ?? 0) + (index === 0 ? gapPx / 2 : gapPx);
    canvas.text(head, right, top, { colour: softInk, align: 'right' });
    canvas.text(unit, right, top + 22, { colour: softInk, align: 'right' });
    for (const [row, laser] of lasers.entries()) {
      const at = top + 48 + row * rowPx;
      canvas.text(text(laser), right, at, { colour: ink, align: 'right' });
    }
  }
}

function title(canvas: Canvas, { left, top }: RectPx, text: string, above = 60): void {
  canvas.text(text, left, top - above, { colour: markColours.vermilion });
}
