// Several parts with one set of handles in their middle: where each object is, and how shapes on the ground change, once the
// handles were moved, turned or scaled.
import { attitudeOf, multiply, rotate } from '#domain/shared/pose.ts';
import type { RowPose } from '#renderer/logic/scene/instanceTable.ts';
import type { ShapeChange } from './shapeEdits.ts';

/** The handles of some objects: those of a single one are its own, of several in their middle, level. */
export function groupPivot(poses: readonly RowPose[]): RowPose | null {
  const [first] = poses;
  if (first === undefined || poses.length === 1) return first ?? null;
  const middle = (axis: 0 | 1 | 2): number =>
    poses.reduce((sum, { positionM }) => sum + positionM[axis], 0) / poses.length;
  return { positionM: [middle(0), middle(1), middle(2)], rotation: [0, 0, 0, 1], scale: 1 };
}

/** The pose of an object of the group, by the handles as they were and as they are. */
export function carriedPose(pose: RowPose, before: RowPose, after: RowPose): RowPose {
  if (pose === before) return after;
  const scale = after.scale / before.scale;
  const awayM = pose.positionM.map(
    (value, axis) => scale * (value - (before.positionM[axis] ?? 0)),
  );
  const [x = 0, y = 0, z = 0] = rotate(after.rotation, [
    awayM[0] ?? 0,
    awayM[1] ?? 0,
    awayM[2] ?? 0,
  ]);
  const [atX, atY, atZ] = after.positionM;
  return {
    positionM: [atX + x, atY + y, atZ + z],
    rotation: multiply(after.rotation, pose.rotation),
    scale: pose.scale * scale,
  };
}

/** The change of a shape of the group by its handles, on the level. */
export function carriedChange(
  before: RowPose,
  after: RowPose,
): Extract<ShapeChange, { kind: 'move' }> {
  const [fromX, fromY] = before.positionM;
  const [toX, toY] = after.positionM;
  return {
    kind: 'move',
    byM: [toX - fromX, toY - fromY],
    turnRad: attitudeOf([...after.rotation]).yawRad,
    scale: after.scale / before.scale,
    aboutM: [fromX, fromY],
  };
}
