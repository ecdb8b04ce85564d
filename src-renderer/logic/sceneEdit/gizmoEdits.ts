// Edits of the scenario's text by moving, turning or scaling an object by hand.
import { originOf, toWorld } from '#contract/worldOrigin.ts';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { Pose } from '#contract/pose.ts';
import { degrees } from '#domain/shared/numbers.ts';
import { aFromB, attitudeOf } from '#domain/shared/pose.ts';

interface HandPose {
  positionM: readonly [number, number, number];
  rotation: readonly [number, number, number, number];
  scale: number;
}

/**
 * For a placed instance or a wall of this name; poses are relative to the origin of the scene. `frame`: that of its
 * motion now; null: it is stationary. Null where the document has neither.
 */
export function poseEdits(
  { scene }: Scenario,
  name: string,
  before: HandPose,
  after: HandPose,
  frame: Pose | null = null,
): DocumentEdit[] | null {
  const index = scene.instances.findIndex((one) => one.name === name);
  const inFrame = (pose: HandPose): HandPose => {
    const { positionM, rotation, scale } = pose;
    if (frame === null) return pose;
    return { ...aFromB(frame, { positionM: [...positionM], rotation: [...rotation] }), scale };
  };
  if (index >= 0) return instanceEdits(scene, index, inFrame(before), inFrame(after));
  const wall = scene.walls.findIndex((one) => one.name === name);
  const originM = originOf(scene);
  const inWorld = (pose: HandPose): HandPose => {
    return { ...pose, positionM: toWorld(originM, pose.positionM) };
  };
  return wall >= 0 ? wallEdits(scene, wall, inWorld(before), inWorld(after)) : null;
}

function instanceEdits(
  { instances }: Scenario['scene'],
  index: number,
  before: HandPose,
  after: HandPose,
): DocumentEdit[] {
  const instance = instances[index];
  if (instance === undefined) return [];
  const set = (key: string, value: unknown): DocumentEdit => ({
    path: ['scene', 'instances', index, key],
    op: 'set',
    value,
  });
  const edits: DocumentEdit[] = [];
  // Why differences: the document's z may be a height above ground, which is not known here.
  const moved = instance.positionM.map((value, axis) =>
    rounded(value + at(after.positionM, axis) - at(before.positionM, axis), 3),
  );
  if (moved.some((value, axis) => value !== rounded(at(instance.positionM, axis), 3))) {
    edits.push(set('positionM', moved));
  }
  const angles = anglesDeg(after.rotation);
  const were = anglesDeg(before.rotation);
  for (const key of ['yawDeg', 'pitchDeg', 'rollDeg'] as const) {
    if (rounded(angles[key], 2) !== rounded(were[key], 2))
      edits.push(set(key, rounded(angles[key], 2)));
  }
  const scale = rounded((instance.scale * after.scale) / before.scale, 4);
  if (scale !== rounded(instance.scale, 4)) edits.push(set('scale', scale));
  return edits;
}

/** A wall is its two ends: it is moved and turned on the level, and never scaled. */
function wallEdits(
  { walls }: Scenario['scene'],
  index: number,
  before: HandPose,
  after: HandPose,
): DocumentEdit[] {
  const wall = walls[index];
  if (wall === undefined) return [];
  const turnRad = attitudeOf([...after.rotation]).yawRad - attitudeOf([...before.rotation]).yawRad;
  const [cos, sin] = [Math.cos(turnRad), Math.sin(turnRad)];
  const [fromX, fromY] = before.positionM;
  const [toX, toY] = after.positionM;
  return (['fromM', 'toM'] as const).flatMap((key) => {
    const [x, y] = [wall[key][0] - fromX, wall[key][1] - fromY];
    const value = [rounded(toX + cos * x - sin * y, 3), rounded(toY + sin * x + cos * y, 3)];
    const isSame = value.every((one, axis) => one === rounded(at(wall[key], axis), 3));
    return isSame ? [] : [{ path: ['scene', 'walls', index, key], op: 'set' as const, value }];
  });
}

/** REP-103: Rz(yaw) · Ry(pitch) · Rx(roll). */
export function anglesDeg(rotation: readonly [number, number, number, number]): {
  yawDeg: number;
  pitchDeg: number;
  rollDeg: number;
} {
  const { yawRad, pitchRad, rollRad } = attitudeOf([...rotation]);
  return { yawDeg: degrees(yawRad), pitchDeg: degrees(pitchRad), rollDeg: degrees(rollRad) };
}

/** To so many places, without "-0". */
export function rounded(value: number, places: number): number {
  return Number(value.toFixed(places)) + 0;
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
