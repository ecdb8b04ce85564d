// What scene.open tells of a scene that has just been built.
import type { SceneChunk, SceneContents, SceneModel } from '#contract/sceneMethods.ts';
import type { SceneSummary } from '#contract/worker.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { SceneSession } from './sceneSession.ts';

/** Hands over the contents, then the instances. */
export async function sendContents(
  session: SceneSession,
  summary: SceneSummary,
  loaded: LoadedScenario,
  levels: readonly number[],
  { signal, chunk }: HandlerContext,
): Promise<void> {
  const contents = contentsOf(session.id, summary, loaded, levels);
  const ready: SceneChunk = { kind: 'ready', ...contents };
  await chunk(ready, {});
  const instances: SceneChunk = { kind: 'instances' };
  await chunk(instances, await session.ask(signal, (worker) => worker.instances()));
}

function contentsOf(
  scene: string,
  summary: SceneSummary,
  { compiled, sensorFiles }: LoadedScenario,
  levels: readonly number[],
): SceneContents {
  const { recipe, scenario, sensors } = compiled;
  const placedCopies = new Map(summary.scatters.map(({ name, placed }) => [name, placed]));
  return {
    scene,
    summary,
    seed: scenario.seed,
    classes: recipe.classes,
    materials: recipe.materials,
    models: recipe.models.map(({ name, solid }, index): SceneModel => {
      const triangles = summary.models[index]?.triangles ?? 0;
      return { name, solid, triangles, levels: levelsOf(triangles, levels) };
    }),
    placed: recipe.instances.map(({ id, name, model, class: classId }) => {
      return { id, name, model, class: classId };
    }),
    scatters: recipe.scatters.map(({ name, firstId, count, model, class: classId }) => {
      return { name, firstId, count: placedCopies.get(name) ?? count, model, class: classId };
    }),
    sensors: sensors.map(({ name, mount }, index) => {
      return { name, sensor: sensorFiles[index] ?? name, mount };
    }),
  };
}

/** The levels asked for that are smaller than the model; before them the whole model, where that is small enough. */
function levelsOf(triangles: number, asked: readonly number[]): number[] {
  const falling = [...new Set(asked)].sort((a, b) => b - a);
  const [finest = 0] = falling;
  const smaller = falling.filter((most) => most < triangles);
  return triangles <= finest ? [triangles, ...smaller] : smaller;
}
