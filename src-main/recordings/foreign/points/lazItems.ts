// The record of LASzip: how the points of a LAZ file are compressed. Guarantees: what laz-perf cannot decompress is
// refused, by the version of its compression, before any point is read.
import { UnderstoryError } from '#contract/errors.ts';
import { rowBytesOf } from './lasFields.ts';
import type { LasHead } from './lasHead.ts';
import type { LasRecord } from './lasRecords.ts';
import { damaged } from './pointLayout.ts';

export interface LazCompression {
  /** Format of decompressed points: those of 9 and 10 lose their waveform packets and become 6 and 8. */
  format: number;
  rowBytes: number;
  /** 'whole': one stream; 'pointwise': a stream a chunk; 'layered': a stream for each part of the points of a chunk. */
  kind: 'whole' | 'pointwise' | 'layered';
  /** Points of a chunk; null: the table of chunks has their numbers. */
  chunkPoints: number | null;
  /** Layers of a chunk in their order. Empty: not layered. */
  layers: LazLayer[];
}

/** Consecutive streams of a chunk, and the bytes of a point that they hold. */
export interface LazLayer {
  streams: number;
  bytes: number;
  /** laz-perf does not decompress it. */
  isSkipped: boolean;
}

/** A part of a point. */
interface Item {
  type: number;
  size: number;
  version: number;
}

/** Types of parts, by LASzip's names, with the versions that are read. */
const itemTypes = {
  BYTE: { type: 0, size: 0, version: 2 },
  POINT10: { type: 6, size: 20, version: 2 },
  GPSTIME11: { type: 7, size: 8, version: 2 },
  RGB12: { type: 8, size: 6, version: 2 },
  WAVEPACKET13: { type: 9, size: 29, version: 1 },
  POINT14: { type: 10, size: 30, version: 3 },
  RGB14: { type: 11, size: 6, version: 3 },
  RGBNIR14: { type: 12, size: 8, version: 3 },
  WAVEPACKET14: { type: 13, size: 29, version: 3 },
  BYTE14: { type: 14, size: 0, version: 3 },
} as const;
type ItemName = keyof typeof itemTypes;

/** Parts of a point without Extra Bytes, by its format. */
const itemsByFormat: readonly (readonly ItemName[])[] = [
  ['POINT10'],
  ['POINT10', 'GPSTIME11'],
  ['POINT10', 'RGB12'],
  ['POINT10', 'GPSTIME11', 'RGB12'],
  ['POINT10', 'GPSTIME11', 'WAVEPACKET13'],
  ['POINT10', 'GPSTIME11', 'RGB12', 'WAVEPACKET13'],
  ['POINT14'],
  ['POINT14', 'RGB14'],
  ['POINT14', 'RGBNIR14'],
  ['POINT14', 'WAVEPACKET14'],
  ['POINT14', 'RGBNIR14', 'WAVEPACKET14'],
];
/** Format of the points without their waveform packets. */
const withoutWaveforms = [0, 1, 2, 3, 1, 3, 6, 7, 8, 6, 8];

/** Streams of a part; of Extra Bytes, one a byte. */
const streamsOf: Partial<Record<ItemName, number>> = { POINT14: 9, RGBNIR14: 2 };

const kinds: Record<number, LazCompression['kind']> = { 1: 'whole', 2: 'pointwise', 3: 'layered' };
const variableChunks = 0xffffffff;
/** Why: models of a byte take some kilobytes in the decompressor. */
const maxExtraBytes = 4096;

/** @throws UnderstoryError 'corrupt', 'unsupported' */
export function compressionOf(
  file: string,
  head: LasHead,
  records: readonly LasRecord[],
): LazCompression {
  const content = records.find(({ user }) => user === 'laszip encoded')?.content;
  const count = content === undefined || content.length < 34 ? 0 : uint16(content, 32);
  if (content === undefined || count === 0 || content.length < 34 + 6 * count) {
    throw damaged(file, 'it has no record of LASzip', head.records.start);
  }
  const [compressor, coder, chunkPoints] = [
    uint16(content, 0),
    uint16(content, 2),
    uint32(content, 12),
  ];
  const { format, rowBytes } = head;
  const kind = kinds[compressor];
  if (kind === undefined || coder !== 0 || (kind === 'layered') !== format >= 6) {
    const version = `${content[4] ?? 0}.${content[5] ?? 0}`;
    const found = `compressor ${compressor}, coder ${coder} of LASzip ${version} for point format ${format}`;
    throw unread(file, found);
  }
  const names = namesOf(format, rowBytes - rowBytesOf(format));
  if (rowBytes - rowBytesOf(format) > maxExtraBytes) {
    throw damaged(file, `its points have ${rowBytes} bytes`, 105);
  }
  expectItems(file, head, names, itemsIn(content, count));
  if (kind !== 'whole' && chunkPoints === 0) throw damaged(file, 'its chunks have no points');
  const isSkipped = (name: ItemName): boolean => name === 'WAVEPACKET14';
  const skipped = names.some(isSkipped) ? itemTypes.WAVEPACKET14.size : 0;
  return {
    format: withoutWaveforms[format] ?? format,
    rowBytes: rowBytes - skipped,
    kind,
    chunkPoints: chunkPoints === variableChunks ? null : chunkPoints,
    layers: kind !== 'layered' ? [] : names.map((name) => layerOf(name, head, isSkipped(name))),
  };
}

function layerOf(name: ItemName, { format, rowBytes }: LasHead, isSkipped: boolean): LazLayer {
  const extraBytes = rowBytes - rowBytesOf(format);
  if (name === 'BYTE14') return { streams: extraBytes, bytes: extraBytes, isSkipped };
  return { streams: streamsOf[name] ?? 1, bytes: itemTypes[name].size, isSkipped };
}

function namesOf(format: number, extraBytes: number): ItemName[] {
  const names = itemsByFormat[format] ?? [];
  return extraBytes > 0 ? [...names, format >= 6 ? 'BYTE14' : 'BYTE'] : [...names];
}

function itemsIn(content: Uint8Array, count: number): Item[] {
  return Array.from({ length: count }, (_, item) => {
    const at = 34 + 6 * item;
    return {
      type: uint16(content, at),
      size: uint16(content, at + 2),
      version: uint16(content, at + 4),
    };
  });
}

function expectItems(
  file: string,
  { format, rowBytes }: LasHead,
  names: readonly ItemName[],
  found: readonly Item[],
): void {
  const sizeOf = (name: ItemName): number => itemTypes[name].size || rowBytes - rowBytesOf(format);
  const isSame = names.every(
    (name, at) => found[at]?.type === itemTypes[name].type && found[at].size === sizeOf(name),
  );
  if (!isSame || found.length !== names.length) {
    const parts = found.map(({ type, size }) => `${type} (${size} bytes)`).join(', ');
    const reason = `its items of LASzip, ${parts}, are no point of format ${format} with ${rowBytes} bytes`;
    throw damaged(file, reason);
  }
  for (const [at, name] of names.entries()) {
    const version = found[at]?.version ?? 0;
    if (version === itemTypes[name].version && name !== 'WAVEPACKET13') continue;
    throw unread(file, `${name} version ${version} of LASzip in point format ${format}`);
  }
}

function unread(file: string, found: string): UnderstoryError {
  const message = `${file}: ${found} is not read ('pdal translate IN.laz OUT.las')`;
  return new UnderstoryError('unsupported', message, { file });
}

function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

function uint32(bytes: Uint8Array, at: number): number {
  return (uint16(bytes, at) | (uint16(bytes, at + 2) << 16)) >>> 0;
}
