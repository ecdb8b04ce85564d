// Rigid bodies in steps of 5 ms with Rapier, whose deterministic build gives the same bytes on every machine. Lengths are
// relative to a place amid the bodies: the engine computes in single precision.
import type RAPIER from '@dimforge/rapier3d-deterministic-compat';
import type {
  Collider,
  ColliderDesc,
  RigidBody,
  World,
} from '@dimforge/rapier3d-deterministic-compat';
import { badInput } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import { radians } from '#domain/shared/numbers.ts';
import { aFromB, compose, type Vector3 } from '#domain/shared/pose.ts';
import { heightFieldTerrain } from '#domain/truth/terrain.ts';
import { bakeStepS } from './bakeText.ts';
import type { Body, Mover, PhysicsScene, PlacedShape, Shape } from './physicsScene.ts';

export type Engine = typeof RAPIER;

/** Steps of the engine between two poses. */
const stepsBetween = 2;
/** A body may begin that share of its smallest extent deep in another thing: legs on a slope, wheels on uneven ground. */
const maxDepthShare = 0.1;

/** A body that begins inside another thing. */
export interface Overlap {
  body: string;
  /** Instances. */
  part: string;
  other: string;
  depthM: number;
}

export interface Simulation {
  /** Bodies that begin inside others, one for each at most. Before the first step. */
  overlaps(): Overlap[];
  /** From one time of poses to the next. */
  step(): void;
  /** Poses of the centres of mass, in the order of the bodies. */
  poses(): Pose[];
  dispose(): void;
}

/** The engine, loaded when it is first needed: it is some megabytes of WebAssembly. */
export async function loadEngine(): Promise<Engine> {
  const { default: engine } = await import('@dimforge/rapier3d-deterministic-compat');
  await engine.init();
  return engine;
}

interface Piece extends PlacedShape {
  collider: Collider;
}

/** @throws UnderstoryError 'bad-input' for a part without a volume */
export function createSimulation(engine: Engine, scene: PhysicsScene): Simulation {
  const world = new engine.World({ x: 0, y: 0, z: -scene.gravityMPerS2 });
  try {
    return simulationIn(engine, world, scene);
  } catch (error) {
    world.free();
    throw error;
  }
}

function simulationIn(engine: Engine, world: World, scene: PhysicsScene): Simulation {
  world.timestep = bakeStepS / stepsBetween;
  const centreM = middleOf(scene.bodies);
  const build = createBuilder(engine, world, scene, centreM);
  const stationary = scene.stationary.map((placed) => build.stationary(placed));
  const movers = scene.movers.map((mover) => build.mover(mover));
  const bodies = scene.bodies.map((body) => build.body(body));
  let steps = 0;
  return {
    overlaps: () => {
      const pieces = bodies.map(({ pieces: own }) => own);
      const others = [...stationary, ...movers.flatMap(({ pieces: own }) => own)];
      return scene.bodies.flatMap(({ name }, index) => {
        const own = pieces[index] ?? [];
        const all = [...others, ...pieces.flatMap((one, at) => (at === index ? [] : one))];
        const found = firstOverlap(own, all);
        return found === null ? [] : [{ body: name, ...found }];
      });
    },
    step: () => {
      for (let part = 0; part < stepsBetween; part += 1) {
        steps += 1;
        for (const { rigid, law } of movers) {
          const { positionM, rotation } = frameAt(law, (steps * bakeStepS) / stepsBetween);
          rigid.setNextKinematicTranslation(vectorOf(minus(positionM, centreM)));
          rigid.setNextKinematicRotation(quaternionOf(rotation));
        }
        world.step();
      }
    },
    poses: () =>
      bodies.map(({ rigid }) => {
        const [at, turn] = [rigid.worldCom(), rigid.rotation()];
        return {
          positionM: [at.x + centreM[0], at.y + centreM[1], at.z + centreM[2]],
          rotation: [turn.x, turn.y, turn.z, turn.w],
        };
      }),
    dispose: () => world.free(),
  };
}

