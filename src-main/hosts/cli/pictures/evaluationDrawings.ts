// Figures of the metrics of learned models: ranges of reality and models (Browning 2012, figure 14), likelihoods (figure
// 18), plans by class and by part of the model (figure 19).
import type { EvaluateReply, evaluationColumns } from '#contract/worker/evaluate.ts';
import type { Arrays } from '#contract/columns.ts';
import type { Axis, Chart, Series } from '#domain/charts/chart.ts';
import { classColour, markColours, scaleColour, toHex, type Rgb } from '#domain/shared/colours.ts';
import { degrees } from '#domain/shared/numbers.ts';
import { imageUrl } from './png.ts';

/** A model judged, with its points. */
export interface EvaluatedModel {
  metrics: EvaluateReply;
  /** As the page names it. */
  name: string;
  points: Arrays<typeof evaluationColumns>;
}

export interface Figure extends Chart {
  title: string;
}

/** So few that a point is 1.5 px wide on the page, on which a plan has 532 px. */
const planPx = 350;
/** Colours of models in turn, in every drawing; none is that of reality. */
const modelColours = [
  ...['#0072b2', '#009e73', '#cc79a7', '#e69f00'],
  ...['#56b4e9', '#7a4b94', '#8c6d31', '#4a4a4a'],
];
const sliceRangeM = 0.6;
/** Bins of a slice: encoder and range steps of Deschaud 2012. */
const sliceStepDeg = 0.09;
const sliceStepM = 0.002;
const realityColour = toHex(markColours.vermilion);

/** Shares of beams by range: reality and each model. */
export function rangeFigure(models: readonly EvaluatedModel[]): Figure {
  const [first] = models;
  const histogram = first?.metrics.histograms;
  const stepM = histogram?.rangeStepM ?? 1;
  const shares = (counts: readonly number[], beams: number): [number, number][] =>
    counts.map((count, bin) => [(bin + 0.5) * stepM, count / Math.max(beams, 1)]);
  return {
    title: 'Ranges of reality and of the models',
    x: { name: 'range', unit: 'm', from: 0 },
    y: { name: 'share of beams', unit: '', from: 0 },
    series: [
      {
        name: 'reality',
        kind: 'bars',
        colour: realityColour,
        widthX: stepM,
        data: shares(histogram?.logReturns ?? [], first?.metrics.beams ?? 1),
      },
      ...models.map(({ metrics, name }, index): Series => ({
        name,
        kind: 'line',
        colour: modelColour(index),
        data: shares(metrics.histograms.otherReturns, metrics.beams),
      })),
    ],
  };
}

function modelColour(index: number): string {
  return modelColours[index % modelColours.length] ?? realityColour;
}

/** Frequencies of likelihoods on two logarithmic axes; likelihoods above 0.1 are of beams without a return. */
export function likelihoodFigure(models: readonly EvaluatedModel[]): Figure {
  return {
    title: 'Likelihood of the beams of the log',
    x: { name: 'likelihood (per mm, or of no return)', unit: '', isLog: true },
    y: { name: 'share of beams', unit: '', isLog: true },
    series: models.map(({ metrics, name }, index): Series => {
      const { minDecade, decadesPerBin, likelihood } = metrics.histograms;
      return {
        name,
        kind: 'line',
        colour: modelColour(index),
        data: likelihood.flatMap((count, bin): [number, number][] => {
          if (count === 0) return [];
          const decade = minDecade + (bin + 0.5) * decadesPerBin;
          return [[Math.pow(10, decade), count / metrics.beams]];
        }),
      };
    }),
  };
}

/** The returns of the log from above, by class; the highest of a pixel is drawn. */
export function classPlan({ metrics, points }: EvaluatedModel): Figure {
  const { classNames } = metrics;
  const used = [...new Set(points.log_class)].sort((a, b) => a - b);
  return {
    title: 'Reality from above, by class',
    ...plan(points.log_x_m, points.log_y_m, points.log_z_m, boxOf(points), (index) =>
      classColour(points.log_class[index] ?? 0),
    ),
    series: used.map((id) => legendOf(classNames[id] ?? `class ${id}`, toHex(classColour(id)))),
  };
}

/** The returns of a model from above, by the part that they were drawn on. */
export function modelPlan({ name, points }: EvaluatedModel): Figure {
  const [surface, volume] = [markColours.orange, markColours.green];
  return {
    title: `${name} from above`,
    ...plan(points.model_x_m, points.model_y_m, points.model_z_m, boxOf(points), (index) =>
      points.model_is_volume[index] === 1 ? volume : surface,
    ),
    series: [
      legendOf('on surfaces and points', toHex(surface)),
      legendOf('on volume elements', toHex(volume)),
    ],
  };
}

