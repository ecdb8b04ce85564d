// The mapping of a tick as the worker needs it: how the vehicle moves, and the plane under its wheels, by its own estimates.
// Every pulse is registered by the pose of its own time (native-workers/mapping).
import type { Pose } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import type { BodyFilter, TickMap, WheelPlane } from '#contract/worker/tickMap.ts';
import { compose, rotate, type Vector3 } from '#domain/shared/pose.ts';
import type { Estimate } from './estimator.ts';

/** worldFromSensor and the vehicle's place, sampled over an interval in equal steps. */
export interface PoseSamples {
  /** 12 numbers a sample: the rows of the 3 × 4 matrix worldFromSensor. */
  matrices: Float64Array;
  /** 4 numbers a sample: x, y, cos and sin of the heading of the vehicle. */
  places: Float64Array;
}

/** The mapping of a tick, without what the order of its scans and ticks adds. */
export interface TickMapping {
  map: Omit<TickMap, 'tick' | 'afterTick' | 'scan' | 'isLastScan' | 'body'>;
  /** By sensor. */
  sensors: { samples: PoseSamples; body: BodyFilter | null }[];
}

/** Within half a step the vehicle turns by less than 0.03° at 60° per second. */
export const sampleStepNs = 1_000_000;
/** Returns from within the footprint, or the box of the body, grown by this margin belong to the vehicle itself. */
const ownMarginM = 0.1;

/** A box along the axes of the vehicle. */
export interface BodyBox {
  centreM: Vector3;
  sizeM: Vector3;
}

/** The self filter of a mounted sensor: what lies in the box of the body, grown by `ownMarginM`, is the vehicle. */
export function bodyFilterOf({ centreM, sizeM }: BodyBox, mount: Pose): BodyFilter {
  return {
    centreM,
    reachM: sizeM.map((m) => m / 2 + ownMarginM) as Vector3,
    mountPositionM: mount.positionM,
    mountRotation: mount.rotation,
  };
}

/** Half length and half width of the footprint whose returns are left out. */
export function ownFootprint({ lengthM, widthM }: Vehicle): {
  ownLengthM: number;
  ownWidthM: number;
} {
  return { ownLengthM: lengthM / 2 + ownMarginM, ownWidthM: widthM / 2 + ownMarginM };
}

/** The plane on which the wheels stand, by the estimated attitude (REP-103 angles). */
export function wheelPlaneOf(estimate: Estimate): WheelPlane {
  const { xM, yM, zM, yawRad, pitchRad, rollRad } = estimate;
  const along = -Math.tan(pitchRad);
  const left = Math.tan(rollRad) / Math.cos(pitchRad);
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return { xM, yM, zM, slopeX: cos * along - sin * left, slopeY: sin * along + cos * left };
}

/** Samples the pose of a sensor over [fromNs, toNs]. */
export function samplePoses(
  fromNs: number,
  toNs: number,
  poseAt: (timeNs: number) => Pose,
  mount: Pose,
): PoseSamples {
  const count = Math.max(1, Math.ceil((toNs - fromNs) / sampleStepNs)) + 1;
  const matrices = new Float64Array(12 * count);
  const places = new Float64Array(4 * count);
  for (let sample = 0; sample < count; sample += 1) {
    const vehicle = poseAt(Math.min(toNs, fromNs + sample * sampleStepNs));
    const sensor = compose(vehicle, mount);
    const columns = [
      rotate(sensor.rotation, [1, 0, 0]),
      rotate(sensor.rotation, [0, 1, 0]),
      rotate(sensor.rotation, [0, 0, 1]),
      sensor.positionM,
    ];
    for (const [column, [x, y, z]] of columns.entries()) {
      matrices[12 * sample + column] = x;
      matrices[12 * sample + 4 + column] = y;
      matrices[12 * sample + 8 + column] = z;
    }
    const ahead = rotate(vehicle.rotation, [1, 0, 0]);
    const level = Math.hypot(ahead[0], ahead[1]) || 1;
    places.set(
      [vehicle.positionM[0], vehicle.positionM[1], ahead[0] / level, ahead[1] / level],
      4 * sample,
    );
  }
  return { matrices, places };
}
