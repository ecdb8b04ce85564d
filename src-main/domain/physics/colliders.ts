// Shapes as colliders of the engine, at their places in its world.
import type RAPIER from '@dimforge/rapier3d-deterministic-compat';
import type {
  Collider,
  ColliderDesc,
  RigidBody,
  World,
} from '@dimforge/rapier3d-deterministic-compat';
import type { Pose } from '#contract/host/run.ts';
import { compose, type Vector3 } from '#domain/shared/pose.ts';
import type { PlacedShape, Shape } from './physicsScene.ts';

export type Engine = typeof RAPIER;

/** A shape in the world of the engine. */
export interface Piece extends PlacedShape {
  collider: Collider;
}

export interface ColliderPlace {
  /** The shape's model in the frame of `rigid`, or in the world of the engine. */
  pose: Pose;
  /** Left out: nothing moves it. */
  rigid?: RigidBody;
  surface: { friction: number; restitution: number };
}

export function addCollider(
  engine: Engine,
  world: World,
  placed: PlacedShape,
  { pose, rigid, surface }: ColliderPlace,
): Piece {
  const { positionM, rotation } = withOffset(placed, pose);
  const description = shapeOf(engine, placed)
    .setTranslation(...positionM)
    .setRotation(quaternionOf(rotation))
    .setFriction(surface.friction)
    .setRestitution(surface.restitution);
  return { ...placed, collider: world.createCollider(description, rigid) };
}

/** A rotation as the engine takes it. */
export function quaternionOf([x, y, z, w]: Pose['rotation']): {
  x: number;
  y: number;
  z: number;
  w: number;
} {
  return { x, y, z, w };
}

/** The shape of a collider about its own origin; withOffset has the place of that. */
function shapeOf(
  { ColliderDesc, HeightFieldFlags, TriMeshFlags }: Engine,
  placed: PlacedShape,
): ColliderDesc {
  const { shape, scale } = placed;
  switch (shape.kind) {
    case 'box': {
      const [x, y, z] = shape.sizeM.map((m) => (m * scale) / 2) as Vector3;
      return ColliderDesc.cuboid(x, y, z);
    }
    case 'hull': {
      // Points in a plane or on a line have none: a body of them is refused, others stop nothing.
      return ColliderDesc.convexHull(scaled(shape.pointsM, scale)) ?? ColliderDesc.ball(0);
    }
    case 'mesh':
      return ColliderDesc.trimesh(
        scaled(shape.pointsM, scale),
        shape.index,
        TriMeshFlags.FIX_INTERNAL_EDGES,
      );
    case 'heights': {
      const { columns, rows, stepM, heightsM } = shape.field;
      // Why from the north, column by column: so its cells have the diagonals of terrain.ts.
      const heights = new Float32Array(heightsM.length);
      for (let column = 0; column < columns; column += 1) {
        for (let row = 0; row < rows; row += 1) {
          heights[column * rows + row] = heightsM[(rows - 1 - row) * columns + column] ?? 0;
        }
      }
      const size = { x: (columns - 1) * stepM[0], y: 1, z: (rows - 1) * stepM[1] };
      const flags = HeightFieldFlags.FIX_INTERNAL_EDGES;
      return ColliderDesc.heightfield(rows - 1, columns - 1, heights, size, flags);
    }
  }
}

/** Pose of the shape's own origin in the frame of `pose`. */
function withOffset({ shape, scale }: PlacedShape, pose: Pose): Pose {
  const own = originOf(shape, scale);
  return own === null ? pose : compose(pose, own);
}

function originOf(shape: Shape, scale: number): Pose | null {
  if (shape.kind === 'box') {
    return { positionM: shape.centreM.map((m) => m * scale) as Vector3, rotation: [0, 0, 0, 1] };
  }
  if (shape.kind !== 'heights') return null;
  const { columns, rows, originM, stepM } = shape.field;
  const middleAlong = (axis: 0 | 1, posts: number): number => {
    return originM[axis] + ((posts - 1) * stepM[axis]) / 2;
  };
  // Its y axis is up, its z axis leads south.
  const rotation: Pose['rotation'] = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  return { positionM: [middleAlong(0, columns), middleAlong(1, rows), 0], rotation };
}

function scaled(points: Float32Array, scale: number): Float32Array {
  return scale === 1 ? points : points.map((m) => m * scale);
}
