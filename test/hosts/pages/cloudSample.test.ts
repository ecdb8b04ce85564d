import { expect, it } from 'vitest';
import { cloudData } from '#hosts/pages/cloudData.ts';
import { createCloudSampler } from '#hosts/pages/cloudSample.ts';

/** A square of points in steps of 1 cm, the same in each call. */
function square(side: number) {
  const count = side * side;
  const along = (at: number): number => 0.01 * (at % side);
  const across = (at: number): number => 0.01 * Math.floor(at / side);
  return {
    rows: count,
    table: {
      x_m: Float32Array.from({ length: count }, (_, at) => along(at)),
      y_m: Float32Array.from({ length: count }, (_, at) => across(at)),
      z_m: new Float32Array(count).fill(-3),
      intensity: Float32Array.from({ length: count }, (_, at) => at / count),
      class_id: new Uint16Array(count).fill(2),
    },
  };
}

it('stores one point in each cube, whose side grows until there is room', () => {
  const sampler = createCloudSampler(1000);
  const { table, rows } = square(200);
  sampler.add(table, rows);
  const { count, seen, cubeM, xM, yM } = sampler.sample();
  expect(seen).toBe(40_000);
  expect(count).toBeLessThanOrEqual(1000);
  // The square of 2 m has (2 / cube + 1)² cubes at most.
  expect(count).toBeLessThanOrEqual((2 / cubeM + 1) ** 2);
  // At 1.25² the number of cubes of a step before, less than a tenth of the room was free.
  expect(count).toBeGreaterThan((0.9 * 1000) / 1.25 ** 2 / 1.3);
  const cubes = new Set<string>();
  for (let at = 0; at < count; at += 1) {
    cubes.add([xM[at], yM[at]].map((m) => Math.floor((m ?? 0) / cubeM)).join());
  }
  expect(cubes.size).toBe(count);
});

it('leaves out returns without a position, and takes all others where there is room', () => {
  const sampler = createCloudSampler(100);
  const x_m = Float32Array.of(0, NaN, 5);
  sampler.add({ x_m, y_m: new Float32Array(3), z_m: new Float32Array(3) }, 3);
  expect(sampler.sample()).toMatchObject({ seen: 2, count: 2 });
  expect([...sampler.sample().xM]).toEqual([0, 5]);
});

it('holds places to half a step of two bytes, and intensities to one', () => {
  const sampler = createCloudSampler(100_000);
  const { table, rows } = square(100);
  sampler.add(table, rows);
  const sample = sampler.sample();
  const { head, base64 } = cloudData(sample, ['ground', 'wall', 'tree'], [[0, 0, 1.23456]]);
  const bytes = Buffer.from(base64, 'base64');
  expect(bytes).toHaveLength(8 * sample.count);
  for (const [axis, values] of [sample.xM, sample.yM, sample.zM].entries()) {
    const [minM = NaN, stepM = NaN] = [head.minM[axis], head.stepM[axis]];
    for (let at = 0; at < sample.count; at += 997) {
      const placeM = minM + bytes.readUInt16LE(2 * (axis * sample.count + at)) * stepM;
      // The corner is stated to the millimetre.
      expect(Math.abs(placeM - (values[at] ?? NaN))).toBeLessThan(stepM / 2 + 5e-4);
    }
  }
  const shares = [...bytes.subarray(6 * sample.count, 7 * sample.count)];
  expect([Math.min(...shares), Math.max(...shares)]).toEqual([0, 255]);
  expect(head.classes).toMatchObject([{ id: 2, name: 'tree' }]);
  expect(head.pathM).toEqual([0, 0, 1.235]);
});
