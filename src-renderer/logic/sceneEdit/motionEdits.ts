// Edits of motions and of the instances that move with them: another kind, another motion of an instance. An instance that
// gets another motion stays where it is at time 0. Laws are those of the document; where a file has the poses, those of
// the scene as it was built.
import { isInOwnFrame, type MotionDocument } from '#contract/documents/motion.ts';
import { newPhysics } from '#contract/documents/physics.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { field, items } from '#contract/documents/unknownData.ts';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import type { Pose } from '#contract/host/run.ts';
import type { MotionLaw, MotionRecipe } from '#contract/worker/motions.ts';
import { originOf, toScene, toWorld, type OriginM } from '#contract/worldOrigin.ts';
import { placingFrameAt, statedLaw } from '#domain/shared/motion/laws.ts';
import { aFromB, compose, rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';
import { anglesDeg, rounded } from './gizmoEdits.ts';
import { dustUsers } from './sceneChanges.ts';

type Scene = Scenario['scene'];
type Motions = readonly MotionRecipe[];

/** The frame of an instance at time 0, relative to the origin of the scene; or the world. */
interface Placing {
  worldFromFrame: Pose;
  /** Its coordinates are relative to the origin of the scene, or the frame's own. */
  isOwn: boolean;
}

const world: Placing = {
  worldFromFrame: { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] },
  isOwn: false,
};

/** The law of a motion of the built scene; null: it has none of this name. */
export function lawNamed(motions: Motions, name: unknown): MotionLaw | null {
  return motions.find((one) => one.name === name)?.law ?? null;
}

/** The same of the document, which may be ahead of the built scene. */
function lawIn(scene: Scene, motions: Motions, name: string): MotionLaw | null {
  const stated = scene.motions?.[name];
  const law = stated === undefined ? null : statedLaw(stated, originOf(scene));
  return law ?? lawNamed(motions, name);
}

/** Gives an instance another motion; undefined: it is stationary. */
export function motionEdits(
  scene: Scene,
  motions: Motions,
  index: number,
  name: string | undefined,
): DocumentEdit[] {
  const path = ['scene', 'instances', index, 'motion'];
  const before = placingOf(scene, motions, scene.instances[index]?.motion);
  const after = placingOf(scene, motions, name);
  const edit: DocumentEdit =
    name === undefined ? { path, op: 'remove' } : { path, op: 'set', value: name };
  return [edit, ...placingEdits(scene, index, before, after)];
}

/** All instances with a motion are stationary, and it raises no dust. */
export function stopEdits(scene: Scene, motions: Motions, name: string): DocumentEdit[] {
  const stopped = usersOf(scene, name).flatMap((index) =>
    motionEdits(scene, motions, index, undefined),
  );
  // The last first: those behind one that is removed move up.
  const settled = dustUsers(scene, name).toReversed();
  return [...stopped, ...settled.map((path): DocumentEdit => ({ path, op: 'remove' }))];
}

/** A place of the world at a time, as the position of an instance has it then. */
export function placeInFrame(
  scene: Scene,
  motions: Motions,
  index: number,
  timeS: number,
  placeM: readonly [number, number, number],
): Vector3 {
  const name = scene.instances[index]?.motion;
  const law = name === undefined ? null : lawIn(scene, motions, name);
  if (law === null) return [...placeM];
  const originM = originOf(scene);
  const { worldFromFrame } = world;
  const inScene = { ...worldFromFrame, positionM: toScene(originM, placeM) };
  const frame = placingFrameAt(scene, { name: name ?? '', law }, timeS);
  const { positionM } = aFromB(frame, inScene);
  return isInOwnFrame(scene, name)
    ? [rounded(positionM[0], 3), rounded(positionM[1], 3), rounded(positionM[2], 3)]
    : toWorld(originM, positionM);
}

/** Another kind of motion, at the same place. `scene`: null while the document has problems. */
export function motionKindEdits(
  scene: Scene | null,
  motions: Motions,
  { name, data, kind }: { name: string; data: unknown; kind: string },
): DocumentEdit[] {
  const placeM = placeOf(data);
  const value = { kind, ...beginnings[kind]?.(placeM, data) };
  const whole: DocumentEdit = { path: ['scene', 'motions', name], op: 'set', value };
  // The poses of a file are not known here.
  if (scene === null || kind === 'trajectory') return [whole];
  const isOwn = isInOwnFrame({ motions: { [name]: { kind } as MotionDocument } }, name);
  const positionM = toScene(originOf(scene), placeM);
  const after = isOwn ? { isOwn, worldFromFrame: { ...world.worldFromFrame, positionM } } : world;
  const before = placingOf(scene, motions, name);
  return [
    whole,
    ...(kind === 'baked' && scene.physics === undefined ? [physicsEdit] : []),
    ...usersOf(scene, name).flatMap((index) => placingEdits(scene, index, before, after)),
  ];
}

