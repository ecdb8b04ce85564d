// Objects that move, as boxes: all instances of one motion are one object. Truth.
import type { Columns } from '#contract/columns.ts';
import type { MovingObject } from '#contract/host/movingObjects.ts';
import type { Pose } from '#contract/host/run.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import { aFromB, rotate, type Vector3 } from '#domain/shared/pose.ts';
import { forEachInstance } from './obstacles.ts';

/**
 * The objects of a built scene; motions without instances are none, nor is the vehicle itself. `instances`: the columns
 * of `scene.instances`.
 */
export function movingObjectsFrom(
  summary: SceneSummary,
  instances: Columns,
  recipe: SceneRecipe,
): MovingObject[] {
  return boxesOf(summary, instances, recipe).filter(({ law }) => law.kind !== 'vehicle');
}

/** The box of the vehicle's own body in its frame; null: it has none. */
export function bodyBoxFrom(
  summary: SceneSummary,
  instances: Columns,
  recipe: SceneRecipe,
): Pick<MovingObject, 'centreM' | 'sizeM'> | null {
  return boxesOf(summary, instances, recipe).find(({ law }) => law.kind === 'vehicle') ?? null;
}

function boxesOf(summary: SceneSummary, instances: Columns, recipe: SceneRecipe): MovingObject[] {
  const { motions = [] } = recipe;
  const corners = motions.map((): Vector3[] => []);
  const motionOf = new Map(recipe.instances.map(({ id, motion }) => [id, motion]));
  forEachInstance(instances, ({ id, model, xM, yM, zM, rotation, scale }) => {
    const motion = motionOf.get(id) ?? -1;
    const [law, bounds] = [motions[motion]?.law, summary.models[model]];
    if (law === undefined || bounds === undefined) return;
    const frameFromModel = aFromB(frameAt(law, 0), { positionM: [xM, yM, zM], rotation });
    corners[motion]?.push(...placedCorners(frameFromModel, bounds, scale));
  });
  return motions.flatMap(({ name, law }, motion) => {
    const first = recipe.instances.find((instance) => instance.motion === motion);
    if (first === undefined) return [];
    const ends = ([0, 1, 2] as const).map((axis) => {
      const along = (corners[motion] ?? []).map((corner) => corner[axis]);
      return { from: Math.min(...along), to: Math.max(...along) };
    });
    return {
      name,
      class: recipe.classes[first.class] ?? '',
      law,
      centreM: ends.map(({ from, to }) => (from + to) / 2) as Vector3,
      sizeM: ends.map(({ from, to }) => to - from) as Vector3,
    };
  });
}

/** The eight corners of a model's box where the model is placed. */
export function placedCorners(
  { positionM: [xM, yM, zM], rotation }: Pose,
  { minM, maxM }: { minM: Vector3; maxM: Vector3 },
  scale: number,
): Vector3[] {
  const ends = [minM, maxM];
  const corners = ends.flatMap(([x]) => ends.flatMap(([, y]) => ends.map(([, , z]) => [x, y, z])));
  return corners.map((corner) => {
    const [dx, dy, dz] = rotate(rotation, corner.map((m) => m * scale) as Vector3);
    return [xM + dx, yM + dy, zM + dz];
  });
}
