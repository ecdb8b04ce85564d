// Sobol's low-discrepancy sequence with the direction numbers of Joe and Kuo 2008 (new-joe-kuo-6.21201), 32 bits.
// A point is a pure function of its index; the order is that of the Gray code, as publications print it.
import { purposes, uniforms } from '#domain/random/philox.ts';

/**
 * For each dimension from the second: degree, inner coefficients and first m of its primitive polynomial. Source: file
 * new-joe-kuo-6.21201; compared number by number with boost/random/detail/sobol_table.hpp of Boost 1.74.
 */
const joeKuo: readonly [degree: number, coefficients: number, first: readonly number[]][] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
];

export const sobolDimensions = joeKuo.length + 1;
const bits = 32;
const wholeRange = 2 ** 32;

/**
 * The sequence: coordinate (0 to 1, 1 excluded) of a point in a dimension, both from 0.
 * @param seed scrambles by a digital shift of each dimension, which keeps the structure of the net; null: not
 */
export function sobolSequence(
  dimensions: number,
  seed: number | null = null,
): (point: number, dimension: number) => number {
  const directions = Array.from({ length: dimensions }, (_, dimension) => directionsOf(dimension));
  const shifts = directions.map((_, dimension) =>
    seed === null
      ? 0
      : Math.floor(uniforms(seed, purposes.campaignScramble, dimension, 0)[0] * wholeRange),
  );
  return (point, dimension) => {
    const own = directions[dimension] ?? [];
    let code = (point ^ (point >>> 1)) >>> 0;
    let value = shifts[dimension] ?? 0;
    for (let bit = 0; code !== 0; bit += 1, code >>>= 1) {
      if ((code & 1) === 1) value ^= own[bit] ?? 0;
    }
    return (value >>> 0) / wholeRange;
  };
}

/** Direction numbers as fractions of 2^32, the first one half. */
function directionsOf(dimension: number): number[] {
  if (dimension === 0)
    return Array.from({ length: bits }, (_, bit) => (1 << (bits - 1 - bit)) >>> 0);
  const [degree, coefficients, first] = joeKuo[dimension - 1] ?? [1, 0, [1]];
  const own = first.map((m, bit) => (m << (bits - 1 - bit)) >>> 0);
  for (let bit = degree; bit < bits; bit += 1) {
    const oldest = own[bit - degree] ?? 0;
    let next = oldest ^ (oldest >>> degree);
    for (let k = 1; k < degree; k += 1) {
      if (((coefficients >>> (degree - 1 - k)) & 1) === 1) next ^= own[bit - k] ?? 0;
    }
    own.push(next >>> 0);
  }
  return own;
}
