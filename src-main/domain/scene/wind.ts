// The wind of a scene as the worker gets it.
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { WindRecipe } from '#contract/worker/recipe.ts';
import { radians } from '#domain/shared/numbers.ts';

/** Null where nothing sways. */
export function windRecipe({ wind }: Pick<SceneDocument, 'wind'>): WindRecipe | null {
  if (wind === undefined || wind.speedMPerS === 0) return null;
  const { directionDeg, ...law } = wind;
  return { ...law, towardsRad: radians(directionDeg) };
}

/** Whether a model gives way to the wind. Learned models stand: they are what a sensor has seen. */
export function swaysInWind(model: SceneDocument['models'][string]): boolean {
  return model.kind !== 'learned' && (model.sways ?? model.kind === 'plant');
}
