// Which pulses of a sensor leave at one time, by their numbers: lasers of a firing, pixels of an image.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

export interface Firings {
  /** Number of a pulse among those that leave at its time, from 0, in the order of their numbers. */
  placeOf: (pulse: number) => number;
  /** Most pulses that leave at one time. */
  pulses: number;
  /** Shortest time from one such group to the next. */
  gapNs: number;
  /** Lasers of all banks, or rows of pixels. */
  lasers: number;
}

/** The firings of a sensor. */
export function firingsOf(recipe: SensorRecipe): Firings {
  const { scan, banks, slotPattern, slotsPerSecond } = recipe;
  const lasers = banks.reduce((sum, { rings }) => sum + rings.length, 0);
  const { pixels } = traitsOf(scan);
  if (pixels !== null) {
    const pulses = pixels.columns * pixels.rows;
    return { placeOf: (pulse) => pulse % pulses, pulses, gapNs: 1e9 / scan.rateHz, lasers };
  }
  const places: number[] = [];
  const timesNs: number[] = [];
  const slotNs = 1e9 / slotsPerSecond;
  for (const [slot, index] of slotPattern.entries()) {
    const bank = banks[index];
    const groups = new Map<number, number>();
    for (const laser of bank?.rings.keys() ?? []) {
      const laterNs = bank?.firingOffsetsNs?.[laser] ?? 0;
      const place = groups.get(laterNs) ?? 0;
      groups.set(laterNs, place + 1);
      places.push(place);
    }
    timesNs.push(...[...groups.keys()].map((laterNs) => slot * slotNs + laterNs));
  }
  return {
    placeOf: (pulse) => places[pulse % places.length] ?? 0,
    pulses: places.reduce((most, place) => Math.max(most, place + 1), 1),
    gapNs: shortestGap(timesNs, slotPattern.length * slotNs),
    lasers,
  };
}

/** Between times that repeat with a period; those that are equal do not count. */
function shortestGap(timesNs: readonly number[], periodNs: number): number {
  const sorted = timesNs.map((timeNs) => timeNs % periodNs).toSorted((a, b) => a - b);
  return sorted
    .map((timeNs, index) => (sorted[index + 1] ?? (sorted[0] ?? 0) + periodNs) - timeNs)
    .filter((gapNs) => gapNs >= 0.5)
    .reduce((least, gapNs) => Math.min(least, gapNs), periodNs);
}
