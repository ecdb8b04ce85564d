// Banks of a sensor: groups of lasers that fire together, with their elevations, firing table and calibration.
import { z } from 'zod';
import { count, finite, slug } from './quantities.ts';

/**
 * One number for each laser of a bank: a list, or `{ repeat, times, step }`: the numbers of `repeat`, `times` times,
 * each time `step` more.
 */
const tableForms = (value: z.ZodNumber) =>
  [
    z.array(value).min(1).max(4096),
    z.strictObject({
      repeat: z.array(value).min(1).max(4096).describe('the first numbers of the table'),
      times: count.max(4096).describe('how often they are listed'),
      step: finite.default(0).describe('what each time adds to them'),
    }),
  ] as const;
const tableOf = (value: z.ZodNumber) => z.union(tableForms(value));
export type LaserTable = z.output<ReturnType<typeof tableOf>>;

const elevationRange = z.strictObject({
  fromDeg: finite.min(-90).max(90).describe('elevation of the first laser'),
  toDeg: finite.min(-90).max(90).describe('of the last; the others in equal steps between'),
  count: count.max(4096).describe('number of lasers, both ends included'),
});

/** A group of lasers that fire together. */
export const laserBankSchema = z.strictObject({
  name: slug.describe('what firingOrder calls it'),
  elevationsDeg: z
    .union([elevationRange, ...tableForms(finite.min(-90).max(90))])
    .describe(
      'elevation of each laser: a regular range, a list or a repeated list; with a mirror: of the emitters',
    ),
  azimuthOffsetsDeg: tableOf(finite.min(-180).max(180))
    .optional()
    .describe('calibration: what is added to the azimuth of each laser, counter-clockwise'),
  firingOffsetsUs: tableOf(finite.min(0).max(1e6))
    .optional()
    .describe('firing table: how long after its slot each laser fires'),
  rangeOffsetsM: tableOf(finite.min(-100).max(100))
    .optional()
    .describe('calibration: what each laser adds to its ranges, unknown to the sensor'),
  horizontalOffsetsM: tableOf(finite.min(-10).max(10))
    .optional()
    .describe('lever arms: where each laser leaves, to the left of the axis of the head'),
  verticalOffsetsM: tableOf(finite.min(-10).max(10))
    .optional()
    .describe('lever arms: upwards, across its pulse'),
});

/** The tables of a bank that hold one number for each laser, besides elevations. */
export const laserTables = [
  'azimuthOffsetsDeg',
  'firingOffsetsUs',
  'rangeOffsetsM',
  'horizontalOffsetsM',
  'verticalOffsetsM',
] as const;

/** The numbers of a table, written out. */
export function tableValues(table: LaserTable): number[] {
  if (Array.isArray(table)) return table;
  const { repeat, times, step } = table;
  return Array.from({ length: times }, (_, time) =>
    // Why rounded: 0.1 + 0.2 is no number that a data sheet prints.
    repeat.map((value) => Number((value + time * step).toPrecision(12))),
  ).flat();
}
