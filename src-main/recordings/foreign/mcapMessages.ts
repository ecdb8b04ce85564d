// The messages of MCAP files that other programs wrote: chunked or not, compressed by zstd or not.
import { McapStreamReader, type McapTypes } from '@mcap/core';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import type { SourceMessage } from '#services/ports/logSources.ts';
import { maxContentBytes } from '../mcap/chunkContents.ts';

const inflate = promisify(zstdDecompress);

const magic = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);

/**
 * The CDR messages of a file, in its order. @param progress bytes so far
 * @throws UnderstoryError 'corrupt', 'unsupported' for another compression or for clouds in another encoding, 'cancelled'
 */
export async function* mcapMessages(
  file: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): AsyncGenerator<SourceMessage> {
  const opened = await openRegularFile(file, { maxBytes: anySize, signal });
  try {
    // Why chunks are asked for: each is returned before its content is read, and is inflated on another thread then.
    let content: Uint8Array = new Uint8Array();
    const reader = new McapStreamReader({
      includeChunks: true,
      decompressHandlers: { zstd: () => content },
      validateCrcs: true,
    });
    const schemas = new Map<number, string>();
    const channels = new Map<number, { topic: string; type: string }>();
    await expectMagic(opened);
    let at = 0;
    for await (const piece of opened.pieces({ signal })) {
      at += piece.length;
      reader.append(piece);
      for (let record = next(reader, file); record !== undefined; record = next(reader, file)) {
        if (record.type === 'Chunk') content = await contentOf(record, file);
        if (record.type === 'Schema') schemas.set(record.id, record.name);
        if (record.type === 'Channel') {
          channels.set(record.id, channelOf(record, schemas, file));
        }
        if (record.type !== 'Message') continue;
        const channel = channels.get(record.channelId);
        if (channel !== undefined) yield { ...channel, data: record.data };
      }
      progress(at);
    }
    if (!reader.done()) throw cutOff(file);
  } finally {
    await opened.close();
  }
}

function cutOff(file: string): UnderstoryError {
  const message = `${file} was cut off: 'mcap recover' keeps what is whole`;
  return new UnderstoryError('corrupt', message, { file });
}

async function expectMagic(file: RegularFile): Promise<void> {
  if (Buffer.compare(await file.read(0, magic.length), magic) === 0) return;
  throw new UnderstoryError('corrupt', `${file.path} is no MCAP file`, { file: file.path });
}

function next(reader: McapStreamReader, file: string): McapTypes.TypedMcapRecord | undefined {
  try {
    return reader.nextRecord();
  } catch (error) {
    if (/unsupported compression/i.test((error as Error).message)) {
      const message = `${file} is compressed by another program: 'mcap compress --compression zstd' rewrites it`;
      throw new UnderstoryError('unsupported', message, { file });
    }
    throw damaged(file, error);
  }
}

/** The uncompressed records of a chunk that zstd compressed; those of another are as they are. */
async function contentOf(
  { compression, records, uncompressedSize }: McapTypes.Chunk,
  file: string,
): Promise<Uint8Array> {
  if (compression !== 'zstd' || records.length === 0) return records;
  const bytes = Number(uncompressedSize);
  const maxBytes = maxContentBytes(records.length);
  if (bytes > maxBytes) {
    const found = `expected a chunk of at most ${maxBytes} bytes, found ${bytes} in ${records.length}`;
    throw damaged(file, new Error(found));
  }
  try {
    return await inflate(records, { maxOutputLength: Math.max(1, bytes) });
  } catch (error) {
    throw damaged(file, error);
  }
}

function damaged(file: string, error: unknown): UnderstoryError {
  const message = `${file} is damaged: ${(error as Error).message}`;
  return new UnderstoryError('corrupt', message, { file });
}

function channelOf(
  { topic, schemaId, messageEncoding }: McapTypes.Channel,
  schemas: ReadonlyMap<number, string>,
  file: string,
): { topic: string; type: string } {
  const type = schemas.get(schemaId) ?? '';
  if (messageEncoding !== 'cdr' && /PointCloud2?$/.test(type)) {
    const message =
      messageEncoding === 'ros1'
        ? `${file} holds messages of ROS 1: 'rosbags-convert' makes a recording of ROS 2 of it`
        : `${file} holds clouds in the encoding '${messageEncoding}': expected cdr, the encoding of ROS 2`;
    throw new UnderstoryError('unsupported', message, { file });
  }
  return { topic, type: messageEncoding === 'cdr' ? type : '' };
}
