// Times of points as drivers write them: which field holds them, in which unit, and whether they count from the stamp of
// their cloud or from 1970. A request may name field and unit.
import { badInput } from '#contract/errors.ts';
import type { TimeUnit } from '#contract/documents/quantities.ts';
import { nsOfTimeUnit, type PointTimeField } from '#domain/shared/timeUnits.ts';
import type { TimeOptions } from '#services/ports/logSources.ts';

/** Fields of ROS 2 drivers, the first that a cloud has; the unit where the field has whole numbers, and where it has not. */
const knownFields = new Map<string, { whole: TimeUnit; real: TimeUnit }>([
  ['t', { whole: 'ns', real: 'ns' }],
  ['time_stamp', { whole: 'ns', real: 's' }],
  ['offset_time', { whole: 'ns', real: 'ns' }],
  ['time', { whole: 'ns', real: 's' }],
  ['time_offset', { whole: 'ns', real: 's' }],
  ['timestamp', { whole: 'ns', real: 's' }],
]);

/** Later than this, in nanoseconds, a time counts from 1970 (it is after 1973). */
const absoluteNs = 1e17;
/** A value of a field in seconds above this is in nanoseconds. */
const nanosecondsFrom = 1e14;

/** The field that holds times; null: none does. `isWhole`: by the type of each field. */
export function timeFieldOf(
  isWhole: ReadonlyMap<string, boolean>,
  { field, unit }: TimeOptions,
): PointTimeField | null {
  if (field === 'none') return null;
  const names = field === undefined ? [...knownFields.keys()] : [field];
  const name = names.find((known) => isWhole.has(known));
  if (name === undefined) return null;
  const known = knownFields.get(name) ?? { whole: 'ns' as const, real: 's' as const };
  return { name, unit: unit ?? (isWhole.get(name) === true ? known.whole : known.real) };
}

/** @throws UnderstoryError 'bad-input' where the points have no field of the name that the request has */
export function expectTimeField(
  found: PointTimeField | null,
  names: readonly string[],
  { field }: TimeOptions,
): void {
  if (found !== null || field === undefined || field === 'none') return;
  throw badInput('timeField', `expected one of ${names.join(', ')} or none, found '${field}'`);
}

/** In place: nanoseconds since `baseNs`. A field named 'timestamp' counts from 1970, others from the stamp. */
export function timesSinceBase(
  values: Float64Array,
  { name, unit }: PointTimeField,
  stampNs: number,
  baseNs: bigint,
): Float64Array {
  const base = Number(baseNs);
  for (let point = 0; point < values.length; point++) {
    const value = values[point] ?? 0;
    const ns = unit === 's' && value > nanosecondsFrom ? 1 : nsOfTimeUnit[unit];
    const isAbsolute = (name === 'timestamp' && unit === 's') || value * ns > absoluteNs;
    // Why so: seconds since 1970 have 0.2 µs of precision, which a difference in seconds keeps.
    values[point] = isAbsolute ? (value - base / ns) * ns : stampNs + value * ns;
  }
  return values;
}
