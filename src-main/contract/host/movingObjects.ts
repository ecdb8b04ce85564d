// Objects of a run that move: all instances of one motion are one object, a box in its frame. Relative to the origin of
// the scene.
import type { Pose } from '../pose.ts';
import type { MotionLaw } from '../worker/motions.ts';

export interface MovingObject {
  /** The name of its motion. */
  name: string;
  /** The class of its first instance. */
  class: string;
  law: MotionLaw;
  /** The middle of the box, in the frame of the motion. */
  centreM: Pose['positionM'];
  sizeM: Pose['positionM'];
}

/** A moving object at a time. */
export interface ObjectState {
  name: string;
  class: string;
  /** The middle of its box; axes are those of the frame of its motion. */
  pose: Pose;
  sizeM: Pose['positionM'];
}
