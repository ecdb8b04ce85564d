// Tables of returns as the points of a LAS file.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { badInput } from '#contract/errors.ts';
import { colours, type LasLayout, pointBytes, positions } from './lasColumns.ts';
import { fitsUserData, gpsTimeS, type LasTimes } from './lasTimes.ts';
import type { LasExtent } from './lasHeader.ts';
import type { WorldTable } from './worldColumns.ts';

/** Points that are written, and what is known of all so far. */
export interface LasPoints {
  layout: LasLayout;
  stepM: number;
  /** World position that the steps count from. */
  originM: OriginM;
  times: LasTimes;
  /** Where pulses without an echo are placed along their beams; null: they are left out. */
  missRangeM: number | null;
  extent: LasExtent;
  /** Largest relative intensity. */
  maxIntensity: number;
  /** Returns whose number does not fit. */
  beyondReturns: number;
}

/** Source of the rows of a call. */
export interface PointSource {
  /** Index of the sensor or leg. */
  source: number;
  /** Number of the sensor or leg, from 1; 0: there is none. */
  sourceId: number;
  /** Horizontal direction of travel at a time; null: at rest, or unknown. */
  travelAt: (timeNs: number) => readonly [x: number, y: number] | null;
}

/** Where a point has its intensity. */
const intensityAt = 12;
/** Counts of returns have four bits. */
const maxReturns = 15;
const scanAngleStepDeg = 0.006;
/** Classification flags: not to be included in processing. */
const withheld = 1 << 2;

/** The relative intensity in steps of `range`/65535; 0 for NaN. */
function intensityBytes(relative: number, range: number): number {
  return Number.isNaN(relative) ? 0 : clamp(Math.round((65535 * relative) / range), 0, 65535);
}

/** Bytes of the rows that have a place; `points` takes them in. @throws TypeError where a column is lacking */
export function packPoints(
  points: LasPoints,
  table: WorldTable,
  rows: number,
  { source, sourceId, travelAt }: PointSource,
): Uint8Array {
  const { stepM, originM, extent, missRangeM, times } = points;
  const { extras, hasColours, stride, classCodes } = points.layout;
  const axes = positions.map((name) => columnOf(table, name));
  const { time_ns, pulse, ring, intensity, class_id } = table;
  const hasLasers = ring !== undefined && fitsUserData(times);
  const angleOf = scanAngles(table, travelAt);
  const channels = hasColours ? colours.map((name) => columnOf(table, name)) : [];
  const columns = extras.map((extra) => ({ ...extra, values: columnOf(table, extra.column) }));
  const bytes = new Uint8Array(stride * rows);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const isMiss = axes.some((axis) => Number.isNaN(axis[row]));
    if (isMiss && missRangeM === null) continue;
    for (const [index, axis] of axes.entries()) {
      const positionM = isMiss ? missAt(table, index, row, missRangeM ?? 0) : Number(axis[row]);
      const offsetM = originM[index] ?? 0;
      const steps = stepsOf(positionM - offsetM, stepM);
      view.setInt32(at + 4 * index, steps, true);
      extent.min[index] = Math.min(extent.min[index] ?? 0, offsetM + steps * stepM);
      extent.max[index] = Math.max(extent.max[index] ?? 0, offsetM + steps * stepM);
    }
    const relative = intensity?.[row] ?? 0;
    if (relative > points.maxIntensity) points.maxIntensity = relative;
    view.setUint16(at + intensityAt, intensityBytes(relative, 1), true);
    // A pulse without an echo is the first of one return, withheld: the format has no return 0.
    const returnNo = isMiss ? 1 : countOf(table.return_no?.[row]);
    const returns = isMiss ? 1 : Math.max(returnNo, countOf(table.n_returns?.[row]));
    if ((table.return_no?.[row] ?? 0) > maxReturns) points.beyondReturns += 1;
    view.setUint8(at + 14, returnNo | (returns << 4));
    if (isMiss) view.setUint8(at + 15, withheld);
    const code = class_id === undefined ? 0 : (classCodes[class_id[row] ?? 0] ?? 1);
    view.setUint8(at + 16, isMiss ? 0 : code);
    if (hasLasers) view.setUint8(at + 17, ring[row] ?? 0);
    if (angleOf !== null) view.setInt16(at + 18, Math.round(angleOf(row) / scanAngleStepDeg), true);
    view.setUint16(at + 20, sourceId, true);
    const timeNs = Number(time_ns?.[row] ?? 0);
    view.setFloat64(at + 22, gpsTimeS(times, source, timeNs, pulse?.[row]), true);
    for (const [index, values] of channels.entries()) {
      // Sixteen bits, as the format demands: 255 becomes 65535.
      view.setUint16(at + pointBytes + 2 * index, 257 * Number(values[row] ?? 0), true);
    }
    for (const { offset, type, values } of columns) {
      setValue(view, at + offset, type, values[row] ?? 0);
    }
    extent.points += 1;
    extent.byReturn[returnNo - 1] = (extent.byReturn[returnNo - 1] ?? 0) + 1;
    at += stride;
  }
  return bytes.subarray(0, at);
}

