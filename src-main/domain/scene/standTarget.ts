// The recipe as stands see it while they are built.
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { ModelRecipe, ModelSource } from '#contract/worker/recipe.ts';

type MaterialDocument = SceneDocument['materials'][string];

/** Adds to a recipe; each returns an index. */
export interface StandTarget {
  material: (name: string, material: MaterialDocument) => number;
  model: (name: string, source: ModelSource, solid: ModelRecipe['solid']) => number;
  /** Index of a material of the scene. */
  materialOfScene: (name: string) => number;
  instance: (placed: {
    name: string;
    class: string;
    model: number;
    positionM: [number, number, number];
    yawDeg: number;
    pitchDeg?: number;
    scale: number;
  }) => void;
}
