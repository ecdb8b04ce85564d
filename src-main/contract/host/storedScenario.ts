// Compiled scenarios as recordings and catalogues store them, those of older versions included. What changes in
// recipe.ts is brought up to date here, so that runs of older versions can still be opened and simulated again.
import type { CompiledScenario } from './run.ts';

/** The compiled scenario in the present form. `stored`: the JSON of any version, parsed. */
export function compiledFromStored(stored: unknown): CompiledScenario {
  const compiled = stored as CompiledScenario;
  return { ...compiled, sensors: compiled.sensors.map(presentSensor) };
}

type StoredSensor = CompiledScenario['sensors'][number];

/** Up to and including 0.1.0, banks of lasers were called blocks. */
function presentSensor(sensor: StoredSensor): StoredSensor {
  if (!('blocks' in sensor.recipe)) return sensor;
  const { blocks, ...rest } = sensor.recipe;
  return { ...sensor, recipe: { ...rest, banks: blocks as StoredSensor['recipe']['banks'] } };
}
