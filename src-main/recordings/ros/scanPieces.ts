// The returns of a sensor in one tick as its messages need them: points in the fields of its driver without their times,
// and beside each its time, its pulse and, for a laser scan, its range and intensity. From a table, or from rows that the
// worker has packed: the same bytes.
import { zstdDecompressSync } from 'node:zlib';
import type { ReturnTable } from '#contract/columns.ts';
import type { RowPacking, PackedRows } from '#services/ports/workers.ts';
import { type CloudField, type CloudLayout, stampValue } from './cloudFields.ts';
import { packedField } from './cloudPacking.ts';
import type { Epoch, RosTime } from './epoch.ts';
import { packPoints } from './pointCloud.ts';

/** Rows in the order of their pulses. */
export interface ScanPiece {
  fromNs: number;
  toNs: number;
  rows: number;
  /** Packed by the layout, times left out. */
  points: Uint8Array;
  /** Nanoseconds since fromNs. */
  sinceNs: Uint32Array;
  /** Number of the pulse less firstPulse. */
  pulses: Uint32Array;
  firstPulse: bigint;
  /** For a laser scan; else without elements. */
  rangesM: Float32Array;
  intensities: Float32Array;
  /** 1: the row is a pulse without an echo; null: none is. */
  isMiss: Uint8Array | null;
}

/** Contents of a piece. */
export interface PieceLayout {
  /** Layout of the clouds of the sensor. */
  layout: CloudLayout;
  /** Intensity of the laser scans; null: none are made. */
  intensity: CloudField | null;
}

/** Values beside the point of a row, each of 4 bytes. */
const besideBytes = 4;

/** The fields of a row as the worker packs it: the point, then what is beside it. */
function rowFields({ layout, intensity }: PieceLayout): CloudField[] {
  const end = layout.pointStep;
  const beside = (index: number): number => end + index * besideBytes;
  const fields: CloudField[] = [
    ...withoutTime(layout).fields,
    { column: 'time_ns', name: 't', type: 'u32', offset: beside(0), from: 'difference' },
    { column: 'pulse', name: 'pulse', type: 'u32', offset: beside(1), from: 'difference' },
  ];
  if (intensity === null) return fields;
  const range = { column: 'range_m', name: 'range', type: 'f32', from: 'value' } as const;
  return [
    ...fields,
    { ...range, offset: beside(2) },
    { ...intensity, type: 'f32', offset: beside(3) },
  ];
}

/** Bytes of a row as the worker packs it. */
function rowBytesOf({ layout, intensity }: PieceLayout): number {
  return layout.pointStep + (intensity === null ? 2 : 4) * besideBytes;
}

/** How the worker packs the rows of a tick. They are no part of the recording as they are. */
export function piecePacking(piece: PieceLayout, fromNs: number, epoch: Epoch): RowPacking {
  const fields = rowFields(piece).map((field) => packedField(field, fromNs, epoch.stamp(fromNs)));
  const none = new Uint8Array(0);
  const template = { rowBytes: rowBytesOf(piece), fields, patches: [], groupBy: 'ring' as const };
  return { template, before: none, after: none, isRaw: true };
}

/** The rows that the worker packed. */
export function pieceOfPacked(
  layout: PieceLayout,
  { fromNs, toNs }: Pick<ScanPiece, 'fromNs' | 'toNs'>,
  { frame, uncompressedBytes, bases }: PackedRows,
): ScanPiece {
  if (!(frame instanceof Uint8Array)) throw new TypeError('rows of messages are sent');
  const rowBytes = rowBytesOf(layout);
  const packed =
    uncompressedBytes === 0
      ? new Uint8Array(0)
      : zstdDecompressSync(frame, { maxOutputLength: uncompressedBytes });
  const rows = packed.length / rowBytes;
  const { pointStep } = layout.layout;
  const points = new Uint8Array(rows * pointStep);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const at = (row: number, index: number): number =>
    row * rowBytes + pointStep + index * besideBytes;
  const hasRanges = layout.intensity !== null;
  const piece: ScanPiece = {
    fromNs,
    toNs,
    rows,
    points,
    sinceNs: new Uint32Array(rows),
    pulses: new Uint32Array(rows),
    firstPulse: BigInt(bases.pulse ?? 0),
    rangesM: new Float32Array(hasRanges ? rows : 0),
    intensities: new Float32Array(hasRanges ? rows : 0),
    isMiss: null,
  };
  for (let row = 0; row < rows; row++) {
    const from = row * rowBytes;
    points.set(packed.subarray(from, from + pointStep), row * pointStep);
    piece.sinceNs[row] = view.getUint32(at(row, 0), true);
    piece.pulses[row] = view.getUint32(at(row, 1), true);
    if (!hasRanges) continue;
    piece.rangesM[row] = view.getFloat32(at(row, 2), true);
    piece.intensities[row] = view.getFloat32(at(row, 3), true);
  }
  return piece;
}

/** Whether a table has the columns of a piece. */
export function hasPieceColumns(piece: PieceLayout, table: ReturnTable): boolean {
  return rowFields(piece).every(({ column }) => table[column] !== undefined);
}

/** The rows of a table. @throws TypeError where it lacks a column (hasPieceColumns); RangeError as packPoints */
export function pieceOfTable(
  layout: PieceLayout,
  {
    fromNs,
    toNs,
    table,
    rows,
  }: Pick<ScanPiece, 'fromNs' | 'toNs' | 'rows'> & { table: ReturnTable },
  epoch: Epoch,
): ScanPiece {
  const firstPulse = table.pulse?.[0] ?? 0n;
  const scan = { fromNs, table, rows };
  const beside = rowFields(layout).slice(withoutTime(layout.layout).fields.length);
  const valuesOf = (index: number): ArrayBuffer => {
    const field = beside[index];
    if (field === undefined) return new ArrayBuffer(0);
    const fields = [{ ...field, offset: 0 }];
    return packPoints({ fields, pointStep: besideBytes }, scan, firstPulse, epoch).buffer;
  };
  const returnNo = table.return_no?.subarray(0, rows);
  return {
    fromNs,
    toNs,
    rows,
    points: packPoints(withoutTime(layout.layout), scan, 0n, epoch),
    sinceNs: new Uint32Array(valuesOf(0)),
    pulses: new Uint32Array(valuesOf(1)),
    firstPulse,
    rangesM: new Float32Array(valuesOf(2)),
    intensities: new Float32Array(valuesOf(3)),
    isMiss:
      returnNo?.includes(0) === true ? returnNo.map((number) => (number === 0 ? 1 : 0)) : null,
  };
}

function withoutTime(layout: CloudLayout): CloudLayout {
  return { ...layout, fields: layout.fields.filter(({ column }) => column !== 'time_ns') };
}

/** Writes the times of points, as packPoints does. @param sinceNs of each, after the stamp of the message */
export function addTimes(
  { fields, pointStep }: CloudLayout,
  points: Uint8Array,
  { stamp, sinceNs }: { stamp: RosTime; sinceNs: readonly number[] },
): void {
  const field = fields.find(({ column }) => column === 'time_ns');
  if (field === undefined) return;
  const { offset, from, factor = 1 } = field;
  const start = stampValue(stamp, factor);
  const view = new DataView(points.buffer, points.byteOffset, points.byteLength);
  for (const [row, ns] of sinceNs.entries()) {
    const at = row * pointStep + offset;
    if (from === 'absolute') view.setFloat64(at, start + factor * ns, true);
    else if (from === 'seconds') view.setFloat32(at, ns * 1e-9, true);
    else view.setUint32(at, ns, true);
  }
}
