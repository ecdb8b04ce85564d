// The answer of scene.open for a scene that has just been built.
import { originOf } from '#contract/worldOrigin.ts';
import type { SceneChunk, SceneContents, SceneModel } from '#contract/host/sceneMethods.ts';
import type { Columns } from '#contract/columns.ts';
import type { LandscapePlants } from '#contract/worker/instanceNames.ts';
import type { LandscapeRecipe, ModelRecipe, SceneRecipe } from '#contract/worker/recipe.ts';
import type { ModelSummary, SceneSummary } from '#contract/worker/worker.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { middleIds, shownPlants } from '#domain/scene/landscapes.ts';
import { fieldOfView } from '#domain/shared/fieldOfView.ts';
import { eachInstanceSlice, eachPlantSlice } from '#services/scans/instancesOf.ts';
import type { SceneSession } from './sceneSession.ts';

/** `sensorFiles`: empty where the scenario is not read from its files. */
type ShownScenario = Pick<LoadedScenario, 'compiled' | 'sensorFiles'>;

/** Fewest triangles that a level may be given: scene.mesh takes no fewer. */
const fewest = 50;
/** The finest sample of the leaves of a voxel model. */
const [maxLeafTriangles, trianglesPerVoxel] = [200_000, 100];

/** Sends the contents, the instances and every level of every model; without levels the contents alone. */
export async function sendContents(
  session: SceneSession,
  summary: SceneSummary,
  loaded: ShownScenario,
  levels: readonly number[] | null,
  { signal, progress, chunk }: HandlerContext,
): Promise<void> {
  const contents = contentsOf(session.id, summary, loaded, levels ?? []);
  const send = (body: SceneChunk, columns: Columns): Promise<void> => chunk(body, columns);
  await send({ kind: 'ready', ...contents }, {});
  if (levels === null) return;
  await session.ask(signal, (worker) => sendInstances(worker, loaded.compiled.recipe, send));
  for (const { model, level, maxTriangles } of inOrder(contents.models)) {
    const { body, columns } = await session.ask(signal, (worker, ended) =>
      worker.call(
        'scene.mesh',
        { model, maxTriangles },
        {},
        { signal: ended, onProgress: progress },
      ),
    );
    await send({ kind: 'mesh', model, level, ...body }, columns);
  }
  await send({ kind: 'complete' }, {});
}

function plantsOf({
  name,
  firstId,
  columns,
  rows,
  plantsPerSquare,
  tileOf,
  tiles,
}: LandscapeRecipe): LandscapePlants {
  const grid = { name, firstId, columns, rows, plantsPerSquare, tileOf };
  return {
    ...grid,
    tiles: tiles.map(({ plants, scatters }) => ({
      plants: plants.map(({ name: own, class: classId, model }) => {
        return { name: own, class: classId, model };
      }),
      scatters: scatters.map(({ name: own, class: classId, model, count }) => {
        return { name: own, class: classId, model, count };
      }),
    })),
  };
}

async function sendInstances(
  worker: ScanWorker,
  recipe: SceneRecipe,
  send: (body: SceneChunk, columns: Columns) => Promise<void>,
): Promise<void> {
  const { landscapes = [] } = recipe;
  const plants: Columns[] = [];
  const shown = landscapes.flatMap((landscape) =>
    middleIds(landscape, shownPlants / landscapes.length),
  );
  await eachPlantSlice(worker, shown, (columns) => void plants.push(columns));
  const rowsOf = ({ instance_id }: Columns): number => instance_id?.length ?? 0;
  const plantRows = plants.reduce((sum, columns) => sum + rowsOf(columns), 0);
  let placed = 0;
  let wholeRows = 0;
  await eachInstanceSlice(worker, ({ columns, fromRow, total }) => {
    placed = total;
    wholeRows = total + plantRows;
    return send({ kind: 'instances', fromRow, total: wholeRows }, columns);
  });
  for (const columns of plants) {
    const fromRow = placed;
    placed += rowsOf(columns);
    await send({ kind: 'instances', fromRow, total: wholeRows }, columns);
  }
}

/**
 * The coarsest level of every model, so that there is something to see; then, model by model, the others, which the
 * worker makes the faster for not changing its model.
 */
function inOrder(
  models: readonly SceneModel[],
): { model: number; level: number; maxTriangles: number }[] {
  const falling = models.map(({ levels }, model) =>
    levels.map((most, level) => ({ model, level, maxTriangles: Math.max(most, fewest) })),
  );
  return [
    ...falling.flatMap((levels) => levels.slice(-1)),
    ...falling.flatMap((levels) => levels.slice(0, -1).reverse()),
  ];
}

function contentsOf(
  scene: string,
  summary: SceneSummary,
  { compiled, sensorFiles }: ShownScenario,
  levels: readonly number[],
): SceneContents {
  const { recipe, scenario, sensors } = compiled;
  const placedCopies = new Map(summary.scatters.map(({ name, placed }) => [name, placed]));
  return {
    scene,
    summary,
    originM: originOf(scenario.scene),
    seed: scenario.seed,
    classes: recipe.classes,
    materials: recipe.materials,
    models: recipe.models.map(({ name, solid }, index): SceneModel => {
      const triangles = drawnTriangles(summary.models[index], recipe.models[index]);
      return { name, solid, triangles, levels: levelsOf(triangles, levels) };
    }),
    motions: recipe.motions ?? [],
    placed: recipe.instances.map(({ id, name, model, class: classId, motion }) => {
      return { id, name, model, class: classId, ...(motion !== undefined && { motion }) };
    }),
    scatters: recipe.scatters.map(({ name, firstId, count, model, class: classId }) => {
      return { name, firstId, count: placedCopies.get(name) ?? count, model, class: classId };
    }),
    landscapes: (recipe.landscapes ?? []).map(plantsOf),
    sensors: sensors.map(({ name, mount, recipe: sensor }, index) => {
      return { name, sensor: sensorFiles[index] ?? name, mount, view: fieldOfView(sensor) };
    }),
  };
}

/** Voxels are drawn as samples of their leaves. */
function drawnTriangles(
  summary: ModelSummary | undefined,
  recipe: ModelRecipe | undefined,
): number {
  const isVoxels = recipe?.source.kind === 'mesh' && recipe.source.format === 'voxels';
  if (!isVoxels) return summary?.triangles ?? 0;
  return Math.min(maxLeafTriangles, trianglesPerVoxel * (summary?.elements ?? 0));
}

/**
 * The levels asked for that are worth their while: each well below the one before. The whole model comes first where it
 * is small enough.
 */
function levelsOf(triangles: number, asked: readonly number[]): number[] {
  const falling = [...new Set(asked)].sort((a, b) => b - a);
  const isWholeFirst = triangles <= Math.max(fewest, ...falling);
  const levels = isWholeFirst ? [triangles] : falling.slice(0, 1);
  for (const most of falling) {
    if (most <= 0.7 * (levels.at(-1) ?? triangles)) levels.push(most);
  }
  return levels;
}
