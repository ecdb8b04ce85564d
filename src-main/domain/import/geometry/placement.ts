// Linear maps of foreign scenes as the pose of an instance: a rotation and one scale, or what remains for the mesh.
import { clamp, degrees } from '#domain/shared/numbers.ts';
import { tidy } from '../importedScene.ts';

/** Rows of a 3 × 3 matrix, one after another. */
export type Matrix3 = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

export const identity3: Matrix3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** From y up to z up: (x, y, z) becomes (x, -z, y). */
export const zUpFromYUp: Matrix3 = [1, 0, 0, 0, 0, -1, 0, 1, 0];

/** The map that does `b` first and then `a`. */
export function multiply3(a: Matrix3, b: Matrix3): Matrix3 {
  const at = (row: number, column: number): number => {
    let sum = 0;
    for (let n = 0; n < 3; n += 1) sum += (a[3 * row + n] ?? 0) * (b[3 * n + column] ?? 0);
    return sum;
  };
  return [
    ...([at(0, 0), at(0, 1), at(0, 2)] as const),
    ...([at(1, 0), at(1, 1), at(1, 2)] as const),
    ...([at(2, 0), at(2, 1), at(2, 2)] as const),
  ];
}

export function transpose3(m: Matrix3): Matrix3 {
  return [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
}

export function apply3(m: Matrix3, [x, y, z]: readonly [number, number, number]) {
  return [
    m[0] * x + m[1] * y + m[2] * z,
    m[3] * x + m[4] * y + m[5] * z,
    m[6] * x + m[7] * y + m[8] * z,
  ] as [number, number, number];
}

export function determinant3(m: Matrix3): number {
  return (
    m[0] * (m[4] * m[8] - m[5] * m[7]) -
    m[1] * (m[3] * m[8] - m[5] * m[6]) +
    m[2] * (m[3] * m[7] - m[4] * m[6])
  );
}

/** A turn about one axis, counter-clockwise seen against it. */
export function rotation3(axis: 'x' | 'y' | 'z', angleRad: number): Matrix3 {
  const [c, s] = [Math.cos(angleRad), Math.sin(angleRad)];
  if (axis === 'x') return [1, 0, 0, 0, c, -s, 0, s, c];
  return axis === 'y' ? [c, 0, s, 0, 1, 0, -s, 0, c] : [c, -s, 0, s, c, 0, 0, 0, 1];
}

export function scale3(x: number, y = x, z = x): Matrix3 {
  return [x, 0, 0, 0, y, 0, 0, 0, z];
}

/** Angles and scale of an instance; those of zero and a scale of one are left out. */
export interface Turn {
  yawDeg?: number;
  pitchDeg?: number;
  rollDeg?: number;
  scale?: number;
}

/** A rotation with one positive scale as an instance has it; null: the map shears, mirrors or scales unequally. */
export function turnOf(m: Matrix3): Turn | null {
  const determinant = determinant3(m);
  if (!(determinant > 0)) return null;
  const scale = Math.cbrt(determinant);
  const r = m.map((value) => value / scale) as unknown as Matrix3;
  // The rows of a rotation are orthonormal. 1e-5 of a 10 m object is 0.1 mm; numbers of six digits are within 5e-6.
  const product = multiply3(r, transpose3(r));
  if (product.some((value, at) => Math.abs(value - (identity3[at] ?? 0)) > 1e-5)) return null;
  const sinPitch = clamp(-r[6], -1, 1);
  // Straight up or down, yaw and roll turn about one axis: all of it is yaw.
  const isVertical = Math.abs(sinPitch) > 1 - 1e-9;
  const yaw = isVertical ? Math.atan2(-r[1], r[4]) : Math.atan2(r[3], r[0]);
  const roll = isVertical ? 0 : Math.atan2(r[7], r[8]);
  const turn = {
    yawDeg: tidy(degrees(yaw), 6),
    pitchDeg: tidy(degrees(Math.asin(sinPitch)), 6),
    rollDeg: tidy(degrees(roll), 6),
  };
  const angles = Object.entries(turn).filter(([, angle]) => angle !== 0);
  const factor = Number(scale.toPrecision(8));
  return { ...(Object.fromEntries(angles) as Turn), ...(factor !== 1 && { scale: factor }) };
}
