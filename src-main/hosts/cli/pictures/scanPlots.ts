// Where the pulses of one scan go: all of it, and a few neighbours with their spots to scale. As seen from the
// sensor, left at the left.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { Axis, Chart, ChartLayout, Shape } from '#domain/charts/chart.ts';
import { chartSvg } from '#domain/charts/chartSvg.ts';
import { markColours, scaleColour, toHex, type Rgb } from '#domain/shared/colours.ts';
import { numberText } from '#domain/shared/formats.ts';
import { degrees, radians } from '#domain/shared/numbers.ts';
import { multiplesOf, roundAbove } from '#domain/shared/roundNumbers.ts';
import type { ShownSensor } from '#domain/shared/sensorSummary.ts';
import { extent, median } from '#domain/shared/statistics.ts';
import { fontFamily, imageUrl } from './png.ts';
import { colourBar, headingInk, ink, nested, softInk, text, type RectPx } from './svg.ts';

export const plotFontPx = 18;
/** Room for the labels of the axes around a plot. */
const margin = { left: 84, right: 16, top: 8, bottom: 64 };

/** A heading, and below it a chart whose axes enclose exactly `plot`. */
export function titledPlot(title: string, plot: RectPx, chart: Chart): string[] {
  const layout: ChartLayout = {
    widthPx: margin.left + plot.width + margin.right,
    heightPx: margin.top + plot.height + margin.bottom,
    margin,
    fontFamily,
    fontPx: plotFontPx,
    hasLegend: false,
    hasGridLines: true,
    hasFixedMargins: true,
  };
  return [
    text(title, plot.left, plot.top - 20, { sizePx: 22, isBold: true, colour: headingInk }),
    nested(chartSvg(chart, layout), plot.left - margin.left, plot.top - margin.top),
  ];
}

/** An axis from `low` to `high` with round ticks, at most one in `tickPx` of the `lengthPx` pixels. */
export function plotAxis(
  axis: Pick<Axis, 'name' | 'unit'>,
  [low, high]: readonly [number, number],
  lengthPx: number,
  tickPx: number,
): Axis {
  // A turn is divided into eighths.
  const step = high - low === 360 ? 45 : roundAbove(((high - low) * tickPx) / lengthPx);
  return { ...axis, from: low, to: high, ticks: multiplesOf(step, low, high) };
}

/** Degrees, with the sensor's front in the middle. */
function pulseAngles({ columns, shown }: ShownSensor): {
  azimuthDeg: number[];
  elevationDeg: number[];
} {
  const { isWholeTurn } = traitsOf(shown.recipe.scan);
  const azimuthDeg = Array.from(columns.pulse_azimuth_rad, (azimuth) => {
    const at = degrees(azimuth);
    return isWholeTurn && at > 180 ? at - 360 : at;
  });
  return { azimuthDeg, elevationDeg: Array.from(columns.pulse_elevation_rad, degrees) };
}

