// Whether a sensor's returns depend on the air: PHYSICS.md, 2.3.
import type { Problem } from '#contract/documents/problems.ts';
import type { AtmosphereRecipe } from '#contract/worker/recipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

/** With the radar equation, a detection limit or a gate: what a receiver gets of a surface goes through air. */
function feelsAir({ radiometry, returns }: SensorRecipe): boolean {
  const { detection, detectionThreshold = 0, gate } = returns;
  const hasLimit = detection !== undefined || detectionThreshold > 0 || gate !== undefined;
  return radiometry === 'radar-equation' || hasLimit;
}

/** An atmosphere that changes nothing for any of the sensors, at its path; null where there is none, or no sensor. */
export function unusedAir(
  atmosphere: AtmosphereRecipe | undefined,
  sensors: readonly SensorRecipe[],
): Problem | null {
  if (atmosphere === undefined || sensors.length === 0 || sensors.some(feelsAir)) return null;
  const names = [...new Set(sensors.map(({ id }) => `'${id}'`))].join(', ');
  const message = `expected a sensor that air affects (radiometry: radar-equation, returns.detection or returns.gate), found ${names}`;
  return { path: 'scene.atmosphere', code: 'custom', message };
}
