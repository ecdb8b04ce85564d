// Objects of a run's scene by its recipe alone, for runs whose scene is not in the catalogue.
import { UnderstoryError } from '#contract/errors.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { compiledOfRow } from './compiledOfRow.ts';
import { documentRows } from './documentRows.ts';
import { coverCopies, type SceneIndex } from './sceneRows.ts';
import type { Database } from './sqlite.ts';

/** The recipe of the run with this key. */
export function recipeOf(database: Database, runKey: number): SceneRecipe {
  return compiledOfRow(documentRows(database).ofRun(runKey)).recipe;
}

/** As readSceneIndex gives it for the scene of this recipe. */
export function recipeIndex({ classes, instances, scatters }: SceneRecipe): SceneIndex {
  const end = [
    ...instances.map(({ id }) => id + 1),
    ...scatters.map(({ firstId, count }) => firstId + count),
  ].reduce((most, next) => Math.max(most, next), 0);
  const classOf = new Uint16Array(end);
  for (const { id, class: classId } of instances) classOf[id] = classId;
  for (const { firstId, count, class: classId } of scatters) {
    classOf.fill(classId, firstId, firstId + count);
  }
  const covers = scatters
    .filter(({ count }) => count >= coverCopies)
    .map(({ name, firstId, count }) => ({ name, firstId, endId: firstId + count }));
  return { classes, classOf, covers };
}

/** Id of the instance of this name, and whether it is ground cover. @throws UnderstoryError 'not-found' */
export function findInRecipe(
  { instances, scatters }: SceneRecipe,
  name: string,
): { id: number; isCover: boolean } {
  const placed = instances.find((instance) => instance.name === name);
  if (placed !== undefined) return { id: placed.id, isCover: false };
  const [, scatterName, number] = /^(.*)-([1-9][0-9]*)$/.exec(name) ?? [];
  const scatter = scatters.find((candidate) => candidate.name === scatterName);
  if (scatter === undefined || Number(number) > scatter.count) {
    throw new UnderstoryError('not-found', `the scene has no instance '${name}'`, { name });
  }
  return { id: scatter.firstId + Number(number) - 1, isCover: scatter.count >= coverCopies };
}
