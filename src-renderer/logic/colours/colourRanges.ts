// Values that colour a cloud on a scale: where they are, and how their range widens.
import type { PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import { isListed, type Colouring, type ScaledColour } from './colouring.ts';
import { valueHistogram, type ValueHistogram } from './valueHistogram.ts';
import { widenRange, type ValueRange } from './valueRange.ts';

interface Rule {
  valuesOf: (points: PointColumns) => ArrayLike<number>;
  /** The range widens in these steps. */
  step: number;
  /** Share of the values that it holds. */
  upTo: number;
  title: string;
  text: (value: number) => string;
  /** Values beyond the upper end are meant to be there. */
  isOpen?: boolean;
}

const plain = (value: number): string => String(Math.round(value));
const metres = (value: number): string => value.toFixed(1);

const rules: Record<ScaledColour, Rule> = {
  // Why not all of them: a few tree tops would leave the grass one colour. Higher ones share the last.
  height: {
    valuesOf: ({ zM }) => zM,
    step: 0.5,
    upTo: 0.97,
    title: 'Height in m',
    text: metres,
    isOpen: true,
  },
  intensity: {
    valuesOf: ({ intensity }) => intensity,
    step: 0.1,
    upTo: 0.99,
    title: 'Intensity, relative',
    text: metres,
  },
  range: {
    valuesOf: ({ rangeM }) => rangeM,
    step: 5,
    upTo: 0.99,
    title: 'Range in m',
    text: metres,
  },
  ring: {
    valuesOf: ({ ring }) => ring,
    step: 1,
    upTo: 1,
    title: 'Ring, lowest first',
    text: plain,
  },
  return: {
    valuesOf: ({ returnNo }) => returnNo,
    step: 1,
    upTo: 1,
    title: 'Number of the return',
    text: plain,
  },
  error: {
    valuesOf: ({ rangeErrorM }) => rangeErrorM,
    step: 0.01,
    upTo: 0.99,
    title: 'Range error in cm',
    text: (value) => `${value < 0 ? '−' : '+'}${plain(Math.abs(100 * value))}`,
  },
  distance: {
    // Points of a scan have none: clouds have, by distanceRange.
    valuesOf: () => [],
    step: 0.01,
    upTo: 0.95,
    title: 'Distance in m',
    // Three digits: distances are millimetres or metres.
    text: (value) => String(Number(value.toPrecision(3))),
    isOpen: true,
  },
};

/** No range is known yet. */
export function noRanges(): Record<ScaledColour, ValueRange | null> {
  const ofScans = { height: null, intensity: null, range: null, ring: null, return: null };
  return { ...ofScans, error: null, distance: null };
}

/** The range that is shown: as chosen, or that of the points. Null: what is listed has none, or there are no points yet. */
export function shownRange({ by, ranges, chosen }: Colouring): ValueRange | null {
  return isListed(by) ? null : (chosen[by] ?? ranges[by]);
}

/** How often the values of these points occur, over all that there are. */
export function histogramBy(by: ScaledColour, points: PointColumns): ValueHistogram | null {
  return valueHistogram(rules[by].valuesOf(points));
}

/** Between two ranges that can be chosen. */
export function rangeStep(by: ScaledColour): number {
  return rules[by].step / 5;
}

/** The range that the values of one cloud span; null: there are none. */
export function rangeOfValues(
  by: Exclude<ScaledColour, 'error'>,
  values: ArrayLike<number>,
): ValueRange | null {
  const { step, upTo } = rules[by];
  return widenRange(null, values, step, upTo);
}

/** From zero to what most distances are below, in whole centimetres; null: there are none. */
export function distanceRange(distancesM: Float32Array): ValueRange | null {
  const range = rangeOfValues('distance', distancesM);
  return range === null ? null : [0, range[1]];
}

/** The range widened for these points; that of errors is as wide on both sides of zero. */
export function widenedBy(
  by: ScaledColour,
  range: ValueRange | null,
  points: PointColumns,
): ValueRange | null {
  const { valuesOf, step, upTo } = rules[by];
  const wide = widenRange(range, valuesOf(points), step, upTo);
  if (by !== 'error' || wide === null) return wide;
  const most = Math.max(-wide[0], wide[1]);
  return [-most, most];
}

/** The scale's key for a person. */
export function scaleKey(
  by: ScaledColour,
  [from, to]: ValueRange,
): { title: string; from: string; to: string } {
  const { title, text, isOpen } = rules[by];
  return { title, from: text(from), to: isOpen === true ? `≥ ${text(to)}` : text(to) };
}
