// Where measured points go, and where cards lie so that they do not cover what they are about.
import { describe, expect, it } from 'vitest';
import { freeSide, otherSide } from '#renderer/logic/scene/freeSide.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { snapPoint } from '#renderer/logic/scene/snapping.ts';

describe('a measured point', () => {
  const corners: PointM[] = [
    [0, 0, 1],
    [4, 0, 1],
    [0, 3, 1],
  ];

  it('is drawn to a corner rather than to an edge', () => {
    expect(snapPoint([0.05, 0.1, 1], corners, 0.2)).toEqual({ positionM: [0, 0, 1], to: 'corner' });
  });

  it('is drawn to the nearest place of an edge', () => {
    expect(snapPoint([2, 0.1, 1], corners, 0.2)).toEqual({ positionM: [2, 0, 1], to: 'edge' });
    // The slanted edge: 3x + 4y = 12, its foot below (2.06, 1.58) is (2, 1.5).
    const { positionM, to } = snapPoint([2 - 0.06, 1.5 - 0.08, 1], corners, 0.2);
    expect(to).toBe('edge');
    expect(positionM[0]).toBeCloseTo(2, 9);
    expect(positionM[1]).toBeCloseTo(1.5, 9);
  });

  it('stays where it is when nothing is near', () => {
    expect(snapPoint([1, 1, 1], corners, 0.2)).toEqual({ positionM: [1, 1, 1], to: 'surface' });
    expect(snapPoint([1, 1, 1], [], 0.2).to).toBe('surface');
  });

  it('never leaves the edge beyond its ends', () => {
    expect(snapPoint([4.3, -0.1, 1], corners, 0.1).to).toBe('surface');
  });
});

describe('the cards', () => {
  it('lie away from what was clicked, and stay where both sides are free', () => {
    expect(freeSide(0.8, 'right')).toBe('left');
    expect(freeSide(0.2, 'left')).toBe('right');
    expect(freeSide(0.52, 'left')).toBe('left');
    expect(freeSide(0.48, 'right')).toBe('right');
    expect([otherSide('left'), otherSide('right')]).toEqual(['right', 'left']);
  });
});
