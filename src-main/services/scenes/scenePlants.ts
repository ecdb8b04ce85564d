// The plants of a built scene, whole: some 110 bytes a plant.
import type { Arrays, Columns } from '#contract/columns.ts';
import type { PlantList } from '#contract/host/sceneMethods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { plantTruthColumns } from '#contract/worker/truth.ts';
import { middleBox } from '#domain/scene/landscapes.ts';
import { joinColumns } from '#domain/shared/joinColumns.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScanWorker } from '#services/ports/workers.ts';

export type PlantColumns = Arrays<typeof plantTruthColumns>;

/** Most plants of a landscape that are measured, about. */
const maxListedPlants = 120_000;

/** Measures the plants of the scene that the worker has; with a landscape those in its middle. @throws 'cancelled' */
export async function measurePlants(
  worker: ScanWorker,
  { landscapes: [landscape] = [] }: SceneRecipe,
  { signal, progress }: Pick<HandlerContext, 'signal' | 'progress'>,
): Promise<PlantColumns> {
  const parts: Columns[] = [];
  const onChunk = ({ columns }: { columns: Columns }): void => void parts.push(columns);
  const box = landscape === undefined ? {} : middleBox(landscape, maxListedPlants);
  await worker.call('truth.plants', box, {}, { signal, onProgress: progress, onChunk });
  return joinColumns(parts, types) as PlantColumns;
}

const types = Object.fromEntries(
  Object.entries(plantTruthColumns).map(([name, type]) => [name, { type }]),
);

export function plantList({ models }: SceneRecipe, { instance_id: ids }: PlantColumns): PlantList {
  const species = models.map(({ source }) => (source.kind === 'plant' ? source.plant.id : ''));
  return { plants: ids.length, species };
}
