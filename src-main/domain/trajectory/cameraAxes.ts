// Poses in the axes of a camera (x right, y down, z ahead), as KITTI writes them, in the axes of REP-103 (x ahead,
// y left, z up).
import type { Pose } from '#contract/host/run.ts';
import type { Quaternion } from '#domain/shared/pose.ts';

/** For each axis of REP-103: the camera's axis along it, and its sign. */
const axes = [
  { cameraAxis: 2, sign: 1 },
  { cameraAxis: 0, sign: -1 },
  { cameraAxis: 1, sign: -1 },
];

/**
 * The pose of a 3 × 4 matrix, twelve numbers row by row, worldFromCamera with both in camera axes.
 * Null where its left part is no rotation within 1e-3.
 */
export function poseOfCameraMatrix(matrix: readonly number[]): Pose | null {
  const cell = (row: number, column: number): number => matrix[row * 4 + column] ?? Number.NaN;
  const rotation = axes.map((row) =>
    axes.map((column) => row.sign * column.sign * cell(row.cameraAxis, column.cameraAxis)),
  );
  if (!isRotation(rotation)) return null;
  const [x = 0, y = 0, z = 0] = axes.map((row) => row.sign * cell(row.cameraAxis, 3));
  return { positionM: [x, y, z], rotation: quaternionOfMatrix(rotation) };
}

function isRotation(rows: readonly number[][]): boolean {
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.NaN;
  for (let a = 0; a < 3; a += 1) {
    for (let b = a; b < 3; b += 1) {
      const dot = at(a, 0) * at(b, 0) + at(a, 1) * at(b, 1) + at(a, 2) * at(b, 2);
      if (!(Math.abs(dot - (a === b ? 1 : 0)) < 1e-3)) return false;
    }
  }
  const determinant =
    at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
    at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
    at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
  return determinant > 0;
}

/** Shepperd's method: the largest of the four parts first, so that nothing cancels. */
function quaternionOfMatrix(rows: readonly number[][]): Quaternion {
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  const [xx, yy, zz] = [at(0, 0), at(1, 1), at(2, 2)];
  const [x, y, z] = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz];
  const w = 1 + xx + yy + zz;
  const [yz, zx, xy] = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)];
  const [sumXy, sumZx, sumYz] = [at(1, 0) + at(0, 1), at(0, 2) + at(2, 0), at(2, 1) + at(1, 2)];
  const largest = Math.max(x, y, z, w);
  if (largest === w) return unit([yz, zx, xy, w]);
  if (largest === x) return unit([x, sumXy, sumZx, yz]);
  if (largest === y) return unit([sumXy, y, sumYz, zx]);
  return unit([sumZx, sumYz, z, xy]);
}

function unit([x, y, z, w]: Quaternion): Quaternion {
  const norm = Math.hypot(x, y, z, w);
  return [x / norm, y / norm, z / norm, w / norm];
}
