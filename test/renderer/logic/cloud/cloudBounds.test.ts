import { expect, it } from 'vitest';
import { cloudBounds, joinedBounds } from '#renderer/logic/cloud/cloudBounds.ts';

it('holds every place of every cloud', () => {
  const clouds = [
    Float32Array.of(1, 2, 3, -4, 5, 6),
    new Float32Array(0),
    Float32Array.of(0, 9, 0),
  ];
  expect(cloudBounds(clouds)).toEqual({ minM: [-4, 2, 0], maxM: [1, 9, 6] });
  expect(cloudBounds([new Float32Array(0)])).toBeNull();
});

it('are joined, where there are any', () => {
  const [one, other] = [
    { minM: [0, 1, 2], maxM: [5, 5, 5] },
    { minM: [-1, 3, 2], maxM: [2, 9, 3] },
  ] as const;
  expect(joinedBounds([null, one, other])).toEqual({ minM: [-1, 1, 2], maxM: [5, 9, 5] });
  expect(joinedBounds([null])).toBeNull();
});
