// Counts how much synchronous functions are given at a time on this thread: for vi.mock, which loads modules through
// it.
import type * as crypto from 'node:crypto';

/** By function: the most bytes or letters of one call. */
export const largest = new Map<string, number>();

type SizeOf = (args: unknown[], result: unknown) => number;

export const ofInput: SizeOf = ([input]) => (input as { length: number }).length;
export const ofOutput: SizeOf = (_, output) => (output as { length: number }).length;

/** The module, with these functions counted. */
export function counting<M extends object>(
  module: M,
  sizes: Readonly<Partial<Record<keyof M, SizeOf>>>,
): M {
  const counted = Object.entries<SizeOf | undefined>(sizes).map(([name, sizeOf]) => {
    const original = Reflect.get(module, name) as (...args: unknown[]) => unknown;
    const run = (...args: unknown[]): unknown => {
      const result = original(...args);
      noteSize(name, sizeOf?.(args, result) ?? 0);
      return result;
    };
    return [name, run];
  });
  return { ...module, ...Object.fromEntries(counted) } as M;
}

/** node:crypto, with what hashes are updated by. */
export function countingHashes(module: typeof crypto): typeof crypto {
  const createHash: typeof crypto.createHash = (...args) => {
    const hash = module.createHash(...args);
    const update: (data: crypto.BinaryLike) => crypto.Hash = hash.update.bind(hash);
    hash.update = (data: crypto.BinaryLike) => {
      noteSize('createHash', (data as { length: number }).length);
      return update(data);
    };
    return hash;
  };
  return { ...module, createHash };
}

/** Counts JSON that is read or written at a time, until the returned function is called. */
export function countJson(): () => void {
  const { parse, stringify } = JSON;
  JSON.parse = (text, reviver) => {
    noteSize('JSON.parse', text.length);
    return parse(text, reviver) as unknown;
  };
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args) as string | undefined;
    noteSize('JSON.stringify', text?.length ?? 0);
    return text;
  }) as typeof stringify;
  return () => Object.assign(JSON, { parse, stringify });
}

/** Counts one call of a function. */
export function noteSize(name: string, size: number): void {
  largest.set(name, Math.max(largest.get(name) ?? 0, size));
}
