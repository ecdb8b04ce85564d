// Points that become an octree: records of 28 bytes in memory and in spill files, in the machine's byte order.

export const recordBytes = 28;
const words = recordBytes / 4;
const halfWords = recordBytes / 2;

/** Offsets of a record's fields in words and half words. */
const [intensityWord, classHalf, takenHalf, orderWord, rgbWord] = [3, 8, 9, 5, 6];

export interface PointRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly reals: Float32Array;
  readonly whole: Uint32Array;
  readonly halves: Uint16Array;
}

export interface PointRecord {
  xM: number;
  yM: number;
  zM: number;
  intensity: number;
  classId: number;
  /** Red, green and blue in a byte each, red the highest; 0 where the cloud has no colours. */
  rgb: number;
  /** Number in the cloud, from 0. */
  order: number;
}

export function createRecords(count: number): PointRecords {
  const buffer = new ArrayBuffer(count * recordBytes);
  return {
    bytes: new Uint8Array(buffer),
    reals: new Float32Array(buffer),
    whole: new Uint32Array(buffer),
    halves: new Uint16Array(buffer),
  };
}

export function setRecord(into: PointRecords, row: number, point: PointRecord): void {
  const at = words * row;
  into.reals[at] = point.xM;
  into.reals[at + 1] = point.yM;
  into.reals[at + 2] = point.zM;
  into.reals[at + intensityWord] = point.intensity;
  into.halves[halfWords * row + classHalf] = point.classId;
  into.halves[halfWords * row + takenHalf] = 0;
  into.whole[at + orderWord] = point.order;
  into.whole[at + rgbWord] = point.rgb;
}

export function positionOf(from: PointRecords, row: number, axis: number): number {
  return from.reals[words * row + axis] ?? 0;
}

export function intensityOf(from: PointRecords, row: number): number {
  return from.reals[words * row + intensityWord] ?? 0;
}

export function classOf(from: PointRecords, row: number): number {
  return from.halves[halfWords * row + classHalf] ?? 0;
}

export function rgbOf(from: PointRecords, row: number): number {
  return from.whole[words * row + rgbWord] ?? 0;
}

/** Whether a node above holds the point already. */
export function isTaken(from: PointRecords, row: number): boolean {
  return from.halves[halfWords * row + takenHalf] !== 0;
}

export function take(from: PointRecords, row: number): void {
  from.halves[halfWords * row + takenHalf] = 1;
}

/**
 * By this number nodes choose among the points of a cell, and order their own: no two points of a cloud have the same,
 * and neighbours in time are far apart (the finaliser of MurmurHash3, which is invertible).
 */
export function rankOf(from: PointRecords, row: number): number {
  let mixed = from.whole[words * row + orderWord] ?? 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export function copyRecord(from: PointRecords, row: number, into: PointRecords, at: number): void {
  const source = words * row;
  const target = words * at;
  for (let word = 0; word < words; word += 1) {
    into.whole[target + word] = from.whole[source + word] ?? 0;
  }
}
