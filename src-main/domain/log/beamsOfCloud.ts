// Beams from a cloud of another program: each point with the pose of its own time.
import type { Pose } from '#contract/host/run.ts';
import {
  beamLabels,
  beamStates,
  isLogRange,
  type LogTable,
  unknownLaser,
} from '#contract/log/log.ts';
import { aFromB, rotate } from '#domain/shared/pose.ts';
import { expectedOf, isLogTime, timeLimits } from './beamLimits.ts';
import { beamTable } from './beamTable.ts';

/** The points of one message, frame or file, in its order. Times are nanoseconds since the source's `baseNs`. */
export interface CloudToLog {
  /** Number in the source, from 0. */
  sweep: number;
  stampNs: number;
  points: number;
  /**
   * In the frame at the point's own time; NaN, or zeros, where there was no return. With isWorld: in the world, relative
   * to the source's `originM`.
   */
  xM: Float64Array;
  yM: Float64Array;
  zM: Float64Array;
  intensity: Float32Array | null;
  /** As the source counts them; NaN: not known. */
  laser: Float64Array | Uint16Array | null;
  /** Null: the source has none. */
  timeNs: Float64Array | null;
  /** Index in the source's classes; null: the source has none. */
  classId: Float64Array | Uint16Array | null;
  /** True: each point is a pulse, and one without coordinates is a pulse without a return. */
  isOrganised: boolean;
}

export interface CloudOptions {
  /** Zero of the times of the cloud. */
  baseNs: bigint;
  isWorld: boolean;
  /** All points are seen from the pose at the stamp. */
  isCompensated: boolean;
  /** worldFromSensor; null: not known then. */
  poseAt: (timeNs: number) => Pose | null;
  hasClasses: boolean;
  isVolume: (classId: number) => boolean | null;
  /** As createOriginLimit, for all clouds of a source. */
  originLimit: (positionM: Pose['positionM']) => string | null;
}

/** The beams of a cloud, and what was left out of it. */
export interface CloudBeams {
  table: LogTable;
  beams: number;
  /** Points without coordinates or time in a cloud that is no grid, and those beyond any range of a log. */
  notANumber: number;
  /** Points at times without a pose. */
  withoutPose: number;
  /** Cells of a grid without a return. */
  missing: MissingBeam[];
  /** The first point with a value that no log holds; the beams end before it. Null: there is none. */
  fault: { point: number; message: string } | null;
}

/** A pulse of a grid that had no return: its direction follows from its neighbours. */
export interface MissingBeam {
  laser: number;
  timeNs: number;
}

/** The returns of a cloud. */
export function beamsOfCloud(cloud: CloudToLog, options: CloudOptions): CloudBeams {
  const { points } = cloud;
  const table = beamTable(points, options.hasClasses ? ['label', 'class_id'] : []);
  const missing: MissingBeam[] = [];
  let [beams, notANumber, withoutPose] = [0, 0, 0];
  let knownNs = NaN;
  let pose: Pose | null = null;
  let fault: CloudBeams['fault'] = null;
  for (let point = 0; point < points; point++) {
    const [x, y, z] = [cloud.xM[point] ?? NaN, cloud.yM[point] ?? NaN, cloud.zM[point] ?? NaN];
    const timeNs = cloud.timeNs?.[point] ?? cloud.stampNs;
    const isPlace = Number.isFinite(x + y + z) && (x !== 0 || y !== 0 || z !== 0);
    if (!isPlace || Number.isNaN(timeNs)) {
      const laser = cloud.laser?.[point];
      if (!cloud.isOrganised) notANumber += 1;
      else if (laser !== undefined && isTime(options, timeNs)) missing.push({ laser, timeNs });
      continue;
    }
    const intensity = cloud.intensity?.[point] ?? NaN;
    const poseNs = options.isCompensated ? cloud.stampNs : timeNs;
    const isNewPose = poseNs !== knownNs;
    if (isNewPose) pose = options.poseAt(poseNs);
    knownNs = poseNs;
    const tooFar = pose !== null && isNewPose ? options.originLimit(pose.positionM) : null;
    const laser = cloud.laser?.[point] ?? unknownLaser;
    const classId = cloud.classId?.[point] ?? 0;
    const message = valueFault(options, timeNs, { intensity, laser, class_id: classId }) ?? tooFar;
    if (message !== null) {
      fault = { point, message };
      break;
    }
    if (pose === null) {
      withoutPose += 1;
      continue;
    }
    const [px, py, pz] = pose.positionM;
    const offset: [number, number, number] = options.isWorld
      ? [x - px, y - py, z - pz]
      : rotate(pose.rotation, [x, y, z]);
    const inSensor = options.isWorld ? inFrame(pose, [x, y, z]) : ([x, y, z] as const);
    const rangeM = Math.hypot(...offset);
    if (!isLogRange(rangeM)) {
      notANumber += 1;
      continue;
    }
    const beam = beams++;
    table.time_ns[beam] = options.baseNs + BigInt(Math.round(timeNs));
    table.sweep[beam] = cloud.sweep;
    table.laser[beam] = laser;
    table.state[beam] = beamStates.returned;
    table.range_m[beam] = rangeM;
    table.intensity[beam] = intensity;
    table.azimuth_rad[beam] = Math.atan2(inSensor[1], inSensor[0]);
    [table.origin_x_m[beam], table.origin_y_m[beam], table.origin_z_m[beam]] = pose.positionM;
    table.direction_x[beam] = offset[0] / rangeM;
    table.direction_y[beam] = offset[1] / rangeM;
    table.direction_z[beam] = offset[2] / rangeM;
    if (table.class_id) table.class_id[beam] = classId;
    if (table.label) table.label[beam] = labelOf(options.isVolume(classId));
  }
  return { table, beams, notANumber, withoutPose, missing, fault };
}

/** Expectation of values that no log holds, and the value; null: it holds them. */
function valueFault(
  options: CloudOptions,
  timeNs: number,
  values: Readonly<Record<'intensity' | 'laser' | 'class_id', number>>,
): string | null {
  if (!isTime(options, timeNs)) {
    return `expected ${timeLimits.ns} as its time, found ${Number(options.baseNs) + timeNs}`;
  }
  for (const column of ['intensity', 'laser', 'class_id'] as const) {
    const expected = expectedOf(column, values[column]);
    if (expected !== null) return `expected ${expected} as its ${column}, found ${values[column]}`;
  }
  return null;
}

/** Whether a log holds a time since the base. */
function isTime({ baseNs }: Pick<CloudOptions, 'baseNs'>, timeNs: number): boolean {
  return Number.isFinite(timeNs) && isLogTime(baseNs + BigInt(Math.round(timeNs)));
}

function labelOf(isVolume: boolean | null): number {
  if (isVolume === null) return beamLabels.unknown;
  return isVolume ? beamLabels.volume : beamLabels.surface;
}

function inFrame(pose: Pose, positionM: Pose['positionM']): Pose['positionM'] {
  return aFromB(pose, { positionM, rotation: [0, 0, 0, 1] }).positionM;
}
