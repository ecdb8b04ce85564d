// Boxes of moving objects at a time.
import type { MovingObject, ObjectState } from '#contract/host/movingObjects.ts';
import type { Pose } from '#contract/pose.ts';
import { compose } from '../pose.ts';
import { frameAt } from './frames.ts';

export function objectStatesAt(objects: readonly MovingObject[], timeS: number): ObjectState[] {
  return objects.map(({ name, class: className, law, centreM: positionM, sizeM }) => {
    const pose = compose(frameAt(law, timeS), { positionM, rotation: upright });
    return { name, class: className, pose, sizeM };
  });
}

const upright: Pose['rotation'] = [0, 0, 0, 1];
