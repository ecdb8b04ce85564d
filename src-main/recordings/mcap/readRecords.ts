// Reads the records of an MCAP file one after the other, with one record in memory, whether the file
// was closed or not. Reading stops at the first record that is not there to its last byte.
import { McapStreamReader, type McapTypes } from '@mcap/core';
import { promisify } from 'node:util';
import { crc32, zstdDecompress } from 'node:zlib';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, openRegularFile } from '#files/regularFile.ts';
import { maxContentBytes, readChunkHead } from './chunkContents.ts';

const inflate = promisify(zstdDecompress);

const magic = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);
const recordHeadBytes = 9;
const footerBytes = recordHeadBytes + 20;

/** Larger records than this are not ours: a length that was never written, not a length. */
const maxRecordBytes = 2 ** 31;

/** Opcodes of the records that readers distinguish (mcap.dev/spec). */
export const recordOpcode = {
  footer: 0x02,
  chunk: 0x06,
  messageIndex: 0x07,
  dataEnd: 0x0f,
} as const;

export interface RawRecord {
  opcode: number;
  /** Where the record starts in the file. */
  offset: number;
  /** The whole record: opcode, length and content. */
  bytes: Uint8Array;
}

export interface McapFile {
  readonly file: string;
  readonly size: number;
  /** True where the file ends as a closed one does. */
  readonly isComplete: boolean;
  /** Whole records from `offset` on; the first record of a file is at `firstRecord`. */
  records(offset: number): AsyncGenerator<RawRecord>;
  /** Bytes of the file; fewer where it ends before. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Offset of the first record. */
export const firstRecord = magic.length;

/** @throws UnderstoryError 'not-found' | 'io', or 'corrupt' where the file does not start as MCAP does */
export async function openMcapFile(file: string): Promise<McapFile> {
  const opened = await openRegularFile(file, { maxBytes: anySize });
  try {
    const { size } = opened.stats;
    const read: McapFile['read'] = (offset, length) => opened.read(offset, length);
    if (Buffer.compare(await read(0, magic.length), magic) !== 0) {
      throw new UnderstoryError('corrupt', `${file} is not a recording`, { file });
    }
    const tailBytes = footerBytes + magic.length;
    const tail = await read(Math.max(0, size - tailBytes), tailBytes);
    return {
      file,
      size,
      isComplete:
        tail[0] === recordOpcode.footer && Buffer.compare(tail.subarray(footerBytes), magic) === 0,
      records: (offset) => readRecords(read, size, offset),
      read,
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The error for a file whose record at `offset` is not what its writer left there. */
export function damagedAt({ file }: Pick<McapFile, 'file'>, offset: number): UnderstoryError {
  return new UnderstoryError('corrupt', `${file} is damaged at byte ${offset}`, { file, offset });
}

/** The fields of a record outside chunks. @throws Error where its content or CRC is wrong */
export function parseRecord({ bytes }: RawRecord): McapTypes.TypedMcapRecord {
  const record = parseOne(bytes);
  if (record === undefined) throw new Error('a record is cut short');
  return record;
}

/** More of a chunk is inflated in pieces of this size. */
const maxPieceBytes = 2 ** 22;

/** The uncompressed content of a chunk, its CRC checked; null where the bytes are no good chunk. */
export async function chunkContent(record: RawRecord): Promise<Uint8Array | null> {
  const chunk = readChunkHead(record.bytes);
  if (chunk === null || chunk.uncompressedBytes > maxContentBytes(chunk.packed.length)) return null;
  try {
    // Why not the synchronous one: a host reads recordings on the thread that answers everybody.
    const content = await inflate(chunk.packed, {
      maxOutputLength: Math.max(chunk.uncompressedBytes, 1),
      // Why: in pieces of the default size, 16 kB, inflating and joining them takes twice as long.
      chunkSize: Math.min(Math.max(chunk.uncompressedBytes, 64), maxPieceBytes),
    });
    return crc32(content) === chunk.crc32 ? content : null;
  } catch {
    return null; // whatever is wrong with it, it is not a chunk that was written to its end
  }
}

/** A message, and the checksum of its whole record. */
export interface ChunkMessage extends McapTypes.Message {
  recordCrc32: () => number;
}

/** The messages in a chunk's content; their data are views. */
export function* chunkMessages(content: Uint8Array): Generator<ChunkMessage> {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at + recordHeadBytes <= content.length;) {
    const length = Number(view.getBigUint64(at + 1, true));
    const start = at + recordHeadBytes;
    yield {
      channelId: view.getUint16(start, true),
      sequence: view.getUint32(start + 2, true),
      logTime: view.getBigUint64(start + 6, true),
      publishTime: view.getBigUint64(start + 14, true),
      data: content.subarray(start + 22, start + length),
      recordCrc32: () => crc32(content.subarray(start - recordHeadBytes, start + length)),
    };
    at = start + length;
  }
}

function parseOne(bytes: Uint8Array): McapTypes.TypedMcapRecord | undefined {
  // Chunks come back as they are; the generator inside is not asked for their content.
  const reader = new McapStreamReader({ noMagicPrefix: true, includeChunks: true });
  reader.append(bytes);
  return reader.nextRecord();
}

async function* readRecords(
  read: (offset: number, length: number) => Promise<Uint8Array>,
  size: number,
  from: number,
): AsyncGenerator<RawRecord> {
  for (let offset = from; offset + recordHeadBytes <= size;) {
    const head = await read(offset, recordHeadBytes);
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const opcode = view.getUint8(0);
    const length = Number(view.getBigUint64(1, true));
    const end = offset + recordHeadBytes + length;
    if (opcode === 0 || length > maxRecordBytes || end > size) return;
    const bytes = await read(offset, recordHeadBytes + length);
    if (bytes.length < recordHeadBytes + length) return;
    yield { opcode, offset, bytes };
    if (opcode === recordOpcode.footer) return;
    offset = end;
  }
}
