// Points of a cloud in columns, as they come chunk by chunk, and what they can be coloured by.
import type { Columns } from '#contract/columns.ts';
import type { Rgb } from '#domain/shared/colours.ts';

export interface CloudTable {
  positionsM: Float32Array;
  intensities: Float32Array;
  classIds: Uint16Array;
  /** Red, green and blue of each point; null: the cloud has no colours. */
  colours: Uint8Array | null;
  /** To the nearest point of another cloud, NaN where that is far away; null: none were measured. */
  distancesM: Float32Array | null;
}

/** A cloud without points. */
export const noPoints: CloudTable = {
  positionsM: new Float32Array(0),
  intensities: new Float32Array(0),
  classIds: new Uint16Array(0),
  colours: null,
  distancesM: null,
};

export const cloudColourings = ['height', 'intensity', 'class'] as const;
export type CloudColouring = (typeof cloudColourings)[number];

/** With those that only some clouds have. */
export const tableColourings = [...cloudColourings, 'rgb', 'distance'] as const;
export type TableColouring = (typeof tableColourings)[number];

/** Values of a point of a cloud. */
export interface PointValues {
  intensity: number;
  classId: number;
  /** Null: the cloud has no colours. */
  rgb: Rgb | null;
  /** As in CloudTable. */
  distanceM: number | null;
}

export function valuesOf(table: CloudTable, row: number): PointValues {
  const { intensities, classIds, colours, distancesM } = table;
  const [red = 0, green = 0, blue = 0] = colours?.subarray(3 * row, 3 * row + 3) ?? [];
  return {
    intensity: intensities[row] ?? NaN,
    classId: classIds[row] ?? 0,
    rgb: colours === null ? null : [red, green, blue],
    distanceM: distancesM?.[row] ?? null,
  };
}

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
  const colours = joined(parts, 'colour', Uint8Array);
  const distancesM = reals(parts, 'distance');
  return {
    positionsM: reals(parts, 'position'),
    intensities: reals(parts, 'intensity'),
    classIds: joined(parts, 'class_id', Uint16Array),
    colours: colours.length > 0 ? colours : null,
    distancesM: distancesM.length > 0 ? distancesM : null,
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
