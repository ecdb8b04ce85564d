// Beams from rows that say where each pulse began and its direction (beamColumns of contract/columns.ts): scans under
// way, and the files that were written of them.
import type { Columns } from '#contract/columns.ts';
import {
  beamLabels,
  beamStates,
  isMissRange,
  type LogReturns,
  type LogTable,
  type OptionalLogColumn,
  unknownLaser,
} from '#contract/log/log.ts';
import { beamTable } from './beamTable.ts';
import { pulseParts, type PulseRows } from './pulseParts.ts';

/** Rows by the names of returns, and of logs for what only those have (`sweep`, `state`, `label`). */
export interface BeamRows {
  columns: Columns;
  rows: number;
}

export interface BeamRowsOptions {
  /** Is taken off origins and points. */
  originM: readonly [number, number, number];
  /** Is added to times. */
  epochNs: bigint;
  /** Which return of a pulse is taken. */
  returns: LogReturns;
  /** By class_id; null: unknown. */
  isVolume: (classId: number) => boolean | null;
  optional: readonly OptionalLogColumn[];
  /** Number of the sweep that a row belongs to, asked in the order of the rows. */
  sweepOf: (laser: number, azimuthRad: number, timeNs: bigint) => number;
}

/** The beams of rows. Rows of one pulse follow each other, and are not spread over two calls (wholePulses). */
export function beamsOfRows(
  { columns, rows }: BeamRows,
  options: BeamRowsOptions,
): { table: LogTable; beams: number } {
  const of = (name: string, row: number): number => Number(columns[name]?.[row] ?? NaN);
  const pulses: PulseRows = {
    rows,
    isSamePulse: (before, after) => isSamePulse(columns, before, after),
    intensityOf: (row) => orElse(of('intensity', row), 0),
    isReturn: (row) =>
      stateOf(of, row, rangeOf(of, row, originOf(of, row))) === beamStates.returned,
    shareOf: (row) => of('beam_share', row),
  };
  const { rows: chosen, shares, isRest } = pulseParts(pulses, options.returns);
  const table = beamTable(chosen.length, options.optional);
  const [x0, y0, z0] = options.originM;
  for (const [beam, row] of chosen.entries()) {
    const origin = originOf(of, row);
    const direction = unit([
      of('beam_direction_x', row),
      of('beam_direction_y', row),
      of('beam_direction_z', row),
    ]);
    const rangeM = rangeOf(of, row, origin);
    const state = isRest(beam) ? beamStates.miss : stateOf(of, row, rangeM);
    const isReturn = state === beamStates.returned;
    const laser = orElse(of('ring', row), unknownLaser);
    const azimuthRad = of('azimuth_rad', row);
    const timeNs = timeOf(columns, row) + options.epochNs;
    const stated = of('sweep', row);
    table.time_ns[beam] = timeNs;
    table.sweep[beam] = Number.isNaN(stated) ? options.sweepOf(laser, azimuthRad, timeNs) : stated;
    table.laser[beam] = laser;
    table.state[beam] = state;
    table.range_m[beam] = isReturn ? rangeM : NaN;
    table.intensity[beam] = isReturn ? of('intensity', row) : NaN;
    table.azimuth_rad[beam] = azimuthRad;
    table.origin_x_m[beam] = origin[0] - x0;
    table.origin_y_m[beam] = origin[1] - y0;
    table.origin_z_m[beam] = origin[2] - z0;
    [table.direction_x[beam], table.direction_y[beam], table.direction_z[beam]] = direction;
    fillTruth(table, beam, of, row, isReturn, options.isVolume);
    if (table.beam_share) table.beam_share[beam] = shares?.[beam] ?? 1;
  }
  return { table, beams: chosen.length };
}

/** Rows with the last pulse held back until its end is known. */
export interface WholePulses {
  take(rows: BeamRows): BeamRows;
  /** The remaining rows. */
  finish(): BeamRows;
}

