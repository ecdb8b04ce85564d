// The box that views and exports are limited to.
import { expect, it } from 'vitest';
import { insideBox } from '#domain/shared/uprightBox.ts';

it('holds its faces and nothing beyond them, turned as it is', () => {
  const isInside = insideBox({ centreM: [10, 0, 1], yawRad: Math.PI / 2, sizeM: [4, 2, 1] });
  // A quarter turn: the length lies along y.
  expect(isInside(10, 1.99, 1)).toBe(true);
  expect(isInside(10, 2.01, 1)).toBe(false);
  expect(isInside(10.99, 0, 1)).toBe(true);
  expect(isInside(11.01, 0, 1)).toBe(false);
  expect(isInside(10, 0, 1.5)).toBe(true);
  expect(isInside(10, 0, 1.501)).toBe(false);
  expect(isInside(NaN, 0, 1)).toBe(false);
});