/** Every pulse in the colour of its time; below, 110 px for axis and bar. */
export function scanPlot(plot: RectPx, sensor: ShownSensor): string[] {
  const { shown, columns } = sensor;
  const { recipe, description } = shown;
  const { azimuthDeg, elevationDeg } = pulseAngles(sensor);
  const { noun, isWholeTurn, lines } = traitsOf(recipe.scan);
  const part = description.isWholeScan ? '' : lines === null ? ', its beginning' : ', some lines';
  const elevations = padded(elevationDeg, 0.06);
  const azimuths: [number, number] = isWholeTurn ? [-180, 180] : padded(azimuthDeg, 0.03);
  const times = Array.from(columns.pulse_time_ns, Number);
  const [firstNs, lastNs] = extent(times);
  const isInstant = lastNs === firstNs;
  const pixels = pulseImage(
    plot,
    azimuthDeg.map((azimuth) => (azimuths[1] - azimuth) / (azimuths[1] - azimuths[0])),
    elevationDeg.map((elevation) => (elevations[1] - elevation) / (elevations[1] - elevations[0])),
    times.map((time) => timeColour(isInstant ? 0.4 : (time - firstNs) / (lastNs - firstNs))),
    columns.laser_ring.length,
  );
  const chart: Chart = {
    x: {
      ...plotAxis(
        { name: 'azimuth, as seen from the sensor', unit: '°' },
        azimuths,
        plot.width,
        80,
      ),
      isReversed: true,
    },
    y: plotAxis({ name: 'elevation', unit: '°' }, elevations, plot.height, 50),
    series: [],
    imageUrl: pixels,
  };
  const barTop = plot.top + plot.height + 82;
  return [
    ...titledPlot(`Pulses of one ${noun}${part}`, plot, chart),
    ...(isInstant
      ? [
          text('all pulses at one instant', plot.left, barTop + 15, {
            sizePx: plotFontPx,
            colour: softInk,
          }),
        ]
      : timeBar({ left: plot.left + 220, top: barTop, width: 260, height: 18 }, lastNs - firstNs)),
  ];
}

// Why not to the end: yellow is not visible on white.
function timeColour(share: number): Rgb {
  return scaleColour('viridis', 0.88 * share);
}

function timeBar(bar: RectPx, durationNs: number): string[] {
  const y = bar.top + 15;
  return [
    text('time of the pulse: 0', bar.left - 12, y, { sizePx: plotFontPx, anchor: 'end' }),
    colourBar(bar, timeColour),
    text(`${numberText(durationNs / 1e6)} ms`, bar.left + bar.width + 12, y, {
      sizePx: plotFontPx,
    }),
  ];
}

/**
 * Discs at places given as shares of the plot from its left upper corner, on a clear ground. Why pixels: a
 * revolution has 100,000 pulses and more. At twice the resolution, so that edges are smooth.
 */
function pulseImage(
  plot: RectPx,
  shareX: readonly number[],
  shareY: readonly number[],
  colours: readonly Rgb[],
  rows: number,
): string {
  const [width, height] = [2 * plot.width, 2 * plot.height];
  const rgba = new Uint8Array(4 * width * height);
  const maxPx = shareX.length < 1000 ? 5 : 3;
  const radius = Math.max(1, Math.min(maxPx, plot.height / Math.max(1, rows) / 5));
  for (const [pulse, colour] of colours.entries()) {
    const [x, y] = [width * (shareX[pulse] ?? 0), height * (shareY[pulse] ?? 0)];
    for (let row = Math.floor(y - radius); row <= y + radius; row += 1) {
      for (let column = Math.floor(x - radius); column <= x + radius; column += 1) {
        const isInside = column >= 0 && column < width && row >= 0 && row < height;
        if (!isInside || Math.hypot(column + 0.5 - x, row + 0.5 - y) > radius) continue;
        rgba.set([...colour, 255], 4 * (row * width + column));
      }
    }
  }
  return imageUrl(rgba, width, height);
}

/** A few neighbouring pulses with their spots to scale: what is covered, and what lies between. */
export function detailPlot(plot: RectPx, sensor: ShownSensor): string[] {
  const { azimuthDeg, elevationDeg } = pulseAngles(sensor);
  const { azimuth, elevation, sideDeg } = detailWindow(sensor, azimuthDeg, elevationDeg);
  const halfWidthDeg = (sideDeg * plot.width) / plot.height / 2;
  const x: [number, number] = [azimuth - halfWidthDeg, azimuth + halfWidthDeg];
  const y: [number, number] = [elevation - sideDeg / 2, elevation + sideDeg / 2];
  const { beam } = sensor.shown.recipe;
  const halfUpDeg = degrees(beam.divergenceVerticalRad / 2);
  const centres: [number, number][] = [];
  const shapes: Shape[] = [];
  for (const [pulse, at] of azimuthDeg.entries()) {
    const up = elevationDeg[pulse] ?? 0;
    // The angle at the sensor that a step of azimuth makes is smaller off the horizon.
    const halfAcrossDeg = degrees(beam.divergenceHorizontalRad / 2) / Math.cos(radians(up));
    if (at - halfAcrossDeg < x[0] || at + halfAcrossDeg > x[1]) continue;
    if (up - halfUpDeg < y[0] || up + halfUpDeg > y[1]) continue;
    centres.push([at, up]);
    shapes.push(...spotShape(beam.shape, [at, up], [halfAcrossDeg, halfUpDeg], 1.5));
  }
  return titledPlot('Spots to scale', plot, {
    x: { ...plotAxis({ name: 'azimuth', unit: '°' }, x, plot.width, 90), isReversed: true },
    y: plotAxis({ name: 'elevation', unit: '°' }, y, plot.height, 50),
    series: [{ name: 'axes', kind: 'points', data: centres, colour: ink, sizePx: 5 }],
    shapes,
  });
}

