// Numbers of pulses by time, as the worker counts them (core/sensor/pulses.h): from slot 0, slot by slot.
import { traitsOf } from '#contract/documents/sensorScan.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

/** The number of the first pulse that fires at or after a simulated time. */
export function firstPulseFrom(
  recipe: Pick<SensorRecipe, 'scan' | 'slotsPerSecond' | 'slotPattern' | 'banks' | 'clock'>,
  timeNs: number,
): bigint {
  const { slotPattern, banks } = recipe;
  const slot = firstSlotFrom(recipe, timeNs);
  const sizes = slotPattern.map((bank) => banks[bank]?.rings.length ?? 0);
  const before = sizes.slice(0, slot % sizes.length).reduce((sum, size) => sum + size, 0);
  const round = sizes.reduce((sum, size) => sum + size, 0);
  return BigInt(Math.floor(slot / sizes.length)) * BigInt(round) + BigInt(before);
}

function firstSlotFrom(
  { scan, slotsPerSecond, clock }: Pick<SensorRecipe, 'scan' | 'slotsPerSecond' | 'clock'>,
  timeNs: number,
): number {
  // All columns of an image fire with its first.
  const together = traitsOf(scan).pixels?.columns ?? 1;
  const timeOf = (firing: number): number =>
    (clock?.phaseNs ?? 0) + Math.round(((firing * together) / slotsPerSecond) * 1e9);
  const guess = ((timeNs - (clock?.phaseNs ?? 0)) * 1e-9 * slotsPerSecond) / together;
  let firing = Math.max(0, Math.floor(guess) - 1);
  while (timeOf(firing) < timeNs) firing += 1;
  return firing * together;
}
