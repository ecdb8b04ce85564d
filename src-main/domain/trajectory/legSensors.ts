// The sensors of a survey's legs where each leg begins a scan of its own: a panorama at each position of a tripod.
import { traitsOf, withFirstSlot } from '#contract/documents/scan/scanRecipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

/**
 * The sensors with scans that begin at the start of their legs, by leg. Pulses are numbered through all legs, with
 * gaps between them: noise is keyed by these numbers.
 */
export function legSensors(
  legs: readonly { fromNs: number; toNs: number }[],
  sensors: readonly SensorRecipe[],
): SensorRecipe[] {
  let firstSlot = 0;
  return legs.flatMap(({ fromNs, toNs }, index) => {
    const recipe = sensors[index];
    if (recipe === undefined) return [];
    const { lines } = traitsOf(recipe.scan);
    if (lines === null) return [recipe];
    const { phaseNs = 0, offsetNs = 0, driftPpm = 0 } = recipe.clock ?? {};
    const sensor = {
      ...recipe,
      scan: withFirstSlot(recipe.scan, firstSlot),
      clock: { phaseNs: phaseNs + fromNs, offsetNs, driftPpm },
    };
    // No less than there are: a line more, and a pulse more a line.
    const seconds = (toNs - fromNs) / 1e9;
    const scans = Math.ceil(seconds * recipe.scan.rateHz) + 1;
    const maxLines = seconds * lines.perSecond + scans + 1;
    firstSlot += Math.ceil(maxLines * (lines.pulsesPerLine + 1));
    return [sensor];
  });
}
