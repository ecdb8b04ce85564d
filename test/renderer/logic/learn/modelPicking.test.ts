// Clicks on learned models: the first of what is drawn along a ray.
import { expect, it } from 'vitest';
import { placeOnModel, type ClickRay } from '#renderer/logic/learn/modelPicking.ts';
import type { ModelTables, ObservedTable } from '#renderer/logic/learn/modelTables.ts';

const all = { maxPermeability: 1, minSupport: 0, sigmas: 2 };

function observed(permeability: number[], support: number[]): ObservedTable {
  return {
    permeability: Float32Array.from(permeability),
    reflectance: new Float32Array(permeability.length),
    support: Uint32Array.from(support),
    classIds: new Uint16Array(permeability.length),
  };
}

/** A disc of 3 m by 1 m that leans by 45°, a wall behind it at x = 20, and a point before it. */
const model: ModelTables = {
  elements: {
    ...observed([0.5], [40]),
    meansM: Float32Array.from([10, 0, 0]),
    // L·Lᵀ of Σ = [[2, 0, 2], [0, 1, 0], [2, 0, 4]].
    factors: Float32Array.from([Math.SQRT2, 0, 1, Math.SQRT2, 0, Math.SQRT2]),
  },
  triangles: {
    ...observed([0], [500]),
    cornersM: Float32Array.from([20, -5, -5, 20, 5, -5, 20, 0, 8]),
  },
  points: { ...observed([0], [3]), positionsM: Float32Array.from([4, 0, 6]) },
};

/** Along x from the origin's height. */
const along = (y: number, z: number): ClickRay => ({
  originM: [0, y, z],
  direction: [1, 0, 0],
  angleRad: 0.005,
});

function expectPlace(found: readonly number[] | null, expected: readonly number[]): void {
  expect(found).not.toBeNull();
  for (const [axis, value] of expected.entries()) expect(found?.[axis]).toBeCloseTo(value, 5);
}

it('means the place of an ellipsoid where it is densest along the ray', () => {
  expectPlace(placeOnModel(model, along(0, 0), all), [10, 0, 0]);
  // Conditional mean of x given z: μx + Σxz / Σzz · z = 10 + 2 / 4.
  expectPlace(placeOnModel(model, along(0, 1), all), [10.5, 0, 1]);
  // Beyond two standard deviations of y the wall is met.
  expectPlace(placeOnModel(model, along(1.99, 0), all), [10, 1.99, 0]);
  expectPlace(placeOnModel(model, along(2.01, 0), all), [20, 2.01, 0]);
  expectPlace(placeOnModel(model, along(1.01, 0), { ...all, sigmas: 1 }), [20, 1.01, 0]);
});

it('meets triangles from both sides, and none beside them', () => {
  const back: ClickRay = { originM: [30, 0, 0], direction: [-1, 0, 0], angleRad: 0.005 };
  expectPlace(placeOnModel(model, back, all), [20, 0, 0]);
  expect(placeOnModel(model, along(4.9, 7), all)).toBeNull();
});

it('meets points within the angle of a click, and the first of all', () => {
  expectPlace(placeOnModel(model, along(0, 6.01), all), [4, 0, 6.01]);
  expectPlace(placeOnModel(model, along(0, 6.1), all), [20, 0, 6.1]);
});

it('passes what is hidden', () => {
  expectPlace(placeOnModel(model, along(0, 0), { ...all, maxPermeability: 0.4 }), [20, 0, 0]);
  expectPlace(placeOnModel(model, along(0, 0), { ...all, minSupport: 41 }), [20, 0, 0]);
  expectPlace(placeOnModel(model, along(0, 6.01), { ...all, minSupport: 4 }), [20, 0, 6.01]);
  expect(placeOnModel(model, along(0, 0), { ...all, minSupport: 501 })).toBeNull();
});
