// Slots and pulses by time, as the worker counts them (core/sensor/pulses.h): from slot 0, slot by slot.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

/** The fields of a sensor that its numbers follow from. */
export type PulseTiming = Pick<
  SensorRecipe,
  'scan' | 'slotsPerSecond' | 'slotPattern' | 'banks' | 'clock'
>;

/** The number of the first pulse that fires at or after a simulated time. */
export function firstPulseFrom(recipe: PulseTiming, timeNs: number): bigint {
  return BigInt(firstPulseOfSlot(recipe, firstSlotFrom(recipe, timeNs)));
}

/** The number of the first pulse of a slot. */
export function firstPulseOfSlot({ slotPattern, banks }: PulseTiming, slot: number): number {
  const sizes = slotPattern.map((bank) => banks[bank]?.rings.length ?? 0);
  const before = sizes.slice(0, slot % sizes.length).reduce((sum, size) => sum + size, 0);
  const round = sizes.reduce((sum, size) => sum + size, 0);
  return Math.floor(slot / sizes.length) * round + before;
}

/** Slots of one scan; null: scans need not hold a whole number of them. */
export function slotsPerScan({ scan }: Pick<PulseTiming, 'scan'>): number | null {
  const { steps, pixels } = traitsOf(scan);
  return steps?.count ?? pixels?.columns ?? null;
}

function firstSlotFrom(recipe: PulseTiming, timeNs: number): number {
  const { scan, slotsPerSecond, clock } = recipe;
  // All columns of an image fire with its first.
  const together = traitsOf(scan).pixels?.columns ?? 1;
  const guess = ((timeNs - (clock?.phaseNs ?? 0)) * 1e-9 * slotsPerSecond) / together;
  // Slots of an active share are no later than the guess.
  let firing = Math.max(0, Math.floor(guess) - 1);
  while (slotTimeNs(recipe, firing * together) < timeNs) firing += 1;
  return firing * together;
}

/** When a slot fires. */
export function slotTimeNs(recipe: PulseTiming, slot: number): number {
  const { scan, slotsPerSecond, clock } = recipe;
  const phaseNs = clock?.phaseNs ?? 0;
  const [share, count] = [traitsOf(scan).activeShare, slotsPerScan(recipe)];
  if (share === 1 || count === null) return phaseNs + Math.round((slot / slotsPerSecond) * 1e9);
  const scans = Math.floor(slot / count) + (share * (slot % count)) / count;
  return phaseNs + Math.round((scans / scan.rateHz) * 1e9);
}
