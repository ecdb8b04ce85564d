// The error of a cost map, and distances of polygons, by hand.
import { describe, expect, it } from 'vitest';
import { unknownCost } from '#contract/host/run.ts';
import { mapErrorShare } from '#domain/truth/mapError.ts';
import { distanceM, rectangle } from '#domain/truth/polygon.ts';

const geometry = { cells: 4, cellM: 1, originM: [-2, -2] as [number, number] };
const box = { name: 'box', outline: rectangle({ xM: -0.5, yM: -0.5, yawRad: 0 }, 0.8, 0.8) };

describe('mapErrorShare', () => {
  it('counts known cells that are wrong either way', () => {
    const cost = new Uint8Array(16).fill(unknownCost);
    expect(mapErrorShare(geometry, cost, [box])).toBeNull();
    // The box is in column 1 of row 1 alone.
    cost[5] = 100;
    cost[6] = 89;
    expect(mapErrorShare(geometry, cost, [box])).toBe(0);
    cost[6] = 90;
    expect(mapErrorShare(geometry, cost, [box])).toBe(0.5);
    cost[5] = 0;
    cost.fill(0, 12, 14);
    expect(mapErrorShare(geometry, cost, [box])).toBe(0.5);
    expect(mapErrorShare(geometry, cost, [])).toBe(0.25);
  });

  it('takes obstacles over several cells and beyond the map', () => {
    const wall = { name: 'wall', outline: rectangle({ xM: 0, yM: 1.5, yawRad: 0 }, 100, 0.5) };
    const far = { name: 'far', outline: rectangle({ xM: -50, yM: 0, yawRad: 0 }, 1, 1) };
    const cost = new Uint8Array(16).fill(0);
    cost.fill(100, 12, 16);
    expect(mapErrorShare(geometry, cost, [wall, far])).toBe(0);
    expect(mapErrorShare(geometry, cost, [far])).toBe(0.25);
  });
});

describe('distanceM', () => {
  const square = (xM: number, yM: number, yawRad = 0) => rectangle({ xM, yM, yawRad }, 2, 2);

  it('is that of edges, of corners, and of a corner to an edge', () => {
    expect(distanceM(square(0, 0), square(5, 0.5))).toBeCloseTo(3, 12);
    expect(distanceM(square(0, 0), square(5, 6))).toBeCloseTo(5, 12);
    expect(distanceM(square(0, 0), square(5, 0, Math.PI / 4))).toBeCloseTo(4 - Math.SQRT2, 12);
    expect(distanceM(square(5, 0, Math.PI / 4), square(0, 0))).toBeCloseTo(4 - Math.SQRT2, 12);
    expect(distanceM(square(0, 0), square(1, 1))).toBe(0);
  });
});
