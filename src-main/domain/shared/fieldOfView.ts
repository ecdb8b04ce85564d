// The field of view of a sensor, from its recipe.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { FieldOfView } from '#contract/host/sceneMethods.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

/** With the lowest and the highest elevation of its pulses. */
export function fieldOfView({ scan, banks }: Pick<SensorRecipe, 'scan' | 'banks'>): FieldOfView {
  const { lines } = traitsOf(scan);
  const elevations = lines?.elevationRad ?? banks.flatMap(({ elevationsRad }) => elevationsRad);
  const low = elevations.reduce((least, value) => Math.min(least, value), Infinity);
  const high = elevations.reduce((most, value) => Math.max(most, value), -Infinity);
  return { scan, elevationRad: [low, high] };
}
