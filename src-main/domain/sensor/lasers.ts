// The lasers of a sensor file: their elevations, and their rank over all blocks.
import type { Sensor } from '#contract/documents/sensor.ts';

/** In degrees: a regular range, both ends included and met exactly, or the list itself. */
export function orderedElevationsDeg(
  elevations: Sensor['blocks'][number]['elevationsDeg'],
): number[] {
  if (Array.isArray(elevations)) return elevations;
  const { fromDeg, toDeg, count } = elevations;
  if (count === 1) return [fromDeg];
  return Array.from(
    { length: count },
    (_, laser) => (fromDeg * (count - 1 - laser) + toDeg * laser) / (count - 1),
  );
}

/** Ranks by elevation over all blocks, 0 the lowest, equal elevations in the file's order. */
export function rankedRings(blocksDeg: number[][]): number[][] {
  const lasers = blocksDeg.flatMap((elevations, block) =>
    elevations.map((elevationDeg, laser) => ({ elevationDeg, block, laser })),
  );
  lasers.sort((a, b) => a.elevationDeg - b.elevationDeg);
  const rings = blocksDeg.map((elevations) => elevations.map(() => 0));
  for (const [ring, { block, laser }] of lasers.entries()) {
    const ofBlock = rings[block];
    if (ofBlock) ofBlock[laser] = ring;
  }
  return rings;
}