/** A square about a pulse in the middle of a scan: ten steps of azimuth, a few lasers, two spots at least. */
function detailWindow(
  { shown, columns }: ShownSensor,
  azimuthDeg: number[],
  elevationDeg: number[],
): { azimuth: number; elevation: number; sideDeg: number } {
  const { scan, slotsPerSecond, beam } = shown.recipe;
  const lasersDeg = Array.from(columns.laser_elevation_rad, degrees);
  const gapsDeg = lasersDeg.slice(1).map((at, index) => at - (lasersDeg[index] ?? 0));
  const gapDeg = gapsDeg.length === 0 ? 0 : median(gapsDeg);
  const { isWholeTurn, lines } = traitsOf(scan);
  const [low, high] = isWholeTurn ? [0, 360] : padded(azimuthDeg, 0);
  const stepDeg = ((high - low) * scan.rateHz) / slotsPerSecond;
  // A few lasers are shown completely.
  const lasersSpanDeg =
    lasersDeg.length > 8 ? 3.2 * gapDeg : (lasersDeg.at(-1) ?? 0) - (lasersDeg[0] ?? 0) + gapDeg;
  const spotDeg = degrees(Math.max(beam.divergenceHorizontalRad, beam.divergenceVerticalRad));
  // Why not the middle of a revolution: the other plot is cut there.
  const middle = Math.floor(azimuthDeg.length * (isWholeTurn ? 0.25 : 0.5));
  if (lines !== null) {
    const along = elevationDeg.slice(middle, middle + Math.ceil(lines.pulsesPerLine));
    const nearest = Math.min(...along.map(Math.abs));
    const pulse = middle + along.findIndex((up) => Math.abs(up) === nearest);
    return {
      azimuth: azimuthDeg[pulse] ?? 0,
      elevation: elevationDeg[pulse] ?? 0,
      sideDeg: 8 * degrees(lines.elevationStepRad),
    };
  }
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

/** Smallest and largest value, with a share of the span more at both ends, and at least a degree apart. */
function padded(values: number[], share: number): [number, number] {
  const [low, high] = extent(values);
  const more = Math.max(share * (high - low), high - low < 1 ? 0.5 : 0);
  return [low - more, high + more];
}

/** The outline of the full angle, in the units of the plot; none of a beam without divergence. */
export function spotShape(
  shape: 'circular' | 'rectangular' | 'elliptical',
  [x, y]: readonly [number, number],
  [halfWidth, halfHeight]: readonly [number, number],
  strokePx: number,
): Shape[] {
  if (halfWidth === 0 && halfHeight === 0) return [];
  const stroke = toHex(markColours.skyBlue);
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  const around = Array.from({ length: 96 }, (_, step) => {
    const angle = (2 * Math.PI * step) / 96;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
  const outline = shape === 'rectangular' ? corners : around;
  const points = outline.map(([u, v]) => [x + halfWidth * u, y + halfHeight * v] as const);
  return [{ points, stroke, strokePx }];
}
