// A sensor's line in a list of sensors.
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { Sensor, SensorSummary } from '#contract/documents/sensor.ts';
import { ownRateHz } from '#contract/documents/scan/scanPattern.ts';
import { degrees } from '#domain/shared/numbers.ts';
import { fieldOfView } from '#domain/shared/fieldOfView.ts';
import { compileSensor } from './compileSensor.ts';

/** Summary of a checked sensor at its own rate and mode; null where it cannot be simulated at them. */
export function summariseSensor(sensor: Sensor): SensorSummary | null {
  const { value: recipe } = compileSensor(sensor);
  if (recipe === null) return null;
  const { scan, range, beam, returns } = sensor;
  return {
    scan: scan.kind,
    channels: recipe.banks.reduce((sum, { elevationsRad }) => sum + elevationsRad.length, 0),
    rateHz: ownRateHz(scan),
    elevationDeg: elevationsDeg(recipe),
    rangeM: [range.minM, range.maxM],
    divergenceMrad: [beam.divergenceHorizontalMrad, beam.divergenceVerticalMrad],
    pulsesPerSecond: pulsesPerSecond(recipe),
    mode: returns.mode,
  };
}

export function pulsesPerSecond(recipe: SensorRecipe): number {
  return recipe.slotsPerSecond * lasersPerSlot(recipe);
}

/** A mean over the banks in the order in which they fire. */
function lasersPerSlot({ banks, slotPattern }: SensorRecipe): number {
  const lasers = slotPattern.map((bank) => banks[bank]?.elevationsRad.length ?? 0);
  return lasers.reduce((sum, count) => sum + count, 0) / slotPattern.length;
}

function elevationsDeg(recipe: SensorRecipe): [number, number] {
  const [low, high] = fieldOfView(recipe).elevationRad;
  return [degrees(low), degrees(high)];
}
