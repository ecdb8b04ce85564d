// Which instance an id stands for, and back. Why ids and not names travel with the returns: a scatter of
// twenty million copies has no list of names, they follow from the recipe.
import type { SceneRecipe } from './recipe.ts';

/** Name of the instance with this id (scatter copies: NAME-1 …); null where the recipe has none. */
export function instanceName(recipe: SceneRecipe, id: number): string | null {
  const placed = recipe.instances.find((instance) => instance.id === id);
  if (placed) return placed.name;
  const scatter = recipe.scatters.find(
    ({ firstId, count }) => id >= firstId && id < firstId + count,
  );
  return scatter && Number.isInteger(id) ? `${scatter.name}-${id - scatter.firstId + 1}` : null;
}

/** Id of the instance with this name, or null. A scatter may place fewer copies than its ids provide. */
export function instanceId(recipe: SceneRecipe, name: string): number | null {
  const placed = recipe.instances.find((instance) => instance.name === name);
  if (placed) return placed.id;
  const [, scatterName, digits] = /^(.+)-([1-9][0-9]*)$/.exec(name) ?? [];
  const scatter = recipe.scatters.find((candidate) => candidate.name === scatterName);
  const copy = Number(digits);
  return scatter && copy <= scatter.count ? scatter.firstId + copy - 1 : null;
}
