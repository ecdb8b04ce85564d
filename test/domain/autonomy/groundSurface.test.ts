// The limit on a surface's slope and the filling of its gaps, on grids small enough to compute by hand.
import { expect, it } from 'vitest';
import { fillGaps, limitSlope } from '#test/support/groundSurface.ts';

it('cuts a peak down to the cone over its neighbours, and leaves flat ground', () => {
  const heights = new Float32Array(25);
  heights[12] = 9;
  limitSlope(heights, 5, 1);
  expect([...heights]).toEqual(new Array<number>(25).fill(0).with(12, 1));
});

it('is the lower envelope of cones of chamfer distance around the known cells', () => {
  const size = 6;
  const heights = new Float32Array(size * size).fill(Infinity);
  heights[0] = 0;
  heights[size * size - 1] = -3;
  limitSlope(heights, size, 0.5);
  const distance = (dx: number, dy: number): number =>
    0.5 * (Math.abs(dx - dy) + Math.SQRT2 * Math.min(dx, dy));
  for (let cell = 0; cell < heights.length; cell += 1) {
    const [x, y] = [cell % size, Math.floor(cell / size)];
    const expected = Math.min(distance(x, y), -3 + distance(size - 1 - x, size - 1 - y));
    expect(heights[cell]).toBeCloseTo(expected, 5);
  }
});

it('fills a gap with the mean of its known neighbours, and 0 far from all of them', () => {
  const heights = new Float32Array(16).fill(7);
  const known = new Set([0, 1]);
  heights[0] = 1;
  heights[1] = 2;
  fillGaps(heights, 4, (cell) => known.has(cell));
  expect(heights[4]).toBe(1.5);
  expect(heights[2]).toBe(2);
  expect(heights[15]).toBe(0);
});
