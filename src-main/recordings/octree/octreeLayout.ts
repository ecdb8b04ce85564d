// The bytes of an octree (OCTREE.md), for writer and reader.
import { crc32 } from 'node:zlib';
import type { CloudNodeColumns, OctreeHead } from '#contract/host/cloudMethods.ts';

export const octreeStart = new TextEncoder().encode('USOCT1\r\n');
export const octreeEnd = new TextEncoder().encode('USOCTEND');
/** The frame of a file's index, and the bytes around the file. */
export const octreeParts = { start: octreeStart, end: octreeEnd, method: 'octree.index' } as const;

/** A node samples its cube on a grid of 2^gridPower cells an edge: 7 is 128, as Potree's. */
export const gridPower = 7;
/** Coordinates in the root's cube are whole numbers of so many bits. */
export const coordinateBits = 31;
/** Nodes of this level have cells as fine as coordinates are. */
export const maxLevel = coordinateBits - gridPower;

/** Which columns nodes have. */
export interface NodeLayout extends Pick<OctreeHead, 'hasColour'> {
  /** Null: there are none. */
  distances: object | null;
}

/**
 * Bytes of a point in a node, column after column: x y z, intensity, distance where the cloud has it, class, and colour
 * where it has it.
 */
export function nodePointBytes({ hasColour, distances }: NodeLayout): number {
  return 3 * 4 + 4 + (distances === null ? 0 : 4) + 2 + (hasColour ? 3 : 0);
}

/** The other way than nodeColumnsOf. */
export function nodeBytesOf(columns: CloudNodeColumns, head: NodeLayout): Uint8Array {
  const points = columns.intensity.length;
  const bytes = new Uint8Array(points * nodePointBytes(head));
  const into = nodeColumnsOf(bytes, points, head);
  into.position.set(columns.position);
  into.intensity.set(columns.intensity);
  into.distance?.set(columns.distance ?? []);
  into.class_id.set(columns.class_id);
  into.colour?.set(columns.colour ?? []);
  return bytes;
}

/** @throws RangeError where the bytes are not those of so many points */
export function nodeColumnsOf(
  bytes: Uint8Array<ArrayBuffer>,
  points: number,
  head: NodeLayout,
): CloudNodeColumns {
  if (bytes.length !== points * nodePointBytes(head) || bytes.byteOffset % 4 !== 0) {
    throw new RangeError('expected the bytes of a node');
  }
  const at = (offset: number): [ArrayBuffer, number] => [bytes.buffer, bytes.byteOffset + offset];
  const classAt = head.distances === null ? 16 : 20;
  return {
    position: new Float32Array(...at(0), 3 * points),
    intensity: new Float32Array(...at(12 * points), points),
    ...(head.distances !== null && { distance: new Float32Array(...at(16 * points), points) }),
    class_id: new Uint16Array(...at(classAt * points), points),
    ...(head.hasColour && { colour: new Uint8Array(...at((classAt + 2) * points), 3 * points) }),
  };
}

export function checksumOf(bytes: Uint8Array, before = 0): number {
  return crc32(bytes, before);
}
