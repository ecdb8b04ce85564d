// Height of the ground under the wheels. Truth; autonomy never sees it. The height field is
// triangulated as the native one is, so that wheels and rays meet the same surface.
import { clamp } from '#domain/shared/numbers.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';

export interface Terrain {
  /** Height of the ground at a place in the world; outside its extent that of the nearest edge. */
  heightM(xM: number, yM: number): number;
}

/** A regular grid of heights: row by row from the south, x fastest; origin at the first of them. */
export interface HeightField {
  columns: number;
  rows: number;
  originM: readonly [number, number];
  stepM: readonly [number, number];
  heightsM: Float32Array;
}

/** The same height everywhere. */
export function flatTerrain(zM: number): Terrain {
  return { heightM: () => zM };
}

/** Each cell is two triangles that share the diagonal from its south-west to its north-east corner. */
export function heightFieldTerrain(field: HeightField): Terrain {
  const { columns, rows, originM, stepM, heightsM } = field;
  if (columns < 2 || rows < 2 || heightsM.length < columns * rows) {
    throw new RangeError(`a height field of ${columns} x ${rows} has ${heightsM.length} heights`);
  }
  const heightM = (xM: number, yM: number): number => {
    const x = clamp((xM - originM[0]) / stepM[0], 0, columns - 1);
    const y = clamp((yM - originM[1]) / stepM[1], 0, rows - 1);
    const column = Math.min(columns - 2, Math.floor(x));
    const row = Math.min(rows - 2, Math.floor(y));
    const u = x - column;
    const v = y - row;
    const southWest = heightsM[row * columns + column] as number;
    const southEast = heightsM[row * columns + column + 1] as number;
    const northWest = heightsM[(row + 1) * columns + column] as number;
    const northEast = heightsM[(row + 1) * columns + column + 1] as number;
    return u >= v
      ? southWest + u * (southEast - southWest) + v * (northEast - southEast)
      : southWest + v * (northWest - southWest) + u * (northEast - northWest);
  };
  return { heightM };
}

/**
 * The ground that surfaces of learned models are: bilinear between the nodes; `beneath` where one of those around has
 * no height (NaN), and outside of the field.
 */
export function learnedTerrain(field: HeightField, beneath: Terrain): Terrain {
  const { columns, rows, originM, stepM, heightsM } = field;
  const heightM = (xM: number, yM: number): number => {
    const x = (xM - originM[0]) / stepM[0];
    const y = (yM - originM[1]) / stepM[1];
    const column = Math.min(columns - 2, Math.floor(x));
    const row = Math.min(rows - 2, Math.floor(y));
    if (!(column >= 0 && row >= 0 && x <= columns - 1 && y <= rows - 1)) {
      return beneath.heightM(xM, yM);
    }
    const [u, v] = [x - column, y - row];
    const at = (right: number, up: number): number =>
      heightsM[(row + up) * columns + column + right] as number;
    const south = (1 - u) * at(0, 0) + u * at(1, 0);
    const north = (1 - u) * at(0, 1) + u * at(1, 1);
    const zM = (1 - v) * south + v * north;
    return Number.isNaN(zM) ? beneath.heightM(xM, yM) : zM;
  };
  return { heightM };
}

/**
 * The terrain of a scene's ground instance: a plane or a height field, moved by the instance's position
 * (the ground is never turned or scaled). Flat at z = 0 where the scene has no ground.
 */
export function terrainOf(recipe: SceneRecipe, heightsM: Float32Array): Terrain {
  const instance = recipe.instances[recipe.ground];
  const source = instance && recipe.models[instance.model]?.source;
  if (!instance || !source) return flatTerrain(0);
  const [xM, yM, zM] = instance.positionM;
  if (source.kind !== 'height-field') return flatTerrain(zM);
  const field = heightFieldTerrain({ ...source, heightsM });
  return { heightM: (x, y) => zM + field.heightM(x - xM, y - yM) };
}
