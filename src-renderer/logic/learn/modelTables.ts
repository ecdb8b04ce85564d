// Clouds, learned models and samples as they come from the host, chunk by chunk, joined into arrays that the viewer draws.
import type { Columns } from '#contract/columns.ts';
import type { ElementsChunk } from '#contract/worker/learnedViews.ts';
import { joined, reals, type Gathering } from '#renderer/logic/cloud/cloudTable.ts';

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