/** Bodies need it; `understory scenario bake` writes the file. */
const physicsEdit: DocumentEdit = { path: ['scene', 'physics'], op: 'set', value: newPhysics };

/** Fields that a kind of motion begins with, at a place of the world. */
const beginnings: Record<
  string,
  (placeM: [number, number, number], before: unknown) => Record<string, unknown>
> = {
  keyframes: ([x, y, z]) => ({
    keyframes: [
      { timeS: 0, positionM: [x, y, z] },
      { timeS: 5, positionM: [rounded(x + 5, 3), y, z] },
    ],
  }),
  path: ([x, y, z]) => ({
    pointsM: [
      [x, y, z],
      [rounded(x + 10, 3), y, z],
    ],
    speedMPerS: 1.5,
  }),
  trajectory: () => ({ file: 'poses.tum' }),
  baked: () => ({}),
  rotating: (pivotM, before) => ({ pivotM, ...axisOf(before), rateDegPerS: 30 }),
  swinging: (pivotM, before) => ({ pivotM, ...axisOf(before), amplitudeDeg: 30, periodS: 4 }),
};

function axisOf(motion: unknown): { axis?: unknown } {
  const axis = field(motion, 'axis');
  return axis === undefined ? {} : { axis };
}

/** Where a motion is at first, whatever its kind. */
function placeOf(motion: unknown): [number, number, number] {
  const [first] = items(field(motion, 'keyframes'));
  const [corner] = items(field(motion, 'pointsM'));
  const [x, y, z] = items(field(motion, 'pivotM') ?? field(first, 'positionM') ?? corner);
  const isPlace = [x, y, z].every((one) => typeof one === 'number' && Number.isFinite(one));
  return isPlace ? [Number(x), Number(y), Number(z)] : [0, 0, 0];
}

function usersOf({ instances }: Scene, name: string): number[] {
  return instances.flatMap(({ motion }, index) => (motion === name ? [index] : []));
}

/** Null: the scene was not built with this motion, the poses of which are in a file. */
function placingOf(scene: Scene, motions: Motions, name: string | undefined): Placing | null {
  if (name === undefined) return world;
  const law = lawIn(scene, motions, name);
  if (law === null) return null;
  const worldFromFrame = placingFrameAt(scene, { name, law }, 0);
  return { worldFromFrame, isOwn: isInOwnFrame(scene, name) };
}

/** The place of an instance as another frame has it: positions in millimetres, angles in hundredths of a degree. */
function placingEdits(
  scene: Scene,
  index: number,
  before: Placing | null,
  after: Placing | null,
): DocumentEdit[] {
  const instance = scene.instances[index];
  if (instance === undefined || before === null || after === null) return [];
  const [ox, oy, oz] = originOf(scene);
  // On the ground z is a height above it, of which the origin says nothing.
  const originM: OriginM = [ox, oy, instance.onGround ? 0 : oz];
  const { yawDeg, pitchDeg, rollDeg } = instance;
  const inFrame = {
    positionM: before.isOwn ? instance.positionM : toScene(originM, instance.positionM),
    rotation: rotationFromDegrees(yawDeg, pitchDeg, rollDeg),
  };
  const placed = aFromB(after.worldFromFrame, compose(before.worldFromFrame, inFrame));
  const positionM = after.isOwn ? placed.positionM : toWorld(originM, placed.positionM);
  const was = { positionM: instance.positionM, yawDeg, pitchDeg, rollDeg };
  const angles = Object.entries(anglesDeg(placed.rotation)).map(
    ([key, value]) => [key, rounded(value, 2)] as const,
  );
  const now = {
    positionM: positionM.map((one) => rounded(one, 3)),
    ...Object.fromEntries(angles),
  };
  return Object.entries(now).flatMap(([key, value]) => {
    const isSame = JSON.stringify(was[key as keyof typeof was]) === JSON.stringify(value);
    const path = ['scene', 'instances', index, key];
    return isSame ? [] : [{ path, op: 'set' as const, value }];
  });
}