/** Along the beam. @throws TypeError where the table does not say where that is */
function missAt(table: WorldTable, axis: number, row: number, rangeM: number): number {
  const letter = (['x', 'y', 'z'] as const)[axis as 0 | 1 | 2];
  const origin = columnOf(table, `beam_origin_${letter}_m`)[row] ?? NaN;
  return origin + rangeM * (columnOf(table, `beam_direction_${letter}`)[row] ?? NaN);
}

function columnOf<N extends ReturnColumnName>(table: WorldTable, name: N) {
  const values = table[name];
  if (values === undefined) throw new TypeError(`the table lacks the column ${name}`);
  return values;
}

function stepsOf(positionM: number, stepM: number): number {
  const steps = Math.round(positionM / stepM);
  if (Math.abs(steps) < 2 ** 31) return steps;
  const kilometres = (metres: number): string => `${(Math.abs(metres) / 1000).toFixed(3)} km`;
  const reach = `within ${kilometres(2 ** 31 * stepM)} of the origin of the scene on each axis`;
  const message = `expected points ${reach}, as a LAS file holds them, found one ${kilometres(positionM)} away`;
  throw badInput('out', message, {
    code: 'too-far',
    title: 'a point is too far away for a LAS file',
  });
}

/** From 1, as four bits hold it; a row that does not say is the only return. */
function countOf(value: number | undefined): number {
  return clamp(value ?? 1, 1, maxReturns);
}

/**
 * Scan angles of the rows, in degrees, as LAS 1.4 R15 defines them: the beam's rotation about the direction of travel,
 * from straight down, positive to the right. At rest there is no such direction: the angle from straight down, positive
 * to the right of the sensor's x axis. Null: the table has no beams.
 */
function scanAngles(
  table: WorldTable,
  travelAt: PointSource['travelAt'],
): ((row: number) => number) | null {
  const { time_ns, azimuth_rad, beam_direction_x, beam_direction_y, beam_direction_z } = table;
  if (beam_direction_z === undefined) return null;
  return (row) => {
    const down = 0 - (beam_direction_z[row] ?? -1); // no negative zero, which atan2 takes for above
    const travel = travelAt(Number(time_ns?.[row] ?? 0));
    if (travel === null) {
      const fromDown = Math.acos(clamp(down, -1, 1));
      return degrees(Math.sin(azimuth_rad?.[row] ?? 0) > 0 ? -fromDown : fromDown);
    }
    const [alongX, alongY] = travel;
    const right = (beam_direction_x?.[row] ?? 0) * alongY - (beam_direction_y?.[row] ?? 0) * alongX;
    return degrees(Math.atan2(right, down));
  };
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

function setValue(
  view: DataView,
  at: number,
  type: LasLayout['extras'][number]['type'],
  value: number | bigint,
): void {
  if (type === 'u64') view.setBigUint64(at, BigInt(value), true);
  else if (type === 'i64') view.setBigInt64(at, BigInt(value), true);
  else if (type === 'f64') view.setFloat64(at, Number(value), true);
  else if (type === 'f32') view.setFloat32(at, Number(value), true);
  else if (type === 'u32') view.setUint32(at, Number(value), true);
  else if (type === 'u16') view.setUint16(at, Number(value), true);
  else view.setUint8(at, Number(value));
}

/** Sets the intensities of whole points from the relative ones among their extra bytes. */
export function setIntensities(
  piece: Uint8Array,
  { stride, relativeAt }: { stride: number; relativeAt: number },
  range: number,
): void {
  const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
  for (let at = 0; at < piece.byteLength; at += stride) {
    view.setUint16(
      at + intensityAt,
      intensityBytes(view.getFloat32(at + relativeAt, true), range),
      true,
    );
  }
}
