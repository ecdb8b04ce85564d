// GPS and compass of the simulated vehicle: they read the truth and add noise. Reading n is taken at
// n / rate and its noise depends on (seed, instrument, n) alone, so that intervals may be cut anywhere.
import type { Pose } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import { radians, wrapAngle } from '#domain/shared/numbers.ts';
import { normals, purposes } from '#domain/random/philox.ts';
import type { CompassReading, GpsFix } from '#domain/autonomy/signals.ts';

export interface Instruments {
  /** All readings with fromNs <= time < toNs, in order. `poseAt` gives the true pose. */
  read(
    fromNs: number,
    toNs: number,
    poseAt: (timeNs: number) => Pose,
  ): { gps: GpsFix[]; compass: CompassReading[] };
}

/** Instruments with the rates and standard deviations of the vehicle's file; noise is normal. */
export function createInstruments(options: { vehicle: Vehicle; seed: number }): Instruments {
  const { vehicle, seed } = options;
  const { sigmaM } = vehicle.gps;
  const sigmaRad = radians(vehicle.compass.sigmaDeg);
  return {
    read(fromNs, toNs, poseAt) {
      const gps = readingsBetween(vehicle.gps.rateHz, fromNs, toNs).map(({ n, timeNs }): GpsFix => {
        const [x, y, z] = poseAt(timeNs).positionM;
        const [dx, dy, dz] = normals(seed, purposes.gps, 0, n);
        return { timeNs, positionM: [x + sigmaM * dx, y + sigmaM * dy, z + sigmaM * dz] };
      });
      const compass = readingsBetween(vehicle.compass.rateHz, fromNs, toNs).map(
        ({ n, timeNs }): CompassReading => {
          const { yawRad, pitchRad, rollRad } = attitudeOf(poseAt(timeNs).rotation);
          const [dYaw, dPitch, dRoll] = normals(seed, purposes.compass, 0, n);
          return {
            timeNs,
            headingRad: wrapAngle(yawRad + sigmaRad * dYaw),
            pitchRad: pitchRad + sigmaRad * dPitch,
            rollRad: rollRad + sigmaRad * dRoll,
          };
        },
      );
      return { gps, compass };
    },
  };
}

function readingsBetween(
  rateHz: number,
  fromNs: number,
  toNs: number,
): { n: number; timeNs: number }[] {
  const timeOf = (n: number): number => Math.round((n * 1e9) / rateHz);
  const readings: { n: number; timeNs: number }[] = [];
  let n = Math.max(0, Math.floor((fromNs * rateHz) / 1e9) - 1);
  while (timeOf(n) < fromNs) n += 1;
  for (; timeOf(n) < toNs; n += 1) readings.push({ n, timeNs: timeOf(n) });
  return readings;
}
