import { expect, it } from 'vitest';
import { cloudBounds } from '#renderer/logic/cloud/cloudBounds.ts';

it('holds every place of every cloud', () => {
  const clouds = [
    Float32Array.of(1, 2, 3, -4, 5, 6),
    new Float32Array(0),
    Float32Array.of(0, 9, 0),
  ];
  expect(cloudBounds(clouds)).toEqual({ minM: [-4, 2, 0], maxM: [1, 9, 6] });
  expect(cloudBounds([new Float32Array(0)])).toBeNull();
});
