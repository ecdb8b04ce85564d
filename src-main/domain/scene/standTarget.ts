// A stand to be built, and the parts of a recipe that it adds.
import type { Stand } from '#contract/documents/stand.ts';
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { ModelRecipe, ModelSource } from '#contract/worker/recipe.ts';
import type { TrunkGrid } from './trunkGrid.ts';

type MaterialDocument = SceneDocument['materials'][string];

/** Adds to a recipe; each returns an index. */
export interface StandTarget {
  material: (name: string, material: MaterialDocument) => number;
  model: (name: string, source: ModelSource, solid: ModelRecipe['solid']) => number;
  /** Index of a material of the scene. */
  materialOfScene: (name: string) => number;
  /** `tile`: of a landscape; otherwise 0. */
  instance: (placed: PlacedPlant, tile: number) => void;
}

export interface PlacedPlant {
  name: string;
  class: string;
  model: number;
  /** z above the ground. */
  positionM: [number, number, number];
  yawDeg: number;
  pitchDeg?: number;
  /** On its slope, too. */
  liesOnGround?: true;
  scale: number;
}

/** A stand that is drawn once for each tile: one tile is the scene itself. */
export interface TiledStand {
  stand: Stand;
  at: (string | number)[];
  /** The stream of its random numbers; tile t has stream + t. */
  stream: number;
  seed: number;
  /** By tile. */
  trunks: readonly TrunkGrid[];
}
