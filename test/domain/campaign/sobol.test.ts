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

  it.each([4, 7, 10])('is a (0, 1)-sequence in every dimension at 2^%i points', (bits) => {
    // Sobol 1967: each group of 2^k successive points from a multiple of 2^k on has one in each interval of 2^-k.
    const count = 2 ** bits;
    const share = sobolSequence(sobolDimensions);
    for (let axis = 0; axis < sobolDimensions; axis += 1) {
      for (const first of [0, count, 5 * count]) {
        const cells = new Set<number>();
        for (let point = first; point < first + count; point += 1)
          cells.add(Math.floor(share(point, axis) * count));
        expect(cells.size, `dimension ${axis} from ${first}`).toBe(count);
      }
    }
  });

  it('has nets in pairs of dimensions of the quality that their polynomials guarantee', () => {
    // Sobol 1967: t is at most the sum of (degree - 1) over the dimensions; the first has the degree 1.
    const bits = 13;
    const share = sobolSequence(sobolDimensions);
    const points = Array.from({ length: 2 ** bits }, (_, point) => point);
    const degrees = [1, 1, 2, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7, 7];
    for (let a = 0; a < sobolDimensions; a += 1) {
      for (let b = a + 1; b < sobolDimensions; b += 1) {
        const t = (degrees[a] ?? 0) + (degrees[b] ?? 0) - 2;
        // Every box of 2^(t - bits) has 2^t points; the most oblong and the squarest boxes.
        for (const across of new Set([0, Math.ceil((bits - t) / 2), bits - t])) {
          const [columns, rows] = [2 ** across, 2 ** (bits - t - across)];
          const counts = new Uint32Array(columns * rows);
          for (const point of points) {
            const column = Math.floor(share(point, a) * columns);
            const cell = column * rows + Math.floor(share(point, b) * rows);
            counts[cell] = (counts[cell] ?? 0) + 1;
          }
          expect(new Set(counts), `dimensions ${a} and ${b}`).toEqual(new Set([2 ** t]));
        }
      }
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
