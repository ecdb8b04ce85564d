// The messages of bags of ROS 1 (.bag, format 2.0), by @foxglove/rosbag. Guarantees: counts, sizes and places are held
// against the file before the library follows them, so that reading ends; failures are sentences of ours.
import { Bag } from '@foxglove/rosbag';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import type { SourceMessage } from '#services/ports/logSources.ts';
import type { RosType } from '../ros/schemas.ts';
import { loadWasmCodecs } from './chunkCodecs.ts';
import { cdrOfRos1, ros2TypeOf } from './ros1Messages.ts';

/** Bytes of a record at least: the sizes of its header and of its data, and the field `op` in the header. */
const minRecordBytes = 8 + 4 + 4;
const magic = '#ROSBAG V2.0\n';

/**
 * The messages of known types as ROS 2 has them, in the order of their times. @param progress bytes so far
 * @throws UnderstoryError 'corrupt', 'cancelled'
 */
export async function* ros1BagMessages(
  file: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): AsyncGenerator<SourceMessage> {
  const opened = await openRegularFile(file, { maxBytes: anySize, signal });
  try {
    await expectMagic(opened);
    const bag = await openBag(opened, progress);
    const types = new Map<number, RosType>();
    for (const { conn, type = '' } of bag.connections.values()) {
      const known = ros2TypeOf(type);
      if (known !== null) types.set(conn, known);
    }
    const topics = [...bag.connections.values()].filter(({ conn }) => types.has(conn));
    if (topics.length === 0 || bag.chunkInfos.length === 0) return;
    // Why from 0: by default the library begins with the first chunk's time, which need not be the earliest.
    const start = { sec: 0, nsec: 0 };
    const messages = bag.messageIterator({ start, topics: topics.map(({ topic }) => topic) });
    const iterator = messages[Symbol.asyncIterator]();
    for (;;) {
      const next = await readWith(file, () => iterator.next());
      if (next.done === true) return;
      const { topic, connectionId, data } = next.value;
      const type = types.get(connectionId);
      if (type !== undefined) yield { topic, type, data: cdrOfRos1(type, topic, data) };
    }
  } finally {
    await opened.close();
  }
}

async function expectMagic(file: RegularFile): Promise<void> {
  const found = Buffer.from(await file.read(0, magic.length)).toString('latin1');
  if (found === magic) return;
  const message = `${file.path} is no bag of ROS 1: expected '${magic.trim()}' at its start`;
  throw new UnderstoryError('corrupt', message, { file: file.path });
}

/** A bag whose index was read and checked. */
async function openBag(file: RegularFile, progress: (bytes: number) => void): Promise<Bag> {
  const { size } = file.stats;
  let readTo = 0;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    if (!(offset >= 0 && length >= 0 && offset <= size)) throw new RangeError('outside the file');
    const bytes = await file.read(offset, Math.min(length, size - offset));
    readTo = Math.max(readTo, offset + bytes.length);
    progress(readTo);
    return bytes;
  };
  const decompress = { ...(await loadWasmCodecs()) };
  const bag = new Bag({ read, size: () => size }, { parse: false, decompress });
  const { indexPosition, ...counts } = await readWith(file.path, () => bag.reader.readHeader());
  if (indexPosition === 0) {
    const message = `${file.path} was not closed and has no index: 'rosbag reindex' adds it`;
    throw new UnderstoryError('corrupt', message, { file: file.path });
  }
  const maxRecords = (size - indexPosition) / minRecordBytes;
  const { connectionCount, chunkCount } = counts;
  const arePossible = [connectionCount, chunkCount].every((n) => n >= 0 && n <= maxRecords);
  if (indexPosition > size || !arePossible) throw damaged(file.path);
  // Why: progress of the chunks begins at their first.
  await readWith(file.path, () => bag.open());
  readTo = 0;
  let lastAt = 0;
  for (const { chunkPosition, count } of bag.chunkInfos) {
    const isPossible = chunkPosition > lastAt && chunkPosition < indexPosition;
    if (!isPossible || count > bag.connections.size) throw damaged(file.path);
    lastAt = chunkPosition;
  }
  return bag;
}

async function readWith<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof UnderstoryError ? error : damaged(file);
  }
}

function damaged(file: string): UnderstoryError {
  const message = `${file} is damaged: expected whole records of a bag of ROS 1`;
  return new UnderstoryError('corrupt', message, { file });
}
