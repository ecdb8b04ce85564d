// The axes of a campaign as a form edits them: a new axis of a field, the three kinds of values, and what a change of
// the design asks of every axis. Each change is a value to be set in the document, or a list of edits.
import { entries, field, items } from '#contract/documents/unknownData.ts';
import { extent } from '#domain/shared/statistics.ts';
import type { FormEdit } from '#renderer/logic/forms/schemaForm.ts';
import type { VariedField } from './variedFields.ts';

export const axisKinds = ['values', 'range', 'normal'] as const;
export type AxisKind = (typeof axisKinds)[number];

export const axisKindTexts: Record<AxisKind, string> = {
  values: 'List',
  range: 'Range',
  normal: 'Distribution',
};

/** Steps of a range that did not have any. */
const newSteps = 5;

/** Which of the kinds an axis of the document is; a list where it is none. */
export function axisKindOf(axis: unknown): AxisKind {
  return axisKinds.find((kind) => field(axis, kind) !== undefined) ?? 'values';
}

/** The paths that an axis sets. */
export function pathsOf(axis: unknown): string[] {
  const set = field(axis, 'set');
  const paths = Array.isArray(set) ? items(set) : [set];
  return paths.filter((path) => typeof path === 'string');
}

/** An axis of a field: a range about its value where it is a number, otherwise a list of what it can be. */
export function newAxis(varied: VariedField, isGrid: boolean): Record<string, unknown> {
  const set = varied.path;
  if (varied.kind === 'switch') return { set, values: [false, true] };
  if (varied.kind === 'choice') return { set, values: [...varied.options] };
  if (varied.kind === 'text') return { set, values: [varied.value ?? ''] };
  const isWhole = varied.bounds?.isInteger === true;
  return {
    set,
    range: proposedRange(varied),
    ...(isGrid && { steps: newSteps }),
    ...(isWhole && { whole: true }),
  };
}

/** The same axis with values of another kind, which are made from what it had. */
export function withKind(axis: unknown, kind: AxisKind, isGrid: boolean): Record<string, unknown> {
  const set = field(axis, 'set');
  const isWhole = field(axis, 'whole') === true;
  const whole = isWhole ? { whole: true } : {};
  const [from, to] = spanOf(axis);
  const rounded = (value: number): number => (isWhole ? Math.round(value) : roundedValue(value));
  if (kind === 'values') {
    const values = [from, (from + to) / 2, to].map(rounded);
    return { set, values: [...new Set(values)] };
  }
  if (kind === 'range') {
    return {
      set,
      range: [rounded(from), rounded(to)],
      ...(isGrid && { steps: newSteps }),
      ...whole,
    };
  }
  const mean = roundedValue((from + to) / 2);
  const sigma = roundedValue((to - from) / 4);
  return { set, normal: { mean, sigma: sigma > 0 ? sigma : 1 }, ...whole };
}

/** Edits with which every axis fits another design: a grid needs steps and has no distributions. */
export function designEdits(vary: unknown, isGrid: boolean): FormEdit[] {
  return entries(vary).flatMap(([name, axis]): FormEdit[] => {
    const path = ['vary', name];
    const kind = axisKindOf(axis);
    const hasSteps = field(axis, 'steps') !== undefined;
    if (!isGrid) return hasSteps ? [{ path: [...path, 'steps'], op: 'remove' }] : [];
    if (kind === 'normal') return [{ path, op: 'set', value: withKind(axis, 'range', true) }];
    if (kind !== 'range' || hasSteps) return [];
    return [{ path: [...path, 'steps'], op: 'set', value: newSteps }];
  });
}

/** A name for an axis of a field that no axis or measure has: 'grassCount'. */
export function axisName({ path }: VariedField, taken: readonly string[]): string {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '' && !/^\d+$/.test(step));
  const words = steps
    .slice(-2)
    .flatMap((step) => step.split(/[^a-zA-Z0-9]+/))
    .filter((word) => word !== '' && word !== 'sensor');
  const joined = words
    .map((word, index) =>
      index === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('')
    .replace(/^[^a-zA-Z]+/, '');
  const name = joined.slice(0, 36) || 'axis';
  const isFree = (candidate: string): boolean => !taken.includes(candidate);
  if (isFree(name)) return name;
  for (let number = 2; ; number += 1) if (isFree(`${name}${number}`)) return `${name}${number}`;
}

/** The values of a list as they are typed, with commas: numbers, true and false, otherwise text. */
export function valuesOf(text: string): (number | string | boolean)[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      if (part === 'true' || part === 'false') return part === 'true';
      const number = Number(part);
      return Number.isFinite(number) ? number : part;
    });
}

/** How many values an axis has in a grid; null: as many as there are samples. */
export function valueCount(axis: unknown): number | null {
  const values = field(axis, 'values');
  if (Array.isArray(values)) return values.length;
  const steps = field(axis, 'steps');
  return typeof steps === 'number' ? steps : null;
}

/** From about half to about twice the value, within the bounds. */
function proposedRange({ value, bounds, unit }: VariedField): [number, number] {
  const { least = null, most = null, isInteger = false } = bounds ?? {};
  const present = typeof value === 'number' ? value : null;
  const isShare = least === 0 && most === 1;
  let [from, to] = [0, 1];
  if (unit === '°') [from, to] = [(present ?? 0) - 10, (present ?? 0) + 10];
  else if (!isShare && present !== null && present !== 0) {
    [from, to] = [Math.min(present / 2, present * 2), Math.max(present / 2, present * 2)];
  } else if (!isShare && present === null && least !== null) [from, to] = [least, least + 10];
  if (least !== null && from < least) from = least;
  if (most !== null && to > most) to = most;
  const ends = isInteger ? [Math.round(from), Math.round(to)] : [from, to].map(roundedValue);
  const [low = 0, high = 1] = ends;
  return low < high ? [low, high] : [low, low + 1];
}

/** The ends of the values that an axis has now. */
function spanOf(axis: unknown): [number, number] {
  const numbers = [...items(field(axis, 'values')), ...items(field(axis, 'range'))].filter(
    (value) => typeof value === 'number',
  );
  const normal = field(axis, 'normal');
  const [mean, sigma] = [field(normal, 'mean'), field(normal, 'sigma')];
  if (typeof mean === 'number' && typeof sigma === 'number') {
    numbers.push(mean - 2 * sigma, mean + 2 * sigma);
  }
  if (numbers.length === 0) return [0, 1];
  const [low, high] = extent(numbers);
  return low < high ? [low, high] : [low, low + 1];
}

/** Without the digits that binary fractions bring along. */
function roundedValue(value: number): number {
  return Number(value.toPrecision(6));
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
