// A scene as a physics engine takes it: shapes at poses, in three kinds. Guarantees: the same scene gives the same shapes
// in the same order, which decides the simulation's bytes.
import type { MotionLaw } from '#contract/worker/motions.ts';
import type { BodyDocument } from '#contract/documents/motion.ts';
import type { Pose } from '#contract/host/run.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import type { HeightField } from '#domain/truth/terrain.ts';

/** A shape in the frame of its model. */
export type Shape =
  | { kind: 'box'; centreM: Vector3; sizeM: Vector3 }
  /** The convex hull of points: three numbers each. */
  | { kind: 'hull'; pointsM: Float32Array }
  /** Triangles: three numbers a point, three points a triangle. */
  | { kind: 'mesh'; pointsM: Float32Array; index: Uint32Array }
  | { kind: 'heights'; field: HeightField };

/** A shape in the scene at time 0. */
export interface PlacedShape {
  /** The instance's. */
  name: string;
  shape: Shape;
  pose: Pose;
  scale: number;
  /** Its box in the scene. */
  minM: Vector3;
  maxM: Vector3;
}

/** Moves by a law, whatever it meets. */
export interface Mover {
  law: MotionLaw;
  parts: PlacedShape[];
}

/** Falls, rolls and collides. */
export interface Body {
  name: string;
  document: BodyDocument;
  parts: PlacedShape[];
}

export interface PhysicsScene {
  gravityMPerS2: number;
  /** These two are of everything that is no body. */
  friction: number;
  restitution: number;
  stationary: PlacedShape[];
  movers: Mover[];
  bodies: Body[];
}
