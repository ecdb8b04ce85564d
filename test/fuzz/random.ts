// Numbers that follow from a seed, the same on every machine.

export interface Random {
  /** A whole number below a count, which is at least 1. */
  below(count: number): number;
  oneIn(count: number): boolean;
  /** One of some values, of which there is at least one. */
  of<T>(values: readonly [T, ...T[]] | readonly T[]): T;
}

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  const below = (count: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
  return {
    below,
    oneIn: (count) => below(count) === 0,
    of: <T>(values: readonly T[]) => values[below(values.length)] as T,
  };
}
