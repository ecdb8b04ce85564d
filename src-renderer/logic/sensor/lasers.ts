// The lasers of a sensor from the side: where each beam goes above flat ground, and where it meets it.
import type { SensorDescriptionColumns } from '#contract/worker/sensorDescription.ts';
import { degrees } from '#domain/shared/numbers.ts';

export interface LaserBeam {
  ring: number;
  elevationDeg: number;
  /** Where the beam ends: on the ground, at the sensor's greatest range or at the edge of the drawing. */
  endM: { ahead: number; up: number };
  /** Ahead of the sensor, on flat ground; null where it is not met within the range. */
  groundM: number | null;
}

/** From a sensor `heightM` above flat ground, drawn to `reachM` ahead. At most `most` beams, evenly taken. */
export function laserBeams(
  {
    laser_ring: rings,
    laser_elevation_rad: elevations,
  }: Pick<SensorDescriptionColumns, 'laser_ring' | 'laser_elevation_rad'>,
  {
    heightM,
    reachM,
    maxRangeM,
    most,
  }: { heightM: number; reachM: number; maxRangeM: number; most: number },
): LaserBeam[] {
  const stride = Math.ceil(rings.length / most);
  const beams: LaserBeam[] = [];
  for (let laser = 0; laser < rings.length; laser += stride) {
    const elevation = elevations[laser] ?? 0;
    const toGroundM = elevation < 0 ? heightM / Math.sin(-elevation) : Infinity;
    const lengthM = Math.min(toGroundM, maxRangeM, reachM / Math.max(Math.cos(elevation), 1e-6));
    beams.push({
      ring: rings[laser] ?? laser,
      elevationDeg: degrees(elevation),
      endM: { ahead: lengthM * Math.cos(elevation), up: lengthM * Math.sin(elevation) },
      groundM: toGroundM <= maxRangeM ? toGroundM * Math.cos(elevation) : null,
    });
  }
  return beams;
}
