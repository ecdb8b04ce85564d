// Where measured points go, and where the lines of tools lie so that they do not cover what they are about.
import { describe, expect, it } from 'vitest';
import { freeSide } from '#renderer/logic/scene/freeSide.ts';
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

describe('the line of a tool', () => {
  it('lies away from what was clicked, and stays where both edges are free', () => {
    expect(freeSide(0.1, 'top')).toBe('bottom');
    expect(freeSide(0.9, 'bottom')).toBe('top');
    expect(freeSide(0.5, 'bottom')).toBe('bottom');
    expect(freeSide(0.5, 'top')).toBe('top');
  });
});
