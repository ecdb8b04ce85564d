// Which instance an id denotes. Why ids and not names travel with the returns: a scatter of twenty
// million copies has no list of names, they follow from the recipe.
import type { LandscapeRecipe, SceneRecipe, ScatterRecipe, TilePlantRecipe } from './recipe.ts';

/** Name of a scatter's copy with this id: NAME-1 is the first. */
export function scatterCopyName(
  { name, firstId }: Pick<ScatterRecipe, 'name' | 'firstId'>,
  id: number,
): string {
  return `${name}-${id - firstId + 1}`;
}

/** The scatter or stand that a name would be a copy of; null: it has not the form of one. */
export function scatterOfCopy(name: string): string | null {
  return /^(.+)-[1-9][0-9]*$/.exec(name)?.[1] ?? null;
}

type PlantKind = Pick<TilePlantRecipe, 'name' | 'class' | 'model'>;

/** A landscape without the places of its plants. */
export type LandscapePlants = Pick<
  LandscapeRecipe,
  'name' | 'firstId' | 'columns' | 'rows' | 'plantsPerSquare' | 'tileOf'
> & {
  tiles: {
    plants: PlantKind[];
    scatters: Pick<ScatterRecipe, 'name' | 'class' | 'model' | 'count'>[];
  }[];
};

/**
 * Null: the landscape has no plant of this id. Plants are called NAME-SQUARE:PLANT, squares counted from 1 at the
 * south-west; copies of scatters, which come behind the plants of a tile, have numbers. Where a scatter has fewer copies
 * than asked for, those of the next follow at once: class and model are then its.
 */
export function landscapePlant(landscape: LandscapePlants, id: number): PlantKind | null {
  const { name, firstId, columns, rows, plantsPerSquare, tileOf, tiles } = landscape;
  const number = id - firstId;
  if (number < 0 || number >= columns * rows * plantsPerSquare) return null;
  const square = Math.floor(number / plantsPerSquare);
  const tile = tiles[tileOf[square] ?? -1];
  if (tile === undefined) return null;
  const plant = number % plantsPerSquare;
  const own = tile.plants[plant];
  if (own !== undefined) return { ...own, name: `${name}-${square + 1}:${own.name}` };
  let copy = plant - tile.plants.length;
  const called = `${name}-${square + 1}:${copy + 1}`;
  for (const { count, class: classId, model } of tile.scatters) {
    if (copy < count) return { name: called, class: classId, model };
    copy -= count;
  }
  return null;
}

/** Names by id for one recipe; null where it has no such instance. */
export function instanceNames(recipe: SceneRecipe): (id: number) => string | null {
  return (id) => {
    // Placed objects count from 1 (compileScene).
    const placed = recipe.instances[id - 1];
    if (placed?.id === id) return placed.name;
    const scatter = recipe.scatters.find((s) => id >= s.firstId && id < s.firstId + s.count);
    if (scatter !== undefined) return scatterCopyName(scatter, id);
    for (const landscape of recipe.landscapes ?? []) {
      const plant = landscapePlant(landscape, id);
      if (plant !== null) return plant.name;
    }
    return recipe.instances.find((instance) => instance.id === id)?.name ?? null;
  };
}
