// A scene as it is at one time, for images: nothing moves in it. Why not motions of the worker: an image has one time, and
// the rows of a scan have one each.
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { displacementAt } from '#domain/shared/motion/frames.ts';
import { lawsOfInstances } from '#domain/shared/motion/laws.ts';
import { compose, type Vector3 } from '#domain/shared/pose.ts';
import { forEachInstance } from '#domain/truth/obstacles.ts';
import type { HandlerContext } from '#services/handlers.ts';
import { instancesOf } from './instancesOf.ts';
import { withScene, type Scene, type ScenePorts } from './sceneWork.ts';

/** At another time than 0, objects on the ground have the height that the worker gave them at time 0. */
export async function sceneAtTime(
  ports: ScenePorts,
  { recipe, heights }: Scene,
  timeS: number,
  context: HandlerContext,
): Promise<Scene> {
  const lawOf = lawsOfInstances(recipe);
  // The vehicle is part of the scans of its sensors only.
  const shown = recipe.instances.filter(({ id }) => lawOf(id)?.kind !== 'vehicle');
  const still = stationary({ ...recipe, instances: shown });
  const moving = shown.filter(({ id }) => lawOf(id) !== null);
  if (timeS === 0 || moving.length === 0) return { recipe: still, heights };
  const hasGround = recipe.ground >= 0 && moving.some(({ onGround }) => onGround);
  const zM = hasGround
    ? await heightsIn(ports, { recipe: still, heights }, context)
    : new Map<number, number>();
  const instances = still.instances.map((instance) => {
    const law = lawOf(instance.id);
    if (law === null) return instance;
    const {
      rotation,
      positionM: [x, y, z],
    } = instance;
    const positionM: Vector3 = [x, y, zM.get(instance.id) ?? z];
    const pose = compose(displacementAt(law, timeS), { positionM, rotation });
    return { ...instance, ...pose, onGround: false };
  });
  return { recipe: { ...still, instances }, heights };
}

/** Plants lean as the mean wind bends them. */
function stationary({ motions: _motions, wind, ...recipe }: SceneRecipe): SceneRecipe {
  return {
    ...recipe,
    ...(wind && { wind: { ...wind, gusts: 0 } }),
    instances: recipe.instances.map(({ motion: _motion, ...instance }) => instance),
  };
}

/** Heights at which the worker has placed the instances of a scene, by their ids. */
async function heightsIn(
  ports: ScenePorts,
  scene: Scene,
  context: HandlerContext,
): Promise<Map<number, number>> {
  const heightsM = new Map<number, number>();
  const instances = await withScene(ports, scene, {}, context, ({ worker }) => instancesOf(worker));
  forEachInstance(instances, ({ id, zM }) => heightsM.set(id, zM));
  return heightsM;
}
