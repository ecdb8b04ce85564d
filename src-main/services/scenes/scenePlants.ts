// The plants of a built scene, whole: some 110 bytes a plant.
import type { Arrays, Columns } from '#contract/columns.ts';
import type { PlantList } from '#contract/host/sceneMethods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { plantTruthColumns } from '#contract/worker/truth.ts';
import { joinColumns } from '#domain/shared/joinColumns.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScanWorker } from '#services/ports/workers.ts';

export type PlantColumns = Arrays<typeof plantTruthColumns>;

/** Measures the plants of the scene that the worker has. @throws 'cancelled' */
export async function measurePlants(
  worker: ScanWorker,
  { signal, progress }: Pick<HandlerContext, 'signal' | 'progress'>,
): Promise<PlantColumns> {
  const parts: Columns[] = [];
  const onChunk = ({ columns }: { columns: Columns }): void => void parts.push(columns);
  await worker.call('truth.plants', {}, {}, { signal, onProgress: progress, onChunk });
  return joinColumns(parts, types) as PlantColumns;
}

const types = Object.fromEntries(
  Object.entries(plantTruthColumns).map(([name, type]) => [name, { type }]),
);

export function plantList({ models }: SceneRecipe, { instance_id: ids }: PlantColumns): PlantList {
  const species = models.map(({ source }) => (source.kind === 'plant' ? source.plant.id : ''));
  return { plants: ids.length, species };
}
