// Rays and returns of a pulse from the columns of scene.pulse.
import { expect, it } from 'vitest';
import { pulseRays, pulseReturns } from '#renderer/logic/pulse/pulseTable.ts';

const f64 = (...values: number[]) => Float64Array.from(values);
const u16 = (...values: number[]) => Uint16Array.from(values);

it('gathers the hits of a ray, nearest first, and keeps rays that hit nothing', () => {
  // Ray 1 goes through a leaf to a wall; ray 0 hits nothing.
  const rays = pulseRays({
    ray: u16(1, 1, 0),
    hit_no: u16(1, 2, 0),
    weight: f64(0.75, 0.75, 0.25),
    left_m: f64(0.1, 0.1, 0),
    up_m: f64(0, 0, -0.1),
    range_m: f64(5, 9, 0),
    share: f64(0.6, 0.4, 0),
    object_id: u16(3, 4, 0),
    hit_x_m: f64(5, 9, 0),
  });
  expect(rays.map(({ ray, hits }) => [ray, hits.length])).toEqual([
    [0, 0],
    [1, 2],
  ]);
  const [, seen] = rays;
  expect(seen?.hits.map(({ rangeM, objectId }) => [rangeM, objectId])).toEqual([
    [5, 3],
    [9, 4],
  ]);
  // The weight of a hit is its share of the ray's.
  expect(seen?.hits.map(({ weight }) => weight)).toEqual([0.75 * 0.6, 0.75 * 0.4]);
  expect(seen?.hits[1]?.positionM[0]).toBe(9);
});

it('gives the returns in the order of the host, and none of a pulse without', () => {
  const returns = pulseReturns({
    return_pulse: f64(7, 7),
    return_return_no: u16(1, 2),
    return_range_m: f64(5, 9),
    return_range_clean_m: f64(5.01, 8.99),
    return_class_id: u16(2, 1),
  });
  expect(
    returns.map(({ returnNo, rangeM, rangeCleanM, classId }) => [
      returnNo,
      rangeM,
      rangeCleanM,
      classId,
    ]),
  ).toEqual([
    [1, 5, 5.01, 2],
    [2, 9, 8.99, 1],
  ]);
  expect(pulseReturns({})).toEqual([]);
});
