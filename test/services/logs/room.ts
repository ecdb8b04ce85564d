// A room as a sensor sees it, in closed form: a floor, four walls, no ceiling; a vehicle that drives and turns. What
// foreign recordings are made of, and what their logs are compared with.
import type { Pose } from '#contract/host/run.ts';
import { compose, quaternionOf, rotate } from '#domain/shared/pose.ts';

/** One pulse of the sensor. */
export interface TrueBeam {
  /** Since the first cloud. */
  timeNs: number;
  sweep: number;
  /** From the lowest. */
  laser: number;
  column: number;
  azimuthRad: number;
  elevationRad: number;
  origin: [number, number, number];
  direction: [number, number, number];
  /** Infinity: nothing was met. */
  rangeM: number;
}

export const lasers = 16;
export const columns = 128;
export const sweepNs = 100_000_000;
const columnNs = sweepNs / columns;
/** From the lowest. */
const elevationsRad = Array.from({ length: lasers }, (_, laser) => -0.35 + 0.04 * laser);
const wallHeightM = 4;

/** worldFromVehicle. */
export function vehicleAt(timeNs: number): Pose {
  const timeS = timeNs / 1e9;
  return {
    positionM: [-3 + 2 * timeS, 1 + 0.4 * timeS, 0],
    rotation: quaternionOf({ yawRad: 0.3 + 0.4 * timeS, pitchRad: 0, rollRad: 0 }),
  };
}

/** vehicleFromSensor. */
export const mount: Pose = {
  positionM: [0.6, 0.1, 1.7],
  rotation: quaternionOf({ yawRad: Math.PI / 2, pitchRad: 0.02, rollRad: 0 }),
};

/** All pulses of so many sweeps, in the order of time. @param poseAt worldFromSensor; left out: as the vehicle drives */
export function beamsOfRoom(
  sweeps: number,
  poseAt: (timeNs: number) => Pose = (timeNs) => compose(vehicleAt(timeNs), mount),
): TrueBeam[] {
  const beams: TrueBeam[] = [];
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let column = 0; column < columns; column++) {
      const timeNs = sweep * sweepNs + Math.round(column * columnNs);
      const pose = poseAt(timeNs);
      for (let laser = 0; laser < lasers; laser++) {
        const azimuthRad = (2 * Math.PI * column) / columns - Math.PI + 0.01;
        const elevationRad = elevationsRad[laser] ?? 0;
        const level = Math.cos(elevationRad);
        const direction = rotate(pose.rotation, [
          level * Math.cos(azimuthRad),
          level * Math.sin(azimuthRad),
          Math.sin(elevationRad),
        ]);
        const origin = pose.positionM;
        const rangeM = rangeInRoom(origin, direction);
        beams.push({
          timeNs,
          sweep,
          laser,
          column,
          azimuthRad,
          elevationRad,
          origin,
          direction,
          rangeM,
        });
      }
    }
  }
  return beams;
}

/** The place of a return in the sensor's frame. */
export function inSensor({ azimuthRad, elevationRad, rangeM }: TrueBeam): [number, number, number] {
  const level = rangeM * Math.cos(elevationRad);
  return [
    level * Math.cos(azimuthRad),
    level * Math.sin(azimuthRad),
    rangeM * Math.sin(elevationRad),
  ];
}

/** Range of a ray in the room; Infinity: nothing was met. */
export function rangeInRoom(
  [x, y, z]: readonly [number, number, number],
  [dx, dy, dz]: readonly [number, number, number],
): number {
  const candidates = [
    dz < 0 ? -z / dz : Infinity,
    (Math.sign(dx) * 12 - x) / dx,
    (Math.sign(dy) * 9 - y) / dy,
  ];
  const rangeM = Math.min(...candidates.filter((range) => range > 0));
  return z + rangeM * dz > wallHeightM ? Infinity : rangeM;
}
