// Attitudes in degrees against Rz(yaw)·Ry(pitch)·Rx(roll) written out, and which way each angle turns.
import { describe, expect, it } from 'vitest';
import { rotate, rotationFromDegrees } from '#domain/shared/pose.ts';

type Matrix = [number, number, number][];

function product(a: Matrix, b: Matrix): Matrix {
  return a.map(([x, y, z]) => {
    const [r, s, t] = b;
    if (!r || !s || !t) throw new Error('expected 3 × 3');
    return [0, 1, 2].map((i) => x * (r[i] ?? 0) + y * (s[i] ?? 0) + z * (t[i] ?? 0)) as [
      number,
      number,
      number,
    ];
  });
}

/** Rz(yaw)·Ry(pitch)·Rx(roll), written out. */
function matrixOf(yawDeg: number, pitchDeg: number, rollDeg: number): Matrix {
  const [y, p, r] = [yawDeg, pitchDeg, rollDeg].map((deg) => (deg * Math.PI) / 180);
  const [cy, sy, cp, sp, cr, sr] = [y, p, r].flatMap((a = 0) => [Math.cos(a), Math.sin(a)]) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const rz: Matrix = [
    [cy, -sy, 0],
    [sy, cy, 0],
    [0, 0, 1],
  ];
  const ry: Matrix = [
    [cp, 0, sp],
    [0, 1, 0],
    [-sp, 0, cp],
  ];
  const rx: Matrix = [
    [1, 0, 0],
    [0, cr, -sr],
    [0, sr, cr],
  ];
  return product(rz, product(ry, rx));
}

describe('rotationFromDegrees', () => {
  it.each([
    [0, 0, 0],
    [90, 0, 0],
    [0, 30, 0],
    [0, 0, -45],
    [37, -12, 160],
    [-170, 80, 25],
  ])('turns like Rz(%d)·Ry(%d)·Rx(%d)', (yaw, pitch, roll) => {
    const rotation = rotationFromDegrees(yaw, pitch, roll);
    expect(Math.hypot(...rotation)).toBeCloseTo(1, 14);
    const matrix = matrixOf(yaw, pitch, roll);
    for (const [axis, unit] of (
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ] as [number, number, number][]
    ).entries()) {
      const turned = rotate(rotation, unit);
      for (const row of [0, 1, 2]) {
        expect(turned[row]).toBeCloseTo(matrix[row]?.[axis] ?? NaN, 14);
      }
    }
  });

  it('lowers the nose with positive pitch and the right side with positive roll', () => {
    expect(rotate(rotationFromDegrees(0, 10, 0), [1, 0, 0])[2]).toBeLessThan(0);
    expect(rotate(rotationFromDegrees(0, 0, 10), [0, -1, 0])[2]).toBeLessThan(0);
  });
});
