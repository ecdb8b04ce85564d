// Parts of a log: an azimuth sector, a span of ranges, and what is not the vehicle itself. A beam that ended behind the
// span has passed it, and remains as a pass.
import type { Pose } from '#contract/host/run.ts';
import { beamStates, type LogCuts, type LogHead, type LogTable } from '#contract/log/log.ts';
import { radians } from '#domain/shared/numbers.ts';
import { inverseOf, rotate } from '#domain/shared/pose.ts';
import { selectBeams } from './beamTable.ts';

/**
 * The beams that remain: those with an azimuth in the sector (unknown ones do not), those with a range in the span or
 * without a return, those that do not end in the box. Beams that ended behind the span remain without a return: they
 * passed it. Those that ended before it say nothing of it.
 * @param poseAt worldFromVehicle for the box
 * @param isWanted by time; null: all are
 */
export function cutBeams(
  table: LogTable,
  beams: number,
  { azimuthDeg, rangeM, bodyM }: LogCuts,
  poseAt: (timeNs: bigint) => Pose | null,
  isWanted: ((timeNs: bigint) => boolean) | null = null,
): { table: LogTable; beams: number } {
  const isWhole = azimuthDeg === null && rangeM === null && bodyM === null && isWanted === null;
  if (isWhole) return { table, beams };
  const inSector = azimuthDeg === null ? () => true : sectorOf(azimuthDeg);
  const rows = new Uint32Array(beams);
  let count = 0;
  const shortened: number[] = [];
  for (let row = 0; row < beams; row++) {
    const isReturn = table.state[row] === beamStates.returned;
    const range = table.range_m[row] ?? NaN;
    if (isWanted?.(table.time_ns[row] ?? 0n) === false) continue;
    if (!inSector(table.azimuth_rad[row] ?? NaN)) continue;
    if (isReturn && rangeM !== null && !(range >= rangeM[0])) continue;
    if (isReturn && bodyM !== null && isInBody(table, row, bodyM, poseAt)) continue;
    if (isReturn && rangeM !== null && range > rangeM[1]) shortened.push(count);
    rows[count++] = row;
  }
  if (count === beams && shortened.length === 0) return { table, beams };
  const kept = selectBeams(table, rows.subarray(0, count));
  for (const row of shortened) loseReturn(kept, row);
  return { table: kept, beams: count };
}

/** The head of a log of what a cut leaves: its sensor sees as far as the span of ranges does. */
export function headWithCuts(head: LogHead): LogHead {
  const { rangeM } = head.cuts;
  if (rangeM === null) return head;
  const { minM, maxM } = head.sensor;
  const [fromM, toM] = rangeM;
  const sensor = {
    ...head.sensor,
    minM: Math.max(minM ?? 0, fromM),
    maxM: Math.min(maxM ?? Infinity, toM),
  };
  return { ...head, sensor };
}

function loseReturn(table: LogTable, row: number): void {
  table.state[row] = beamStates.miss;
  table.range_m[row] = NaN;
  table.intensity[row] = NaN;
  if (table.label) table.label[row] = 0;
  if (table.class_id) table.class_id[row] = 0;
  if (table.object_id) table.object_id[row] = 0;
  if (table.true_range_m) table.true_range_m[row] = NaN;
}

/** From the first azimuth counter-clockwise to the second; a turn or more holds all. */
function sectorOf([fromDeg, toDeg]: readonly [number, number]): (azimuthRad: number) => boolean {
  if (toDeg - fromDeg >= 360) return () => true;
  const from = radians(fromDeg);
  const span = turned(radians(toDeg) - from);
  return (azimuth) => turned(azimuth - from) <= span;
}

/** In [0, 2π). */
function turned(angle: number): number {
  return angle - 2 * Math.PI * Math.floor(angle / (2 * Math.PI));
}

function isInBody(
  table: LogTable,
  row: number,
  [low, high]: NonNullable<LogCuts['bodyM']>,
  poseAt: (timeNs: bigint) => Pose | null,
): boolean {
  const pose = poseAt(table.time_ns[row] ?? 0n);
  if (pose === null) return false;
  const rangeM = table.range_m[row] ?? NaN;
  const [px, py, pz] = pose.positionM;
  const end = rotate(inverseOf(pose.rotation), [
    (table.origin_x_m[row] ?? 0) + rangeM * (table.direction_x[row] ?? 0) - px,
    (table.origin_y_m[row] ?? 0) + rangeM * (table.direction_y[row] ?? 0) - py,
    (table.origin_z_m[row] ?? 0) + rangeM * (table.direction_z[row] ?? 0) - pz,
  ]);
  return end.every((m, axis) => m >= (low[axis] ?? 0) && m <= (high[axis] ?? 0));
}
