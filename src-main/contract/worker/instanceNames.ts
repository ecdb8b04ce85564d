// Which instance an id denotes. Why ids and not names travel with the returns: a scatter of twenty
// million copies has no list of names, they follow from the recipe.
import type { LandscapeRecipe, SceneRecipe, ScatterRecipe } from './recipe.ts';

/** Name of a scatter's copy with this id: NAME-1 is the first. */
export function scatterCopyName(
  { name, firstId }: Pick<ScatterRecipe, 'name' | 'firstId'>,
  id: number,
): string {
  return `${name}-${id - firstId + 1}`;
}

/** NAME-SQUARE:PLANT, squares counted from 1 at the south-west; null: the square has no such plant. */
function landscapePlantName(landscape: LandscapeRecipe, id: number): string | null {
  const { name, firstId, plantsPerSquare, tileOf, tiles } = landscape;
  const square = Math.floor((id - firstId) / plantsPerSquare);
  const tile = tiles[tileOf[square] ?? -1];
  if (tile === undefined) return null;
  const plant = (id - firstId) % plantsPerSquare;
  const own = tile.plants[plant];
  if (own !== undefined) return `${name}-${square + 1}:${own.name}`;
  // Behind the plants come the scatters; one that has fewer copies than asked for shortens what follows.
  return `${name}-${square + 1}:${plant - tile.plants.length + 1}`;
}

/** Names by id for one recipe; null where it has no such instance. */
export function instanceNames(recipe: SceneRecipe): (id: number) => string | null {
  return (id) => {
    // Placed objects count from 1 (compileScene).
    const placed = recipe.instances[id - 1];
    if (placed?.id === id) return placed.name;
    const scatter = recipe.scatters.find((s) => id >= s.firstId && id < s.firstId + s.count);
    if (scatter !== undefined) return scatterCopyName(scatter, id);
    const landscape = recipe.landscapes?.find(
      ({ firstId, columns, rows, plantsPerSquare }) =>
        id >= firstId && id < firstId + columns * rows * plantsPerSquare,
    );
    if (landscape !== undefined) return landscapePlantName(landscape, id);
    return recipe.instances.find((instance) => instance.id === id)?.name ?? null;
  };
}
