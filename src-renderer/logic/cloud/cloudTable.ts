// Points of a cloud in columns, as they come chunk by chunk, and what they can be coloured by.
import type { Columns } from '#contract/columns.ts';

export interface CloudTable {
  positionsM: Float32Array;
  intensities: Float32Array;
  classIds: Uint16Array;
}

export const cloudColourings = ['height', 'intensity', 'class'] as const;
export type CloudColouring = (typeof cloudColourings)[number];

/** Chunks of a call, joined when it has ended. */
export interface Gathering<T> {
  take: (body: unknown, columns: Columns) => void;
  joined: () => T;
}

export function gatherCloud(): Gathering<CloudTable> {
  const parts: Columns[] = [];
  return {
    take: (_, columns) => void parts.push(columns),
    joined: () => cloudTableOf(parts),
  };
}

/** From chunks of log.cloud or of cloud.nodes. */
export function cloudTableOf(parts: readonly Columns[]): CloudTable {
  return {
    positionsM: reals(parts, 'position'),
    intensities: reals(parts, 'intensity'),
    classIds: joined(parts, 'class_id', Uint16Array),
  };
}

/** One column of f32 out of its parts. */
export function reals(parts: readonly Columns[], name: string): Float32Array {
  return joined(parts, name, Float32Array);
}

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** One column out of its parts. */
export function joined<T extends Numbers>(
  parts: readonly Columns[],
  name: string,
  kind: new (length: number) => T,
): T {
  const found = parts.map((columns) => columns[name]).filter((one) => one instanceof kind) as T[];
  const all = new kind(found.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of found) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}
