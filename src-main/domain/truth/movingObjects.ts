// Objects that move, as boxes: all instances of one motion are one object. Truth.
import type { Columns } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { frameAt } from '#domain/motion/frames.ts';
import { compose, inverseOfPose, rotate, type Vector3 } from '#domain/shared/pose.ts';

/** A box in the frame of a motion. */
export interface MovingObject {
  name: string;
  /** The class of its first instance. */
  class: string;
  law: MotionLaw;
  centreM: Vector3;
  sizeM: Vector3;
}

/** A moving object at a time; relative to the origin of the scene. */
export interface ObjectState {
  name: string;
  class: string;
  /** The middle of its box; axes are those of the frame of its motion. */
  pose: Pose;
  sizeM: Vector3;
  /** The velocity of that middle. */
  velocityMPerS: Vector3;
}

/** The objects of a built scene; motions without instances are none. `instances`: the columns of `scene.instances`. */
export function movingObjectsFrom(
  summary: SceneSummary,
  instances: Columns,
  recipe: SceneRecipe,
): MovingObject[] {
  const { motions = [] } = recipe;
  if (motions.length === 0) return [];
  const rows = Array.from(instances['instance_id'] ?? [], Number);
  const rowOf = new Map(rows.map((id, row) => [id, row]));
  return motions.flatMap(({ name, law }, motion) => {
    const members = recipe.instances.filter((instance) => instance.motion === motion);
    const [first] = members;
    if (first === undefined) return [];
    const frameFromScene = inverseOfPose(frameAt(law, 0));
    const corners = members.flatMap((member) =>
      cornersOf(summary, instances, rowOf.get(member.id) ?? -1).map(
        (positionM) => compose(frameFromScene, { positionM, rotation: [0, 0, 0, 1] }).positionM,
      ),
    );
    const ends = ([0, 1, 2] as const).map((axis) => {
      const along = corners.map((corner) => corner[axis]);
      return [Math.min(...along), Math.max(...along)] as const;
    });
    const vector = (of: (from: number, to: number) => number): Vector3 =>
      ends.map(([from, to]) => of(from, to)) as Vector3;
    return {
      name,
      class: recipe.classes[first.class] ?? '',
      law,
      centreM: vector((from, to) => (from + to) / 2),
      sizeM: vector((from, to) => to - from),
    };
  });
}

/** Half of the time between two places of an object by which its velocity is found. */
const halfStepS = 1e-3;

export function objectStatesAt(objects: readonly MovingObject[], timeS: number): ObjectState[] {
  return objects.map(({ name, class: className, law, centreM, sizeM }) => {
    const placeAt = (atS: number): Pose =>
      compose(frameAt(law, atS), { positionM: centreM, rotation: [0, 0, 0, 1] });
    const [before, after] = [placeAt(timeS - halfStepS), placeAt(timeS + halfStepS)];
    const velocityMPerS = before.positionM.map(
      (m, axis) => ((after.positionM[axis] ?? NaN) - m) / (2 * halfStepS),
    ) as Vector3;
    return { name, class: className, pose: placeAt(timeS), sizeM, velocityMPerS };
  });
}

/** The corners, in the scene at time 0, of the box of an instance in the axes of its model. */
function cornersOf(summary: SceneSummary, instances: Columns, row: number): Vector3[] {
  const value = (name: string): number => Number(instances[name]?.[row]);
  const model = summary.models[value('model_id')];
  if (model === undefined) return [];
  const scale = value('scale');
  const placed: Pose = {
    positionM: [value('x_m'), value('y_m'), value('z_m')],
    rotation: [value('qx'), value('qy'), value('qz'), value('qw')],
  };
  return [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => {
    const [x, y, z] = ([0, 1, 2] as const).map((axis) => {
      const end = (corner >> axis) & 1 ? model.maxM : model.minM;
      return end[axis] * scale;
    }) as Vector3;
    const [dx, dy, dz] = rotate(placed.rotation, [x, y, z]);
    const [px, py, pz] = placed.positionM;
    return [px + dx, py + dy, pz + dz];
  });
}
