// Colours of logs and learned models: by what, on which scale, and the words of the key.
import { markColours, type ScaleName } from '#domain/shared/colours.ts';
import type { CloudTable, TableColouring } from '#renderer/logic/cloud/cloudTable.ts';
import { rangeOfValues, scaleKey } from '#renderer/logic/colours/colourRanges.ts';
import { paintedRows, scalePainter } from '#renderer/logic/colours/paintedRows.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';

export const modelColourings = ['permeability', 'class', 'intensity', 'support', 'height'] as const;
export type ModelColouring = (typeof modelColourings)[number];

export const sampleColourings = ['height', 'support'] as const;
export type SampleColouring = (typeof sampleColourings)[number];

export const colouringNames: Record<ModelColouring | TableColouring, string> = {
  permeability: 'Permeability',
  class: 'Class',
  intensity: 'Intensity',
  support: 'Support',
  height: 'Height',
  rgb: 'RGB',
  distance: 'Distance',
};

/** Decades of support on the scale: 1 to 1000 beams. */
const supportDecades = 3;

/** Those of a cloud whose values lie on a scale that can be chosen. */
export const rangedColourings = ['height', 'intensity', 'distance'] as const;
export type RangedColouring = (typeof rangedColourings)[number];

/** Values as the scales span them; null: nothing is known yet. */
export type ColourRanges = Readonly<Record<RangedColouring, ValueRange | null>>;

export function isRanged(by: ModelColouring | TableColouring): by is RangedColouring {
  return (rangedColourings as readonly string[]).includes(by);
}

/** The values of a cloud that a colouring shows. */
export function valuesBy(by: RangedColouring, table: CloudTable): Float32Array {
  if (by === 'intensity') return table.intensities;
  return by === 'height' ? heightsOf(table.positionsM) : (table.distancesM ?? new Float32Array(0));
}

/** The scale of a colouring, in the units of the values that the graphics card gets. */
export function rangeOf(by: ModelColouring | TableColouring, ranges: ColourRanges): ValueRange {
  switch (by) {
    case 'height':
      return ranges.height ?? [0, 1];
    case 'intensity':
      return ranges.intensity ?? [0, 1];
    case 'distance':
      return ranges.distance ?? [0, 1];
    case 'support':
      return [0, supportDecades];
    default:
      return [0, 1];
  }
}

/** The key of a colouring; null for classes, which have a list, and for RGB. `zeroM`: height of the view's origin in the world. */
export function keyOf(
  by: ModelColouring | TableColouring,
  ranges: ColourRanges,
  zeroM = 0,
): { title: string; from: string; to: string } | null {
  const [from, to] = rangeOf(by, ranges);
  switch (by) {
    case 'class':
    case 'rgb':
      return null;
    case 'permeability':
      return { title: 'Permeability: share that passes', from: '0', to: '1' };
    case 'support':
      return { title: 'Support: beams that observed it', from: '1', to: '≥ 1,000' };
    case 'intensity':
    case 'distance':
      return scaleKey(by, [from, to]);
    case 'height':
      return scaleKey('height', [from + zeroM, to + zeroM]);
  }
}

/** The heights of most points, x y z after one another. */
export function heightRange(positionsM: Float32Array): ValueRange | null {
  return rangeOfValues('height', heightsOf(positionsM));
}

function heightsOf(positionsM: Float32Array): Float32Array {
  return Float32Array.from(
    { length: positionsM.length / 3 },
    (_, row) => positionsM[3 * row + 2] ?? 0,
  );
}

/** From zero to what most are below. */
export function intensityRange(intensities: Float32Array): ValueRange | null {
  const range = rangeOfValues('intensity', intensities);
  return range === null ? null : [0, range[1]];
}

/** RGB bytes of drawn returns: by height, or those that met what few beams observed in red. */
export function sampleColours(
  sample: { positionsM: Float32Array; underSampled: Uint8Array },
  by: SampleColouring,
  ranges: ColourRanges,
  scale: ScaleName,
): Uint8Array {
  const rows = sample.positionsM.length / 3;
  if (by === 'support') {
    return paintedRows(rows, (row) => (sample.underSampled[row] === 1 ? sparse : observed));
  }
  const paint = scalePainter(scale, rangeOf('height', ranges));
  return paintedRows(rows, (row) => paint(sample.positionsM[3 * row + 2] ?? NaN));
}

/** Colours of returns from parts that fewer than 10 beams observed, and of the others. */
export const sparse = markColours.vermilion;
export const observed = markColours.skyBlue;
