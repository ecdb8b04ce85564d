// Which instance an id denotes. Why ids and not names travel with the returns: a scatter of twenty
// million copies has no list of names, they follow from the recipe.
import type { SceneRecipe, ScatterRecipe } from './recipe.ts';

/** Name of a scatter's copy with this id: NAME-1 is the first. */
export function scatterCopyName(
  { name, firstId }: Pick<ScatterRecipe, 'name' | 'firstId'>,
  id: number,
): string {
  return `${name}-${id - firstId + 1}`;
}

/** Names by id for one recipe; null where it has no such instance. */
export function instanceNames(recipe: SceneRecipe): (id: number) => string | null {
  return (id) => {
    // Placed objects count from 1 (compileScene).
    const placed = recipe.instances[id - 1];
    if (placed?.id === id) return placed.name;
    const scatter = recipe.scatters.find((s) => id >= s.firstId && id < s.firstId + s.count);
    if (scatter !== undefined) return scatterCopyName(scatter, id);
    return recipe.instances.find((instance) => instance.id === id)?.name ?? null;
  };
}
