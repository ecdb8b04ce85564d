// Poses as KITTI writes them: 3 × 4 matrices, row by row, from the camera's axes (x right, y down, z ahead) to those of
// the first frame.
import type { Pose } from '#contract/host/run.ts';
import { wrapAngle } from '#domain/shared/numbers.ts';
import type { RecordedObjects } from '#services/ports/recordings.ts';

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

/** A rigid transform: worldFromBody. */
export interface Rigid {
  rotation: Matrix;
  positionM: Vector;
}

/** cameraFromSensor: x right, y down, z ahead, from x ahead, y left, z up. No translation. */
const cameraAxes: Matrix = [
  [0, -1, 0],
  [0, 0, -1],
  [1, 0, 0],
];

/** calib.txt: four cameras of no use, and Tr, which takes a point of the sensor into the camera's axes. */
export const kittiCalibration = [
  ...['P0', 'P1', 'P2', 'P3'].map((name) => `${name}: 1 0 0 0 0 1 0 0 0 0 1 0`),
  `Tr: ${cameraAxes.map((row) => [...row, 0].join(' ')).join(' ')}`,
  '',
].join('\n');

/** The transform of a pose. */
export function rigidOf({ positionM, rotation: [x, y, z, w] }: Pose): Rigid {
  return {
    positionM,
    rotation: [
      [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ],
  };
}

/** A point of the world in the body's frame. */
export function toBody({ rotation, positionM }: Rigid, point: Vector): Vector {
  return times(transposed(rotation), minus(point, positionM));
}

/** The line of a pose: from its camera's axes to those of the first pose. */
export function kittiPose(first: Pose, pose: Pose): string {
  const [from, to] = [rigidOf(pose), rigidOf(first)];
  const firstFromBody = product(transposed(to.rotation), from.rotation);
  const rotation = product(product(cameraAxes, firstFromBody), transposed(cameraAxes));
  const position = times(cameraAxes, toBody(to, from.positionM));
  // Why + 0: no minus before a zero.
  return rotation
    .flatMap((row, index) => [...row, position[index] ?? 0].map((n) => n + 0))
    .join(' ');
}

/**
 * The label of a box without its frame and track: class, truncation (-1: not stated), occlusion (3: unknown), observation
 * angle, image box (none), height, width, length, the middle of its bottom in the camera's axes, and the turn about the
 * camera's y axis, 0 where it heads to the right.
 */
export function kittiBox(
  { class: className, pose, sizeM }: RecordedObjects['objects'][number],
  worldFromSensor: Pose,
): string {
  const [length, width, height] = sizeM;
  const own = rigidOf(pose);
  const bottom = plus(own.positionM, times(own.rotation, [0, 0, -height / 2]));
  const sensor = rigidOf(worldFromSensor);
  const [x, y, z] = times(cameraAxes, toBody(sensor, bottom));
  const ahead = times(cameraAxes, times(transposed(sensor.rotation), columnOf(own.rotation, 0)));
  const turnRad = Math.atan2(-ahead[2], ahead[0]);
  const seenRad = wrapAngle(turnRad - Math.atan2(x, z));
  const numbers = [seenRad, -1, -1, -1, -1, height, width, length, x, y, z, turnRad];
  return [className, -1, 3, ...numbers.map((n) => Number(n.toFixed(6)) + 0)].join(' ');
}

function columnOf(matrix: Matrix, column: 0 | 1 | 2): Vector {
  return [matrix[0][column], matrix[1][column], matrix[2][column]];
}

function plus(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function times(matrix: Matrix, [x, y, z]: Vector): Vector {
  const row = ([a, b, c]: Vector): number => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

function transposed([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
}

function product(a: Matrix, b: Matrix): Matrix {
  return transposed([
    times(a, transposed(b)[0]),
    times(a, transposed(b)[1]),
    times(a, transposed(b)[2]),
  ]);
}
