// Rigid bodies in steps of 5 ms with Rapier, whose deterministic build gives the same bytes on every machine. Lengths are
// relative to a place amid the bodies: the engine computes in single precision.
import type { RigidBody, World } from '@dimforge/rapier3d-deterministic-compat';
import { badInput } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import { radians } from '#domain/shared/numbers.ts';
import { aFromB, type Vector3 } from '#domain/shared/pose.ts';
import { bakeStepS } from './bakeText.ts';
import { addCollider, quaternionOf, type Engine, type Piece } from './colliders.ts';
import { overlapsOf, type Overlap } from './overlaps.ts';
import type { Body, Mover, PhysicsScene, PlacedShape } from './physicsScene.ts';

/** Steps of the engine between two poses. */
const stepsBetween = 2;

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
    overlaps: () => overlapsOf(bodies, [...stationary, ...movers.flatMap(({ pieces }) => pieces)]),
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
function createBuilder(
  engine: Engine,
  world: World,
  { friction, restitution }: PhysicsScene,
  centreM: Vector3,
) {
  const surface = { friction, restitution };
  return {
    stationary: (placed: PlacedShape): Piece =>
      addCollider(engine, world, placed, { pose: relative(placed.pose, centreM), surface }),
    mover: ({ law, parts }: Mover) => {
      const frame = frameAt(law, 0);
      const rigid = world.createRigidBody(
        posed(engine.RigidBodyDesc.kinematicPositionBased(), relative(frame, centreM)),
      );
      const pieces = parts.map((placed) =>
        addCollider(engine, world, placed, { pose: aFromB(frame, placed.pose), rigid, surface }),
      );
      return { law, rigid, pieces };
    },
    body: ({ document, parts, name }: Body) => {
      const [first] = parts;
      if (first === undefined) throw new Error(`body '${name}' has no parts`);
      const rigid = world.createRigidBody(
        posed(engine.RigidBodyDesc.dynamic(), relative(first.pose, centreM)).setCcdEnabled(true),
      );
      const pieces = parts.map((placed) => {
        const pose = aFromB(first.pose, placed.pose);
        return addCollider(engine, world, placed, { pose, rigid, surface: document });
      });
      setMass(rigid, pieces, document);
      const [x, y, z] = document.velocityMPerS;
      rigid.setLinvel({ x, y, z }, true);
      const [tx, ty, tz] = document.turnDegPerS.map(radians) as Vector3;
      rigid.setAngvel({ x: tx, y: ty, z: tz }, true);
      return { name, rigid, pieces };
    },
  };
}

/** @throws UnderstoryError 'bad-input' for a piece without a volume */
function setMass(
  rigid: RigidBody,
  pieces: readonly Piece[],
  { massKg, densityKgPerM3 }: Body['document'],
): void {
  const flat = pieces.find(({ collider }) => !(collider.volume() > 0));
  if (flat !== undefined) {
    throw badInput('scene.instances', `expected a body with a volume, found '${flat.name}'`);
  }
  const volumeM3 = pieces.reduce((sum, { collider }) => sum + collider.volume(), 0);
  const density = massKg === undefined ? densityKgPerM3 : massKg / volumeM3;
  for (const { collider } of pieces) collider.setDensity(density);
  rigid.recomputeMassPropertiesFromColliders();
}

function posed<
  T extends { setTranslation(x: number, y: number, z: number): T; setRotation(q: object): T },
>(description: T, { positionM, rotation }: Pose): T {
  return description.setTranslation(...positionM).setRotation(quaternionOf(rotation));
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

function relative({ positionM, rotation }: Pose, centreM: Vector3): Pose {
  return { positionM: minus(positionM, centreM), rotation };
}

function minus(a: Vector3, b: Vector3): Vector3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function vectorOf([x, y, z]: Vector3): { x: number; y: number; z: number } {
  return { x, y, z };
}
