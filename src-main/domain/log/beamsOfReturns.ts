// Beams from the returns of a simulated sensor: one row for each pulse, with the pose of its own time and ground truth.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import {
  beamLabels,
  beamStates,
  type LogReturns,
  type LogTable,
  type OptionalLogColumn,
} from '#contract/log/log.ts';
import { rotate } from '#domain/shared/pose.ts';
import { beamTable } from './beamTable.ts';
import { pulseParts, type PulseRows } from './pulseParts.ts';

/** Columns from which beams are made. */
export const loggedColumns = [
  ...(['time_ns', 'pulse', 'ring', 'azimuth_rad', 'elevation_rad', 'return_no'] as const),
  ...(['range_m', 'intensity', 'x_m', 'y_m', 'z_m'] as const),
  ...(['object_id', 'class_id', 'true_range_m', 'beam_share'] as const),
] as const satisfies readonly ReturnColumnName[];

/** Ground truth in a log of ours. */
export const loggedTruth = [
  'label',
  'class_id',
  'object_id',
  'true_range_m',
] as const satisfies readonly OptionalLogColumn[];

/** Columns of such a log that others may lack. */
export function loggedOptional(returns: LogReturns): readonly OptionalLogColumn[] {
  return returns === 'all' ? [...loggedTruth, 'beam_share'] : loggedTruth;
}

/** A laser that is nearer to the sensor's origin than this is at it: points are single precision. */
const sameOriginM = 1e-3;

export interface ReturnsToLog {
  table: ReturnTable;
  rows: number;
  /** Number of the sweep of the scan. */
  sweep: number;
  /** worldFromSensor at a time in nanoseconds. */
  poseAt: (timeNs: number) => Pose;
  /** Which return of a pulse is taken. */
  returns: LogReturns;
  /** By class_id. */
  isVolume: (classId: number) => boolean;
}

/**
 * The beams of a scan. Rows of one pulse follow each other.
 * @throws TypeError where the table lacks a column of loggedColumns
 */
export function beamsOfReturns(scan: ReturnsToLog): { table: LogTable; beams: number } {
  const source = expectColumns(scan.table);
  const { rows, shares, isRest } = pulseParts(pulsesOf(source, scan.rows), scan.returns);
  const beams = rows.length;
  const table = beamTable(beams, loggedOptional(scan.returns));
  const points = [source.x_m, source.y_m, source.z_m] as const;
  let knownNs: bigint | null = null;
  let pose: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };
  for (let beam = 0; beam < beams; beam++) {
    const row = rows[beam] ?? 0;
    const timeNs = source.time_ns[row] ?? 0n;
    if (timeNs !== knownNs) pose = scan.poseAt(Number(timeNs));
    knownNs = timeNs;
    const azimuth = source.azimuth_rad[row] ?? 0;
    const elevation = source.elevation_rad[row] ?? 0;
    const level = Math.cos(elevation);
    const direction = rotate(pose.rotation, [
      level * Math.cos(azimuth),
      level * Math.sin(azimuth),
      Math.sin(elevation),
    ]);
    const hasPoint = (source.return_no[row] ?? 0) > 0;
    const isReturn = hasPoint && !isRest(beam);
    const rangeM = source.range_m[row] ?? NaN;
    const origin = hasPoint ? laserOrigin(pose, points, row, rangeM, direction) : pose.positionM;
    table.time_ns[beam] = timeNs;
    table.sweep[beam] = scan.sweep;
    table.laser[beam] = source.ring[row] ?? 0;
    table.state[beam] = isReturn ? beamStates.returned : beamStates.miss;
    table.range_m[beam] = isReturn ? rangeM : NaN;
    table.intensity[beam] = isReturn ? (source.intensity[row] ?? NaN) : NaN;
    table.azimuth_rad[beam] = azimuth;
    [table.origin_x_m[beam], table.origin_y_m[beam], table.origin_z_m[beam]] = origin;
    [table.direction_x[beam], table.direction_y[beam], table.direction_z[beam]] = direction;
    fillTruth(table, beam, source, row, isReturn, scan.isVolume);
    if (table.beam_share) table.beam_share[beam] = shares?.[beam] ?? 1;
  }
  return { table, beams };
}

type Source = Required<Pick<ReturnTable, (typeof loggedColumns)[number]>>;

function expectColumns(table: ReturnTable): Source {
  const missing = loggedColumns.filter((name) => table[name] === undefined);
  if (missing.length > 0) throw new TypeError(`the returns lack ${missing.join(', ')}`);
  // Why the cast: every name was just looked at.
  return table as Source;
}

function pulsesOf({ pulse, intensity, return_no, beam_share }: Source, rows: number): PulseRows {
  return {
    rows,
    isSamePulse: (before, after) => pulse[before] === pulse[after],
    intensityOf: (row) => intensity[row] ?? 0,
    isReturn: (row) => (return_no[row] ?? 0) > 0,
    shareOf: (row) => beam_share[row] ?? NaN,
  };
}

/** The range before the point, so that it is the laser's own place; the sensor's where they are the same. */
function laserOrigin(
  { positionM }: Pose,
  points: readonly [Float32Array, Float32Array, Float32Array],
  row: number,
  rangeM: number,
  direction: readonly [number, number, number],
): readonly [number, number, number] {
  const [x, y, z] = [0, 1, 2].map(
    (axis) => (points[axis as 0]?.[row] ?? NaN) - rangeM * direction[axis as 0],
  ) as [number, number, number];
  const offsetM = Math.hypot(x - positionM[0], y - positionM[1], z - positionM[2]);
  return offsetM > sameOriginM ? [x, y, z] : positionM;
}

function fillTruth(
  table: LogTable,
  beam: number,
  source: Source,
  row: number,
  isReturn: boolean,
  isVolume: ReturnsToLog['isVolume'],
): void {
  const classId = source.class_id[row] ?? 0;
  const label = isVolume(classId) ? beamLabels.volume : beamLabels.surface;
  if (table.label) table.label[beam] = isReturn ? label : beamLabels.unknown;
  if (table.class_id) table.class_id[beam] = isReturn ? classId : 0;
  if (table.object_id) table.object_id[beam] = isReturn ? (source.object_id[row] ?? 0) : 0;
  if (table.true_range_m) {
    table.true_range_m[beam] = isReturn ? (source.true_range_m[row] ?? NaN) : NaN;
  }
}
