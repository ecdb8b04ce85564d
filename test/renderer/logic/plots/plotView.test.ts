// Views of a plot: all of its curves, parts of it, paths, and the point under the pointer.
import { describe, expect, it } from 'vitest';
import {
  boundedSpan,
  partAbout,
  pointNear,
  viewOfAll,
  viewOfPart,
  xyPath,
} from '#renderer/logic/plots/plotView.ts';

const curve = (x: number[], y: number[]) => ({ name: 'a', colour: 'red', x, y });
const view = { xFrom: 0, xTo: 10, yFrom: 0, yTo: 100 };
const size = { widthPx: 100, heightPx: 50 };

describe('a view', () => {
  it('has all points that are numbers, with room around them', () => {
    const found = viewOfAll([curve([0, 10, NaN], [5, NaN, 400]), curve([20], [-5])]);
    expect(found).toEqual({ xFrom: -0.8, xTo: 20.8, yFrom: -21.2, yTo: 416.2 });
    expect(viewOfAll([curve([3], [0])])).toEqual({ xFrom: 1.5, xTo: 4.5, yFrom: -0.5, yTo: 0.5 });
    expect(viewOfAll([curve([NaN], [1])])).toBeNull();
  });

  it('zooms about a place, which stays where it is', () => {
    const place = { right: 0.2, up: 0.75 };
    const zoomed = viewOfPart(view, partAbout(place, 0.5, 'xy'), view) ?? view;
    expect(zoomed.xFrom + place.right * (zoomed.xTo - zoomed.xFrom)).toBeCloseTo(2, 12);
    expect(zoomed.yFrom + place.up * (zoomed.yTo - zoomed.yFrom)).toBeCloseTo(75, 12);
    expect(zoomed.xTo - zoomed.xFrom).toBeCloseTo(5, 12);
    expect(viewOfPart(view, partAbout(place, 0.5, 'x'), view)).toMatchObject({
      yFrom: 0,
      yTo: 100,
    });
  });

  it('stays within all that there is', () => {
    const half = { xFrom: 5, xTo: 10, yFrom: 0, yTo: 100 };
    const place = { right: 1, up: 0.5 };
    expect(viewOfPart(half, { left: 0.5, right: 1.5, bottom: 0, top: 1 }, view)).toEqual(half);
    expect(viewOfPart(half, partAbout(place, 4, 'xy'), view)).toBeNull();
  });
});

describe('a zoomed span', () => {
  it('stays within all of it, and is all of it where it would be larger', () => {
    expect(boundedSpan([2, 4], [0, 10])).toEqual([2, 4]);
    expect(boundedSpan([-1, 1], [0, 10])).toEqual([0, 2]);
    expect(boundedSpan([9, 12], [0, 10])).toEqual([7, 10]);
    expect(boundedSpan([-5, 15], [0, 10])).toBeNull();
    expect(boundedSpan([3, 3], [0, 10])?.[1]).toBeCloseTo(3 + 1e-5, 12);
  });
});

describe('a path', () => {
  it('turns back where its values do, and has gaps where there are none', () => {
    expect(xyPath(curve([0, 10, 0, NaN, 5], [0, 50, 100, 1, 0]), view, size)).toBe(
      'M0 50L100 25L0 0M50 50',
    );
  });

  it('leaves out what falls on the same half pixel', () => {
    const x = Array.from({ length: 1001 }, (_, row) => row / 100);
    const points = xyPath(curve(x, x), view, size).split(/[ML]/).length - 1;
    // 100 pixels wide: a point every half pixel at most.
    expect(points).toBeLessThanOrEqual(201);
    expect(points).toBeGreaterThan(90);
  });
});

it('the point under the pointer is the nearest of all curves, within reach', () => {
  const curves = [curve([0, 5], [0, 50]), curve([5.2, 9], [50, 90])];
  expect(pointNear(curves, view, size, [51.5, 25], 10)).toEqual({ curve: 1, row: 0 });
  expect(pointNear(curves, view, size, [1, 49], 10)).toEqual({ curve: 0, row: 0 });
  expect(pointNear(curves, view, size, [20, 5], 10)).toBeNull();
});
