// The wind of a scene as the worker gets it.
import {
  isVolumeModel,
  type ModelDocument,
  type SceneDocument,
} from '#contract/documents/scene.ts';
import type { WindRecipe } from '#contract/worker/recipe.ts';
import { radians, squared } from './numbers.ts';

/** Speed at which the displacement of tops is stated. */
const referenceMPerS = 10;

/** Null where nothing sways. */
export function windRecipe({ wind }: Pick<SceneDocument, 'wind'>): WindRecipe | null {
  if (wind === undefined || wind.speedMPerS === 0) return null;
  const { directionDeg, ...law } = wind;
  return { ...law, towardsRad: radians(directionDeg) };
}

/** Displacement of a top by the mean wind, before the largest lean of its plant limits it (PHYSICS.md, 2.9). */
export function meanDisplacementM({
  speedMPerS,
  topM,
}: Pick<WindRecipe, 'speedMPerS' | 'topM'>): number {
  return topM * squared(speedMPerS / referenceMPerS);
}

/** Whether a model gives way to the wind. Learned and voxel models are stationary. */
export function swaysInWind(model: ModelDocument): boolean {
  if (isVolumeModel(model)) return false;
  return model.sways ?? model.kind === 'plant';
}
