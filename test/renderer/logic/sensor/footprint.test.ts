// The footprint's picture against the closed form of its beam.
import { describe, expect, it } from 'vitest';
import { footprintOf, lengthText, niceStep, poleFor } from '#renderer/logic/sensor/footprint.ts';

const beam = {
  shape: 'rectangular',
  divergenceHorizontalRad: 3.3e-3,
  divergenceVerticalRad: 0.7e-3,
  stencil: 'moment',
} as const;
const rays = {
  ray_left: Float64Array.of(0, 1e-3, -1e-3),
  ray_up: Float64Array.of(0, 2e-4, -2e-4),
  ray_weight: Float64Array.of(0.5, 0.25, 0.25),
};

describe('a footprint', () => {
  it('has its spot and rays in millimetres, left at the left', () => {
    const { spotMm, rays: shown, halfMm, unit } = footprintOf(rays, beam, 10);
    expect(spotMm.width).toBeCloseTo(20_000 * Math.tan(1.65e-3), 9);
    expect(spotMm.height).toBeCloseTo(20_000 * Math.tan(0.35e-3), 9);
    expect(shown.map(({ rightMm, upMm }) => [rightMm, upMm])).toEqual([
      [-0, 0],
      [-10, 2],
      [10, -2],
    ]);
    // The widest is the spot's half axis, 16.5 mm; a quarter more leaves air.
    expect(halfMm).toBeCloseTo(1.25 * 16.5, 3);
    expect(unit).toBe('cm');
  });

  it('grows in proportion to the range', () => {
    const [near, far] = [5, 50].map((rangeM) => footprintOf(rays, beam, rangeM));
    expect((far?.spotMm.width ?? 0) / (near?.spotMm.width ?? 1)).toBeCloseTo(10, 9);
    expect((far?.halfMm ?? 0) / (near?.halfMm ?? 1)).toBeCloseTo(10, 9);
  });

  it('shades by weight, and says where all are alike', () => {
    const uneven = footprintOf(rays, beam, 10);
    expect(uneven.isEven).toBe(false);
    expect(uneven.rays.map(({ shade }) => shade)).toEqual([1, 0, 0]);
    const even = footprintOf({ ...rays, ray_weight: Float64Array.of(0.2, 0.2, 0.2) }, beam, 10);
    expect(even.isEven).toBe(true);
    expect(even.rays.every(({ shade }) => shade === 0.5)).toBe(true);
  });

  it('has a picture without divergence', () => {
    const point = { ...beam, divergenceHorizontalRad: 0, divergenceVerticalRad: 0 };
    const one = {
      ray_left: Float64Array.of(0),
      ray_up: Float64Array.of(0),
      ray_weight: Float64Array.of(1),
    };
    const { halfMm, ticksMm, spotMm } = footprintOf(one, point, 10);
    expect(halfMm).toBe(10);
    expect(ticksMm.length).toBeGreaterThan(0);
    expect(spotMm.width).toBe(0);
  });

  it.each([
    [0.9, 0.5],
    [1, 1],
    [3.9, 2],
    [74, 50],
  ])('steps below %f by %f', (most, step) => {
    expect(niceStep(most)).toBeCloseTo(step, 12);
  });

  it('says lengths in the unit of the picture', () => {
    expect(lengthText(33, 'cm')).toBe('3.3 cm');
    expect(lengthText(33, 'mm')).toBe('33 mm');
  });

  it('shows a pole that fits', () => {
    for (const halfMm of [2, 20, 200, 2000]) expect(poleFor(halfMm).widthMm).toBeLessThan(halfMm);
    expect(poleFor(20.6).name).toBe('pencil, 7 mm');
    expect(poleFor(500).widthMm).toBe(75);
  });
});
