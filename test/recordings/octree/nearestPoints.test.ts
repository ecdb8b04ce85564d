// Distances to the nearest point against those of all points, one by one.
import { describe, expect, it } from 'vitest';
import { nearestPoints } from '#recordings/octree/nearestPoints.ts';
import { randomNumbers } from '#test/services/learning/beamsOfSite.ts';
import { forest } from './cloudInMemory.ts';

const limitM = 10;

/** Places in single precision, as clouds have them. */
function rounded(places: readonly (readonly number[])[]): Float32Array {
  return Float32Array.from(places.flat());
}

function minM(placesM: Float32Array, [x, y, z]: readonly [number, number, number]): number {
  let min = Infinity;
  for (let at = 0; at < placesM.length; at += 3) {
    const offsets = [x, y, z].map((value, axis) => value - (placesM[at + axis] ?? NaN));
    min = Math.min(min, Math.hypot(...offsets));
  }
  return min > limitM ? NaN : min;
}

const clouds = [
  ['none', []],
  ['one', [[1, 2, 3]]],
  ['fewer than a leaf', forest(7)],
  ['a trunk, rough ground and some far away', forest(3000)],
  ['a level grid', Array.from({ length: 2500 }, (_, at) => [at % 50, Math.floor(at / 50), 0])],
  ['all at one place', Array.from({ length: 1000 }, () => [5, 5, 5])],
  ['a line', Array.from({ length: 1000 }, (_, at) => [at, 0, 0])],
] as const;

describe('the nearest point', () => {
  it.each(clouds)('is found: %s', (_, places) => {
    const placesM = rounded(places);
    const nearest = nearestPoints(placesM.slice());
    const random = randomNumbers(3);
    const at = (): number => Math.fround(80 * random() - 10);
    for (let query = 0; query < 300; query += 1) {
      const place = [at(), at(), Math.fround(12 * random() - 4)] as const;
      const expectedM = minM(placesM, place);
      const foundM = nearest.distanceM(...place, limitM);
      if (Number.isNaN(expectedM)) expect(foundM).toBeNaN();
      else expect(foundM).toBeCloseTo(expectedM, 9);
    }
  });

  it('is found at the limit, and not above it', () => {
    const nearest = nearestPoints(rounded([[0, 0, 0]]));
    expect(nearest.distanceM(10, 0, 0, limitM)).toBe(10);
    expect(nearest.distanceM(Math.fround(10.00001), 0, 0, limitM)).toBeNaN();
  });

  it('tells how many points were sorted', () => {
    const told: number[] = [];
    nearestPoints(new Float32Array(3 * 2_500_000), (done, total) => told.push(done / total));
    expect(told.length).toBe(2);
    expect(told.every((share, at) => share > (told[at - 1] ?? 0) && share < 1)).toBe(true);
  });
});
