// The instances of a worker's scene, in parts: a scene may have more than fit into memory as objects.
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import type { ExportedObject } from './idTables.ts';
import { eachInstanceSlice } from './instancesOf.ts';

/** Passes on those instances that are wanted, a slice at a time. */
export async function eachSceneObject(
  worker: ScanWorker,
  recipe: SceneRecipe,
  isWanted: (id: number) => boolean,
  take: (objects: ExportedObject[]) => Promise<void>,
): Promise<void> {
  const nameOf = instanceNames(recipe);
  await eachInstanceSlice(worker, async ({ columns }) => {
    const number = (name: keyof typeof columns, row: number): number => Number(columns[name][row]);
    const objects: ExportedObject[] = [];
    const rows = columns.instance_id.length;
    for (let row = 0; row < rows; row++) {
      const id = number('instance_id', row);
      if (!isWanted(id)) continue;
      objects.push({
        id,
        name: nameOf(id) ?? '',
        class: recipe.classes[number('class_id', row)] ?? '',
        model: recipe.models[number('model_id', row)]?.name ?? '',
        pose: {
          positionM: [number('x_m', row), number('y_m', row), number('z_m', row)],
          rotation: [number('qx', row), number('qy', row), number('qz', row), number('qw', row)],
        },
        scale: number('scale', row),
      });
    }
    await take(objects);
  });
}
