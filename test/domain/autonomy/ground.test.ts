// The ground that a cloud shows, with returns that are not ground.
import { expect, test } from 'vitest';
import type { WheelPlane } from '#contract/worker/tickMap.ts';
import { createGroundGrid } from '#test/support/referenceGround.ts';
import type { PointBuffer } from '#test/support/referenceRegistration.ts';

const geometry = { cells: 400, cellM: 0.5, originM: [-100, -100] as [number, number] };
const level: WheelPlane = { xM: 0, yM: 0, zM: 0, slopeX: 0, slopeY: 0 };

/** Level ground at z = 0, a point every 0.7 m within 60 m, and more. */
function cloud(more: [number, number, number][] = []): PointBuffer {
  const points: [number, number, number][] = [...more];
  for (let x = -60; x <= 60; x += 0.7) {
    for (let y = -60; y <= 60; y += 0.7) points.push([x, y, 0]);
  }
  return {
    count: points.length,
    xM: Float64Array.from(points, ([x]) => x),
    yM: Float64Array.from(points, ([, y]) => y),
    zM: Float64Array.from(points, ([, , z]) => z),
    rangeM: Float32Array.from(points, ([x, y]) => Math.hypot(x, y)),
  };
}

test('a false alarm below the ground makes no pit', () => {
  const ground = createGroundGrid(geometry, true);
  ground.learn(cloud([[25, 10, -9]]), level);
  for (const [x, y] of [
    [25, 10],
    [20, 10],
    [27, 12],
  ] as const) {
    expect(Math.abs(ground.overPlaneM(x + 100, y + 100))).toBeLessThan(0.01);
  }
});

test('a ditch of several returns is ground', () => {
  const ground = createGroundGrid(geometry, true);
  const bottom = [24.2, 24.6, 25, 25.4, 25.8].map((x): [number, number, number] => [x, 11, -0.6]);
  ground.learn(cloud(bottom), level);
  expect(ground.overPlaneM(125, 111)).toBeLessThan(-0.4);
});

test('a hillside of 20° is ground', () => {
  const ground = createGroundGrid(geometry, true);
  const hill = cloud();
  hill.zM = hill.xM.map((x) => Math.max(0, x - 5) * Math.tan((20 * Math.PI) / 180));
  ground.learn(hill, level);
  expect(ground.overPlaneM(125, 100)).toBeCloseTo(20 * Math.tan((20 * Math.PI) / 180), 0);
});
