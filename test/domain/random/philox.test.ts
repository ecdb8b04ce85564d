// Known answers of Random123 (kat_vectors, philox4x32 10), and the moments of what is drawn.
import { describe, expect, it } from 'vitest';
import { normals, philox4x32, uniforms, type Counter } from '#domain/random/philox.ts';

const answers: { counter: Counter; key: [number, number]; words: Counter }[] = [
  {
    counter: [0, 0, 0, 0],
    key: [0, 0],
    words: [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  },
  {
    counter: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    key: [0xffffffff, 0xffffffff],
    words: [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  },
  {
    counter: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    key: [0xa4093822, 0x299f31d0],
    words: [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  },
];

describe('philox', () => {
  it.each(answers)('gives the known answer for $counter', ({ counter, key, words }) => {
    expect(philox4x32(counter, key)).toEqual(words);
  });

  it('draws depend on seed, purpose, stream and number, also beyond 2^32', () => {
    const first = uniforms(1, 1, 0, 0);
    expect(uniforms(1, 1, 0, 0)).toEqual(first);
    for (const other of [
      uniforms(2, 1, 0, 0),
      uniforms(1, 2, 0, 0),
      uniforms(1, 1, 1, 0),
      uniforms(1, 1, 0, 1),
      uniforms(1, 1, 0, 2 ** 32),
    ]) {
      expect(other).not.toEqual(first);
    }
  });

  it('normal draws have mean 0, variance 1 and no fourth cumulant', () => {
    const draws = 25_000;
    let [sum, square, fourth] = [0, 0, 0];
    for (let n = 0; n < draws; n += 1) {
      for (const value of normals(7, 1, 0, n)) {
        sum += value;
        square += value ** 2;
        fourth += value ** 4;
      }
    }
    const total = 4 * draws;
    // Four standard errors: of the mean 1/√n, of the variance √(2/n), of the fourth moment √(96/n).
    expect(Math.abs(sum / total)).toBeLessThan(4 / Math.sqrt(total));
    expect(Math.abs(square / total - 1)).toBeLessThan(4 * Math.sqrt(2 / total));
    expect(Math.abs(fourth / total - 3)).toBeLessThan(4 * Math.sqrt(96 / total));
  });
});
