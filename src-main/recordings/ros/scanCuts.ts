// Where the returns of a sensor are cut into messages: as its driver does, one a revolution, sweep or image, whatever the
// ticks of a run are. Everything is a function of the absolute numbers of pulses.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import { recordingFormat } from '#contract/host/recordingHead.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { firstPulseOfSlot, slotsPerScan } from './pulseNumbers.ts';
import type { SensorTopics } from './topics.ts';

/** The scans of a sensor by number, from 0 at the phase of its clock. */
export interface ScanCuts {
  /** The number of the scan under way at a time. */
  scanAt(timeNs: number): number;
  /** When it begins, and the one before ends. */
  startNs(scan: number): number;
  /** Number of its first pulse. */
  firstPulse(scan: number): number;
  /** Number of its first slot. */
  firstSlot(scan: number): number;
}

/** A message of a scan counts time in 32 bits of nanoseconds; a scanner on a tripod publishes none. */
const maxScanNs = 4e9;

/** The first format of recordings whose messages are cut so. */
const firstCutFormat = 5;

/**
 * The sensors of a recording, and whether their messages are cut at their own scans.
 * @param format of the recording; left out: that which is written
 */
export function sensorTopicsOf(
  { scenario, sensors }: Pick<CompiledScenario, 'scenario' | 'sensors'>,
  format = recordingFormat,
): SensorTopics[] {
  const tickNs = scenario.navigation.tickMs * 1e6;
  return sensors.map(({ name, recipe, laserScan }) => {
    if (format < firstCutFormat) return { name, isCut: false };
    const isCut = laserScan !== undefined || needsCuts(recipe, tickNs);
    return { name, isCut, ...(laserScan && { laserScan }) };
  });
}

/** Whether scans and ticks are of different lengths, so that messages are not those of ticks. */
function needsCuts({ scan }: Pick<SensorRecipe, 'scan'>, tickNs: number): boolean {
  const scanNs = 1e9 / scan.rateHz;
  const isPublished = traitsOf(scan).lines === null && scanNs <= maxScanNs;
  return isPublished && Math.abs(scanNs / tickNs - 1) > 1e-9;
}

/** The scans of a sensor. */
export function cutsOf(recipe: SensorRecipe): ScanCuts {
  const { scan, slotsPerSecond, clock } = recipe;
  const { rateHz } = scan;
  const phaseNs = clock?.phaseNs ?? 0;
  const count = slotsPerScan(recipe);
  const startNs = (number: number): number => phaseNs + Math.round((number * 1e9) / rateHz);
  const scanOfSlot = (slot: number): number => Math.floor((slot * rateHz) / slotsPerSecond);
  const firstSlot = (number: number): number => {
    if (count !== null) return number * count;
    let slot = Math.max(0, Math.floor((number * slotsPerSecond) / rateHz) - 1);
    while (scanOfSlot(slot) < number) slot += 1;
    return slot;
  };
  return {
    scanAt(timeNs) {
      let number = Math.max(0, Math.floor(((timeNs - phaseNs) * rateHz) / 1e9) - 1);
      while (startNs(number + 1) <= timeNs) number += 1;
      return number;
    },
    startNs,
    firstSlot,
    firstPulse: (number) => firstPulseOfSlot(recipe, firstSlot(number)),
  };
}
