// Learned models whose logs another sensor has made: their permeabilities hold what that sensor lost (PHYSICS.md, 2.6).
import type { CompiledSensor } from '#contract/host/run.ts';
import type { DetectionRecipe } from '#contract/worker/sensorRecipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';

/** A note for each learned model of whose elements a sensor with a detection limit may lose hits once more. */
export function learnedLimits(
  { models }: Pick<SceneSummary, 'models'>,
  { name, recipe }: Pick<CompiledSensor, 'name' | 'recipe'>,
): string[] {
  const { detection } = recipe.returns;
  if (detection === undefined) return [];
  return models.flatMap(({ name: model, elements, learnedSensor }) => {
    if (elements === 0 || isSame(learnedSensor?.detection ?? null, detection)) return [];
    const logs = learnedSensor === null ? 'an unknown sensor' : `'${learnedSensor.id}'`;
    return [
      `model '${model}' was learned with ${logs}: hits on it are judged by the detection limit of '${name}', share × reflectance/range², beside what its permeabilities hold`,
    ];
  });
}

function isSame(a: DetectionRecipe | null, b: DetectionRecipe): boolean {
  return (
    a !== null &&
    a.reflectance === b.reflectance &&
    a.rangeM === b.rangeM &&
    a.probability === b.probability &&
    a.falseAlarmsPerPulse === b.falseAlarmsPerPulse
  );
}
