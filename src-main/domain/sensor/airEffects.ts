// Whether a sensor's returns depend on the air, and what they need in weather: PHYSICS.md, 2.3 and 2.8.
import type { Problem } from '#contract/documents/problems.ts';
import type { AtmosphereRecipe } from '#contract/worker/recipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { WeatherRecipe } from '#contract/worker/weatherRecipe.ts';

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

/** Fields that sensors lack and that echoes of weather follow from, at the weather's path. */
export function weatherProblems(
  weather: WeatherRecipe | undefined,
  sensors: readonly SensorRecipe[],
): Problem[] {
  if (weather === undefined) return [];
  const needs = sensors.flatMap((sensor) => {
    const missing = missingInWeather(weather, sensor);
    return missing === null ? [] : [`'${sensor.id}' states no ${missing}`];
  });
  return [...new Set(needs)].map((need) => ({
    path: 'scene.weather',
    code: 'custom',
    message: `expected sensors that weather can be simulated for, ${need}`,
  }));
}

function missingInWeather(weather: WeatherRecipe, { beam, returns }: SensorRecipe): string | null {
  const { detection, detectionThreshold = 0, rangeResolutionM = 0, waveform } = returns;
  if (detection === undefined && detectionThreshold === 0) return 'returns.detection';
  if (rangeResolutionM === 0 && waveform === undefined) return 'returns.rangeResolutionM';
  const hasAperture = (beam.apertureHorizontalM ?? 0) > 0 && (beam.apertureVerticalM ?? 0) > 0;
  return weather.particles.length === 0 || hasAperture ? null : 'beam.apertureHorizontalM';
}
