// Reads an octree (OCTREE.md): its index at once, nodes when they are asked for. A file that was cut off or changed is
// refused with its name.
import { setImmediate } from 'node:timers/promises';
import { checkedColumns } from '#contract/columns.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  octreeHeadSchema,
  type OctreeHead,
  type OctreeNodeColumns,
} from '#contract/host/cloudMethods.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import type { OctreeReader } from '#services/ports/octrees.ts';
import { indexOf } from './indexedFile.ts';
import { nodeIndexColumns, type NodeIndex } from './nodeBuffers.ts';
import {
  checksumOf,
  nodeColumnsOf,
  nodePointBytes,
  octreeParts,
  octreeStart,
} from './octreeLayout.ts';

/** Bytes that are summed at a time: a tenth of a millisecond of the host's thread. */
const summedBytes = 2 ** 20;

export interface OpenOctree extends OctreeReader {
  close(): Promise<void>;
}

/** @throws UnderstoryError 'not-found' | 'io', 'corrupt' for what is no whole octree */
export async function openOctree(path: string): Promise<OpenOctree> {
  const file = await openRegularFile(path, { maxBytes: anySize });
  try {
    return await readOctree(path, file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readOctree(path: string, file: RegularFile): Promise<OpenOctree> {
  const damaged = (reason: string): UnderstoryError =>
    new UnderstoryError('corrupt', `${path} is no whole octree: ${reason}`, { file: path });
  const { head, index } = await readIndex(file, damaged);
  const { crc32, ...nodes } = index;
  const pointBytes = nodePointBytes(head);
  const offsets = offsetsOf(nodes, pointBytes);
  return {
    head,
    nodes,
    async points(node) {
      const points = nodes.points[node] ?? 0;
      const bytes = await file.read(offsets[node] ?? 0, points * pointBytes);
      let sum = 0;
      for (let from = 0; from < bytes.length; from += summedBytes) {
        sum = checksumOf(bytes.subarray(from, from + summedBytes), sum);
        await setImmediate();
      }
      if (bytes.length !== points * pointBytes || sum !== crc32[node]) {
        throw damaged(`the points of node ${node} were changed`);
      }
      return nodeColumnsOf(bytes, points, head);
    },
    close: () => file.close(),
  };
}

async function readIndex(
  file: RegularFile,
  damaged: (reason: string) => UnderstoryError,
): Promise<{ head: OctreeHead; index: NodeIndex }> {
  const { indexAt, frame } = await indexOf(file, octreeParts, damaged);
  const head = parseWith(octreeHeadSchema, frame.header.body).value;
  if (head === null) throw damaged('its index cannot be read');
  try {
    const index = checkedColumns(frame.columns, nodeIndexColumns);
    const points = index.points.reduce((sum, count) => sum + count, 0);
    const isWhole =
      Object.values(index).every(({ length }) => length === index.level.length) &&
      points === head.points &&
      indexAt === octreeStart.length + points * nodePointBytes(head);
    if (isWhole) return { head, index };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  throw damaged('its nodes are not as counted');
}

/** Nodes follow each other. */
function offsetsOf({ points }: OctreeNodeColumns, pointBytes: number): Float64Array {
  const offsets = new Float64Array(points.length);
  let at = octreeStart.length;
  for (const [node, count] of points.entries()) {
    offsets[node] = at;
    at += count * pointBytes;
  }
  return offsets;
}