/** Puts shapes into a world. */
function createBuilder(engine: Engine, world: World, scene: PhysicsScene, centreM: Vector3) {
  const { friction, restitution } = scene;

  function pieceOf(
    placed: PlacedShape,
    pose: Pose,
    rigid: RigidBody | undefined,
    surface: { friction: number; restitution: number },
  ): Piece {
    const description = describe(engine, placed);
    const { positionM, rotation } = withOffset(placed, pose);
    description
      .setTranslation(...positionM)
      .setRotation(quaternionOf(rotation))
      .setFriction(surface.friction)
      .setRestitution(surface.restitution);
    return { ...placed, collider: world.createCollider(description, rigid) };
  }

  return {
    stationary: (placed: PlacedShape): Piece =>
      pieceOf(placed, relative(placed.pose, centreM), undefined, { friction, restitution }),
    mover: ({ law, parts }: Mover) => {
      const frame = frameAt(law, 0);
      const rigid = world.createRigidBody(
        posed(engine.RigidBodyDesc.kinematicPositionBased(), relative(frame, centreM)),
      );
      const pieces = parts.map((placed) =>
        pieceOf(placed, aFromB(frame, placed.pose), rigid, { friction, restitution }),
      );
      return { law, rigid, pieces };
    },
    body: ({ document, parts, name }: Body) => {
      const [first] = parts;
      if (first === undefined) throw new Error(`body '${name}' has no parts`);
      const rigid = world.createRigidBody(
        posed(engine.RigidBodyDesc.dynamic(), relative(first.pose, centreM)).setCcdEnabled(true),
      );
      const pieces = parts.map((placed) =>
        pieceOf(placed, aFromB(first.pose, placed.pose), rigid, document),
      );
      const flat = pieces.find(({ collider }) => !(collider.volume() > 0));
      if (flat !== undefined) {
        throw badInput('scene.instances', `expected a body with a volume, found '${flat.name}'`);
      }
      const volumeM3 = pieces.reduce((sum, { collider }) => sum + collider.volume(), 0);
      const { massKg, densityKgPerM3 } = document;
      const density = massKg === undefined ? densityKgPerM3 : massKg / volumeM3;
      for (const { collider } of pieces) collider.setDensity(density);
      rigid.recomputeMassPropertiesFromColliders();
      const [x, y, z] = document.velocityMPerS;
      rigid.setLinvel({ x, y, z }, true);
      const [tx, ty, tz] = document.turnDegPerS.map(radians) as Vector3;
      rigid.setAngvel({ x: tx, y: ty, z: tz }, true);
      return { rigid, pieces };
    },
  };
}

function posed<
  T extends { setTranslation(x: number, y: number, z: number): T; setRotation(q: object): T },
>(description: T, { positionM, rotation }: Pose): T {
  return description.setTranslation(...positionM).setRotation(quaternionOf(rotation));
}

/** The shape of a collider about its own origin; withOffset has the place of that. */
function describe(
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

/** The first other that a body is too deep in. */
function firstOverlap(
  own: readonly Piece[],
  others: readonly Piece[],
): Omit<Overlap, 'body'> | null {
  for (const piece of own) {
    const extents = piece.maxM.map((m, axis) => m - (piece.minM[axis] ?? 0));
    const allowedM = maxDepthShare * Math.min(...extents);
    for (const other of others) {
      if (!boxesMeet(piece, other)) continue;
      const depthM = depthIn(piece, other);
      if (depthM > allowedM) return { part: piece.name, other: other.name, depthM };
    }
  }
  return null;
}

function depthIn(piece: Piece, other: Piece): number {
  const contact = piece.collider.contactCollider(other.collider, 0);
  if (contact !== null || other.shape.kind !== 'heights') return -(contact?.distance ?? 0);
  // Why: below the ground there is nothing to be in contact with.
  const [x, y, z] = middle(piece);
  const [atX, atY, atZ] = other.pose.positionM;
  return heightFieldTerrain(other.shape.field).heightM(x - atX, y - atY) + atZ - z;
}

function middle({ minM, maxM }: PlacedShape): Vector3 {
  return minM.map((m, axis) => (m + (maxM[axis] ?? 0)) / 2) as Vector3;
}

function boxesMeet(a: PlacedShape, b: PlacedShape): boolean {
  return [0, 1, 2].every((axis) => {
    const [fromA = 0, toA = 0] = [a.minM[axis], a.maxM[axis]];
    return fromA <= (b.maxM[axis] ?? 0) && toA >= (b.minM[axis] ?? 0);
  });
}

/** A whole number of metres. */
function middleOf(bodies: readonly Body[]): Vector3 {
  const places = bodies.flatMap(({ parts }) => parts.map(({ pose }) => pose.positionM));
  const mean = (axis: 0 | 1 | 2): number => {
    const sum = places.reduce((total, place) => total + place[axis], 0);
    return Math.round(sum / Math.max(1, places.length));
  };
  return [mean(0), mean(1), mean(2)];
}

function scaled(points: Float32Array, scale: number): Float32Array {
  return scale === 1 ? points : points.map((m) => m * scale);
}

function relative({ positionM, rotation }: Pose, centreM: Vector3): Pose {
  return { positionM: minus(positionM, centreM), rotation };
}

function minus(a: Vector3, b: Vector3): Vector3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function vectorOf([x, y, z]: Vector3): { x: number; y: number; z: number } {
  return { x, y, z };
}

function quaternionOf([x, y, z, w]: Pose['rotation']): {
  x: number;
  y: number;
  z: number;
  w: number;
} {
  return { x, y, z, w };
}
