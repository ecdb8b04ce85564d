// The messages of MCAP files that other programs wrote: chunked or not, compressed by zstd, by LZ4 or not; those of ROS 1
// as ROS 2 has them.
import { McapStreamReader, type McapTypes } from '@mcap/core';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import type { SourceMessage } from '#services/ports/logSources.ts';
import { inflatedZstd, loadWasmCodecs } from './chunkCodecs.ts';
import type { RosType } from '../ros/schemas.ts';
import { cdrOfRos1, ros2TypeOf } from './ros1Messages.ts';

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
      decompressHandlers: { zstd: () => content, lz4: () => content },
      validateCrcs: true,
    });
    const schemas = new Map<number, string>();
    const channels = new Map<number, Channel>();
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
        if (channel !== undefined) yield messageOf(channel, record.data);
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

/** The uncompressed records of a chunk that zstd or LZ4 compressed; those of another are as they are. */
async function contentOf(
  { compression, records, uncompressedSize }: McapTypes.Chunk,
  file: string,
): Promise<Uint8Array> {
  const bytes = Number(uncompressedSize);
  try {
    if (records.length === 0) return records;
    if (compression === 'zstd') return await inflatedZstd(records, bytes);
    return compression === 'lz4' ? (await loadWasmCodecs()).lz4(records, bytes) : records;
  } catch (error) {
    throw damaged(file, error);
  }
}

function damaged(file: string, error: unknown): UnderstoryError {
  const message = `${file} is damaged: ${(error as Error).message}`;
  return new UnderstoryError('corrupt', message, { file });
}

/** A topic; `type` is that of ROS 2, '' where no message of it is read. */
interface Channel {
  topic: string;
  type: string;
  isRos1: boolean;
}

function channelOf(
  { topic, schemaId, messageEncoding }: McapTypes.Channel,
  schemas: ReadonlyMap<number, string>,
  file: string,
): Channel {
  const name = schemas.get(schemaId) ?? '';
  if (messageEncoding === 'cdr') return { topic, type: name, isRos1: false };
  if (messageEncoding === 'ros1') return { topic, type: ros2TypeOf(name) ?? '', isRos1: true };
  if (/PointCloud2?$/.test(name)) {
    const found = `holds clouds in the encoding '${messageEncoding}'`;
    const message = `${file} ${found}: expected cdr (ROS 2) or ros1, the encodings of ROS`;
    throw new UnderstoryError('unsupported', message, { file });
  }
  return { topic, type: '', isRos1: false };
}

function messageOf({ topic, type, isRos1 }: Channel, data: Uint8Array): SourceMessage {
  if (!isRos1 || type === '') return { topic, type, data };
  return { topic, type, data: cdrOfRos1(type as RosType, topic, data) };
}