/** For rows that arrive in pieces of any length. */
export function wholePulses(): WholePulses {
  let held: BeamRows = { columns: {}, rows: 0 };
  return {
    take(next) {
      const all = held.rows === 0 ? next : joined(held, next);
      let end = all.rows - 1;
      while (end > 0 && isSamePulse(all.columns, end - 1, end)) end -= 1;
      held = part(all, Math.max(0, end), all.rows);
      return part(all, 0, Math.max(0, end));
    },
    finish() {
      const rest = held;
      held = { columns: {}, rows: 0 };
      return rest;
    },
  };
}

/** A value by its name; NaN where a row has none. */
type Of = (name: string, row: number) => number;

/** By the number of the pulse; else by the number of the return at one time. */
function isSamePulse(
  { pulse, return_no, time_ns, ring }: Columns,
  before: number,
  after: number,
): boolean {
  if (pulse !== undefined) return pulse[before] === pulse[after];
  if (return_no === undefined || time_ns?.[before] !== time_ns?.[after]) return false;
  if (ring?.[before] !== ring?.[after]) return false;
  const [first, second] = [Number(return_no[before]), Number(return_no[after])];
  return first > 0 && second > first;
}

/** Nanoseconds of a row; its time is a finite number. */
export function timeOf({ time_ns: times }: Columns, row: number): bigint {
  const time = times?.[row] ?? 0n;
  return typeof time === 'bigint' ? time : BigInt(Math.round(time));
}

export function originOf(of: Of, row: number): readonly [number, number, number] {
  return [of('beam_origin_x_m', row), of('beam_origin_y_m', row), of('beam_origin_z_m', row)];
}

/** As stated; else from the point. */
export function rangeOf(of: Of, row: number, [x, y, z]: readonly [number, number, number]): number {
  const stated = of('range_m', row);
  if (!Number.isNaN(stated)) return stated;
  return Math.hypot(of('x_m', row) - x, of('y_m', row) - y, of('z_m', row) - z);
}

/** As stated; else by the number of the return and the range. */
export function stateOf(of: Of, row: number, rangeM: number): number {
  const stated = of('state', row);
  if (!Number.isNaN(stated)) return stated;
  const isReturn = of('return_no', row) !== 0 && !isMissRange(rangeM);
  return isReturn ? beamStates.returned : beamStates.miss;
}

function unit([x, y, z]: readonly [number, number, number]): readonly [number, number, number] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function fillTruth(
  table: LogTable,
  beam: number,
  of: Of,
  row: number,
  isReturn: boolean,
  isVolume: BeamRowsOptions['isVolume'],
): void {
  const classId = isReturn ? orElse(of('class_id', row), 0) : 0;
  if (table.label) {
    const stated = of('label', row);
    const isOfVolume = isReturn && Number.isNaN(stated) ? isVolume(classId) : null;
    const label = isOfVolume === true ? beamLabels.volume : beamLabels.surface;
    table.label[beam] = orElse(stated, isOfVolume === null ? beamLabels.unknown : label);
  }
  if (table.class_id) table.class_id[beam] = classId;
  if (table.object_id) table.object_id[beam] = isReturn ? orElse(of('object_id', row), 0) : 0;
  if (table.true_range_m) table.true_range_m[beam] = isReturn ? of('true_range_m', row) : NaN;
}

function orElse(value: number, other: number): number {
  return Number.isNaN(value) ? other : value;
}

function part({ columns }: BeamRows, from: number, to: number): BeamRows {
  const entries = Object.entries(columns).map(([name, array]) => [name, array.subarray(from, to)]);
  return { columns: Object.fromEntries(entries) as Columns, rows: to - from };
}

function joined(a: BeamRows, b: BeamRows): BeamRows {
  const entries = Object.entries(b.columns).map(([name, array]) => {
    const taken = array.slice(0, 0).constructor as new (length: number) => Columns[string];
    const whole = new taken(a.rows + b.rows);
    // Why the casts: columns of one name have one type.
    (whole as Float64Array).set(a.columns[name] as Float64Array, 0);
    (whole as Float64Array).set(array as Float64Array, a.rows);
    return [name, whole];
  });
  return { columns: Object.fromEntries(entries) as Columns, rows: a.rows + b.rows };
}
