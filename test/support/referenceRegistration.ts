// Registration as native-workers/mapping does it, written apart from it: what the worker maps is compared with this.
import type { Pose } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import { rotate, type Vector3 } from '#domain/shared/pose.ts';
import type { SensorTable } from '#domain/autonomy/signals.ts';
import {
  sampleStepNs as stepNs,
  type BodyBox,
  type PoseSamples,
} from '#domain/autonomy/tickMapping.ts';

/** Points of one tick in the world; the first `count` entries of each array are valid. */
export interface PointBuffer {
  count: number;
  xM: Float64Array;
  yM: Float64Array;
  zM: Float64Array;
  rangeM: Float32Array;
}

/** As the worker gets them. */
export interface SampledPoses extends PoseSamples {
  fromNs: number;
}

const ownMarginM = 0.1;

/** Whether a point in a sensor's frame is of the vehicle's own body. */
export type SelfFilter = (xM: number, yM: number, zM: number) => boolean;

/**
 * The self filter of a mounted sensor: what lies in the box of the body, grown by `ownMarginM`, is the vehicle. Why in the
 * vehicle's frame: on a slope a mast leans out of the footprint.
 */
export function selfFilterOf({ centreM, sizeM }: BodyBox, mount: Pose): SelfFilter {
  const reachM = sizeM.map((m) => m / 2 + ownMarginM) as Vector3;
  return (xM, yM, zM) => {
    const inVehicleM = rotate(mount.rotation, [xM, yM, zM]);
    return inVehicleM.every(
      (m, axis) =>
        Math.abs(m + (mount.positionM[axis] ?? 0) - (centreM[axis] ?? 0)) < (reachM[axis] ?? 0),
    );
  };
}

/** An empty buffer; it grows as needed and is used again from tick to tick. */
export function createPointBuffer(): PointBuffer {
  return { count: 0, ...pointArrays(1 << 17) };
}

/**
 * Appends the echoes of a table (columns time_ns and x, y, z_sensor_m) to `points`. Rows without an echo
 * and returns from the vehicle itself are left out. `isOwn`: null where the vehicle states no body.
 */
export function registerReturns(
  points: PointBuffer,
  table: SensorTable,
  samples: SampledPoses,
  vehicle: Vehicle,
  isOwn: SelfFilter | null,
): void {
  const { time_ns, x_sensor_m, y_sensor_m, z_sensor_m } = table;
  const rows = time_ns.length;
  reserve(points, points.count + rows);
  const { xM, yM, zM, rangeM } = points;
  const { matrices, places } = samples;
  const sampleCount = places.length / 4;
  // Why: reading bigints one by one costs more than everything else here. The lower words suffice,
  // since a tick is far shorter than 2^32 ns.
  const words = new Uint32Array(time_ns.buffer, time_ns.byteOffset, 2 * rows);
  const fromWord = Number(BigInt.asUintN(32, BigInt(samples.fromNs)));
  const sinceNs = (row: number): number => ((words[2 * row] as number) - fromWord) >>> 0;
  const ownLengthM = vehicle.lengthM / 2 + ownMarginM;
  const ownWidthM = vehicle.widthM / 2 + ownMarginM;
  const ownSquareM2 = ownLengthM * ownLengthM + ownWidthM * ownWidthM;
  let count = points.count;
  let row = 0;
  while (row < rows) {
    // A run of rows of one sample: looking it up for each row would cost as much as the transform.
    const sample = Math.min(Math.round(sinceNs(row) / stepNs), sampleCount - 1);
    const isLast = sample === sampleCount - 1;
    const fromNs = (sample - 0.5) * stepNs;
    const toNs = isLast ? Infinity : fromNs + stepNs;
    const m = 12 * sample;
    const xx = matrices[m] as number;
    const xy = matrices[m + 1] as number;
    const xz = matrices[m + 2] as number;
    const x0 = matrices[m + 3] as number;
    const yx = matrices[m + 4] as number;
    const yy = matrices[m + 5] as number;
    const yz = matrices[m + 6] as number;
    const y0 = matrices[m + 7] as number;
    const zx = matrices[m + 8] as number;
    const zy = matrices[m + 9] as number;
    const zz = matrices[m + 10] as number;
    const z0 = matrices[m + 11] as number;
    const vehicleX = places[4 * sample] as number;
    const vehicleY = places[4 * sample + 1] as number;
    const cos = places[4 * sample + 2] as number;
    const sin = places[4 * sample + 3] as number;
    do {
      const sx = x_sensor_m[row] as number;
      const sy = y_sensor_m[row] as number;
      const sz = z_sensor_m[row] as number;
      row += 1;
      const squareM2 = sx * sx + sy * sy + sz * sz;
      if (!(squareM2 > 0)) continue; // NaN: no echo
      if (isOwn?.(sx, sy, sz) === true) continue;
      const x = xx * sx + xy * sy + xz * sz + x0;
      const y = yx * sx + yy * sy + yz * sz + y0;
      const dx = x - vehicleX;
      const dy = y - vehicleY;
      if (
        dx * dx + dy * dy < ownSquareM2 &&
        Math.abs(cos * dx + sin * dy) < ownLengthM &&
        Math.abs(cos * dy - sin * dx) < ownWidthM
      ) {
        continue;
      }
      xM[count] = x;
      yM[count] = y;
      zM[count] = zx * sx + zy * sy + zz * sz + z0;
      rangeM[count] = Math.sqrt(squareM2);
      count += 1;
    } while (row < rows && sinceNs(row) >= fromNs && sinceNs(row) < toNs);
  }
  points.count = count;
}

function pointArrays(capacity: number): Omit<PointBuffer, 'count'> {
  return {
    xM: new Float64Array(capacity),
    yM: new Float64Array(capacity),
    zM: new Float64Array(capacity),
    rangeM: new Float32Array(capacity),
  };
}

function reserve(points: PointBuffer, needed: number): void {
  if (needed <= points.xM.length) return;
  const grown = pointArrays(Math.max(needed, 2 * points.xM.length));
  for (const name of ['xM', 'yM', 'zM', 'rangeM'] as const) grown[name].set(points[name]);
  Object.assign(points, grown);
}
