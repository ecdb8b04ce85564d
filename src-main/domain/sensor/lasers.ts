// The lasers of a sensor file: their elevations, and their rank over all banks.
import type { Sensor } from '#contract/documents/sensor.ts';
import { tableValues } from '#contract/documents/sensorBanks.ts';

/** In degrees: a regular range, both ends included and met exactly, or the table written out. */
export function orderedElevationsDeg(
  elevations: Sensor['banks'][number]['elevationsDeg'],
): number[] {
  if (!('count' in elevations)) return tableValues(elevations);
  const { fromDeg, toDeg, count } = elevations;
  if (count === 1) return [fromDeg];
  return Array.from(
    { length: count },
    (_, laser) => (fromDeg * (count - 1 - laser) + toDeg * laser) / (count - 1),
  );
}

/** Ranks by elevation over all banks, 0 the lowest, equal elevations in the file's order. */
export function rankedRings(banksDeg: number[][]): number[][] {
  const lasers = banksDeg.flatMap((elevations, bank) =>
    elevations.map((elevationDeg, laser) => ({ elevationDeg, bank, laser })),
  );
  lasers.sort((a, b) => a.elevationDeg - b.elevationDeg);
  const rings = banksDeg.map((elevations) => elevations.map(() => 0));
  for (const [ring, { bank, laser }] of lasers.entries()) {
    const ofBank = rings[bank];
    if (ofBank) ofBank[laser] = ring;
  }
  return rings;
}