/** Histograms of one laser by azimuth and range, reality first; none where the sensor moved. */
export function sliceFigures(models: readonly EvaluatedModel[]): Figure[] {
  const [first] = models;
  if (first === undefined || first.points.slice_azimuth_rad.length === 0) return [];
  const { points } = first;
  const middleM = median(points.slice_log_range_m);
  return [
    slice('Reality, one laser', points.slice_azimuth_rad, points.slice_log_range_m, middleM),
    ...models.map((model) =>
      slice(
        `${model.name}, the same laser`,
        model.points.slice_azimuth_rad,
        model.points.slice_model_range_m,
        middleM,
      ),
    ),
  ];
}

function slice(
  title: string,
  azimuthsRad: Float32Array,
  rangesM: Float32Array,
  middleM: number,
): Figure {
  const columnsDeg = Array.from(azimuthsRad, (azimuth) => degrees(azimuth));
  const fromDeg = Math.min(...extremes(columnsDeg)) - sliceStepDeg / 2;
  const columns = Math.max(
    1,
    Math.ceil((Math.max(...extremes(columnsDeg)) - fromDeg) / sliceStepDeg),
  );
  const rows = Math.round(sliceRangeM / sliceStepM);
  const fromM = middleM - sliceRangeM / 2;
  const counts = new Float64Array(columns * rows);
  let most = 1;
  for (const [beam, azimuthDeg] of columnsDeg.entries()) {
    const column = Math.min(columns - 1, Math.floor((azimuthDeg - fromDeg) / sliceStepDeg));
    const row = Math.floor(((rangesM[beam] ?? NaN) - fromM) / sliceStepM);
    if (!(row >= 0 && row < rows)) continue;
    const at = (rows - 1 - row) * columns + column;
    counts[at] = (counts[at] ?? 0) + 1;
    most = Math.max(most, counts[at] ?? 0);
  }
  const rgba = new Uint8Array(4 * columns * rows).fill(255);
  for (const [at, count] of counts.entries()) {
    // Why a root: frequencies of one column span decades.
    if (count > 0) rgba.set(scaleColour('viridis', Math.sqrt(count / most)), 4 * at);
  }
  return {
    title,
    x: { name: 'azimuth', unit: '°', from: fromDeg, to: fromDeg + columns * sliceStepDeg },
    y: { name: 'range', unit: 'm', from: fromM, to: fromM + sliceRangeM },
    series: [],
    imageUrl: imageUrl(rgba, columns, rows),
  };
}

interface Box {
  x: Axis & { from: number; to: number };
  y: Axis & { from: number; to: number };
}

function boxOf({ log_x_m: x, log_y_m: y }: EvaluatedModel['points']): Box {
  const axis = (name: string, values: Float32Array): Box['x'] => {
    const [low = 0, high = 1] = extremes(values);
    return { name, unit: 'm', from: Math.floor(low), to: Math.max(Math.ceil(high), low + 1) };
  };
  return { x: axis('x', x), y: axis('y', y) };
}

/** An image of points from above; the highest of a pixel is seen. */
function plan(
  xM: Float32Array,
  yM: Float32Array,
  zM: Float32Array,
  { x, y }: Box,
  colourOf: (index: number) => Rgb,
): Pick<Chart, 'x' | 'y' | 'isPlan' | 'imageUrl'> {
  const widthM = x.to - x.from;
  const heightM = y.to - y.from;
  const pxPerM = planPx / Math.max(widthM, heightM);
  const width = Math.max(1, Math.round(widthM * pxPerM));
  const height = Math.max(1, Math.round(heightM * pxPerM));
  const rgba = new Uint8Array(4 * width * height).fill(255);
  const highestM = new Float32Array(width * height).fill(-Infinity);
  for (let index = 0; index < xM.length; index++) {
    const column = Math.floor(((xM[index] ?? NaN) - x.from) * pxPerM);
    const row = height - 1 - Math.floor(((yM[index] ?? NaN) - y.from) * pxPerM);
    if (!(column >= 0 && column < width && row >= 0 && row < height)) continue;
    const at = row * width + column;
    if ((zM[index] ?? NaN) < (highestM[at] ?? 0)) continue;
    highestM[at] = zM[index] ?? 0;
    rgba.set(colourOf(index), 4 * at);
  }
  return { x, y, isPlan: true, imageUrl: imageUrl(rgba, width, height) };
}

/** A series without points: its line is in the legend alone. */
function legendOf(name: string, colour: string): Series {
  return { name, kind: 'points', colour, data: [], sizePx: 8 };
}

/** Least and greatest; nothing of nothing. */
function extremes(values: Iterable<number>): number[] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [];
}

function median(values: Float32Array): number {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  return known[Math.floor(known.length / 2)] ?? 0;
}
