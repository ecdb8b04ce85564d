// Sobol's sequence against published points, and against what defines it: nets in every pair of intervals.
import { describe, expect, it } from 'vitest';
import { maxSobolAxes } from '#contract/documents/campaignRules.ts';
import { sobolDimensions, sobolSequence } from '#domain/campaign/sobol.ts';

describe('sobolSequence', () => {
  it('has as many dimensions as campaigns may have axes', () => {
    expect(sobolDimensions).toBe(maxSobolAxes);
  });

  it('begins with the points that Joe and Kuo print', () => {
    // The output of their program `sobol 10 3 new-joe-kuo-6.21201`.
    const printed = [
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
      [0.1875, 0.3125, 0.9375],
      [0.6875, 0.8125, 0.4375],
    ];
    const share = sobolSequence(3);
    expect(printed.map((_, point) => [0, 1, 2].map((axis) => share(point, axis)))).toEqual(printed);
  });

  it.each([null, 5])('with seed %s has one point in each interval of every dimension', (seed) => {
    const count = 256;
    const share = sobolSequence(sobolDimensions, seed);
    for (let axis = 0; axis < sobolDimensions; axis += 1) {
      const cells = new Set<number>();
      for (let point = 0; point < count; point += 1)
        cells.add(Math.floor(share(point, axis) * count));
      expect(cells.size, `dimension ${axis}`).toBe(count);
    }
  });

  it('fills the plane of the first two dimensions as a (0, 8, 2) net', () => {
    const share = sobolSequence(2, 11);
    for (let bits = 0; bits <= 8; bits += 1) {
      const [columns, rows] = [2 ** bits, 2 ** (8 - bits)];
      const cells = new Set<string>();
      for (let point = 0; point < 256; point += 1) {
        cells.add(`${Math.floor(share(point, 0) * columns)} ${Math.floor(share(point, 1) * rows)}`);
      }
      expect(cells.size).toBe(256);
    }
  });
});
