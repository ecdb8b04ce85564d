// The plants of a built scene, whole: some 110 bytes a plant.
import { UnderstoryError } from '#contract/errors.ts';
import type { Arrays, Columns } from '#contract/columns.ts';
import type { PlantList } from '#contract/host/sceneMethods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { plantTruthColumns } from '#contract/worker/truth.ts';
import { middleBox, shownPlants } from '#domain/scene/landscapes.ts';
import { joinColumns } from '#domain/shared/joinColumns.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { OpenScene } from '#services/scans/sceneWork.ts';

export type PlantColumns = Arrays<typeof plantTruthColumns>;

/** Most plants that are measured for a list: some 110 MB. */
const maxPlants = 1_000_000;

/**
 * Measures the plants of the scene that the worker has; with a landscape those in its middle.
 * @throws 'cancelled', 'unsupported' for more than a list can show
 */
export async function measurePlants(
  { worker, summary }: OpenScene,
  { landscapes: [landscape] = [], models }: SceneRecipe,
  { signal, progress }: Pick<HandlerContext, 'signal' | 'progress'>,
): Promise<PlantColumns> {
  const plants = summary.models.reduce(
    (sum, { instances }, index) => sum + (models[index]?.source.kind === 'plant' ? instances : 0),
    0,
  );
  if (landscape === undefined && plants > maxPlants) {
    const message = `a list has at most ${maxPlants} plants, the scene has ${plants}: 'understory scenario truth SCENARIO --out trees.csv' writes them`;
    throw new UnderstoryError('unsupported', message);
  }
  const parts: Columns[] = [];
  const onChunk = ({ columns }: { columns: Columns }): void => void parts.push(columns);
  const box = landscape === undefined ? {} : middleBox(landscape, shownPlants);
  await worker.call('truth.plants', box, {}, { signal, onProgress: progress, onChunk });
  return joinColumns(parts, types) as PlantColumns;
}

const types = Object.fromEntries(
  Object.entries(plantTruthColumns).map(([name, type]) => [name, { type }]),
);

export function plantList({ models }: SceneRecipe, { instance_id: ids }: PlantColumns): PlantList {
  const species = models.map(({ source }) => (source.kind === 'plant' ? source.plant.name : ''));
  return { plants: ids.length, species };
}
