// World coordinates from those of a scene and back.
import { expect, it } from 'vitest';
import {
  isZeroOrigin,
  originOf,
  placeToScene,
  placeToWorld,
  poseToScene,
  poseToWorld,
  toScene,
  toWorld,
} from '#contract/worldOrigin.ts';

const originM = [500_000, 5_400_000, 300] as const;

it('subtracts the origin on the way in and adds it on the way out', () => {
  expect(toScene(originM, [500_001.5, 5_399_998, 301.25])).toEqual([1.5, -2, 1.25]);
  expect(toWorld(originM, [1.5, -2, 1.25])).toEqual([500_001.5, 5_399_998, 301.25]);
  expect(placeToScene(originM, [500_001.5, 5_399_998])).toEqual([1.5, -2]);
  expect(placeToWorld(originM, [1.5, -2])).toEqual([500_001.5, 5_399_998]);
});

it('returns every value to a tenth of a millimetre at UTM values', () => {
  for (let step = 0; step < 1000; step++) {
    const worldM = [500_000 + step * 0.10001, 5_400_000 - step * 3.3333, 300 + step / 7] as const;
    const [x, y, z] = toScene(originM, worldM);
    // A double of 5.4e6 has steps of 2^-30 m: two roundings are below 2 nm.
    for (const [axis, m] of toWorld(originM, [x, y, z]).entries()) {
      expect(Math.abs(m - (worldM[axis] ?? NaN))).toBeLessThan(2e-9);
    }
  }
});

it('moves poses without turning them', () => {
  const rotation: [number, number, number, number] = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const worldFromBody = {
    positionM: [500_003, 5_400_004, 305] as [number, number, number],
    rotation,
  };
  expect(poseToScene(originM, worldFromBody)).toEqual({ positionM: [3, 4, 5], rotation });
  expect(poseToWorld(originM, { positionM: [3, 4, 5], rotation })).toEqual(worldFromBody);
});

it('has the origin at zero where a scene states none', () => {
  expect(originOf({})).toEqual([0, 0, 0]);
  expect(isZeroOrigin(originOf({}))).toBe(true);
  expect(isZeroOrigin(originOf({ origin: originM }))).toBe(false);
});
