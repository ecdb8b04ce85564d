// Clouds, learned models and samples as they come from the host, chunk by chunk, joined into arrays that the viewer draws.
import type { Columns } from '#contract/columns.ts';
import type { ElementsChunk } from '#contract/worker/learnedViews.ts';
import type { CloudTable } from '#renderer/logic/cloud/cloudTable.ts';

/** Values of elements, triangles or points, a row each. */
export interface ObservedTable {
  permeability: Float32Array;
  reflectance: Float32Array;
  support: Uint32Array;
  classIds: Uint16Array;
}

export interface ModelTables {
  /** 3 and 6 values an element (contract/worker/learnedViews.ts). */
  elements: ObservedTable & { meansM: Float32Array; factors: Float32Array };
  /** 9 values a triangle. */
  triangles: ObservedTable & { cornersM: Float32Array };
  points: ObservedTable & { positionsM: Float32Array };
}

export interface SampleTable {
  positionsM: Float32Array;
  underSampled: Uint8Array;
}

/** Chunks of a call, joined when it has ended. */
export interface Gathering<T> {
  take: (body: unknown, columns: Columns) => void;
  joined: () => T;
}

export function gatherModel(): Gathering<ModelTables> {
  const parts: Record<ElementsChunk['part'], Columns[]> = {
    elements: [],
    triangles: [],
    points: [],
  };
  return {
    take: (body, columns) => void parts[(body as ElementsChunk).part].push(columns),
    joined: () => ({
      elements: {
        ...observedOf(parts.elements),
        meansM: reals(parts.elements, 'mean'),
        factors: reals(parts.elements, 'factor'),
      },
      triangles: { ...observedOf(parts.triangles), cornersM: reals(parts.triangles, 'corners') },
      points: { ...observedOf(parts.points), positionsM: reals(parts.points, 'position') },
    }),
  };
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

export function gatherSample(): Gathering<SampleTable> {
  const parts: Columns[] = [];
  return {
    take: (_, columns) => void parts.push(columns),
    joined: () => ({
      positionsM: reals(parts, 'position'),
      underSampled: joined(parts, 'under_sampled', Uint8Array),
    }),
  };
}

function observedOf(parts: readonly Columns[]): ObservedTable {
  return {
    permeability: reals(parts, 'permeability'),
    reflectance: reals(parts, 'reflectance'),
    support: joined(parts, 'support', Uint32Array),
    classIds: joined(parts, 'class_id', Uint16Array),
  };
}

function reals(parts: readonly Columns[], name: string): Float32Array {
  return joined(parts, name, Float32Array);
}

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array;

function joined<T extends Numbers>(
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
