// Recordings of ROS as sources of logs: MCAP, rosbag2 and bags of ROS 1, compressed or not. A first pass finds topics and
// poses; clouds are read in a second one, a message at a time.
import { stat } from 'node:fs/promises';
import { UnderstoryError } from '#contract/errors.ts';
import type { LogSource } from '#contract/log/log.ts';
import { statedSystem } from '#domain/shared/systemUnits.ts';
import type { LogSourceReader, OpenOptions, SourceMessage } from '#services/ports/logSources.ts';
import { naming } from '#files/appendFile.ts';
import { maxContentBytes } from '../mcap/chunkContents.ts';
import { type BagFolder, notesOfCounts, readBagFolder, recordingEnding } from './bagFolder.ts';
import { inflatedZstd } from './chunkCodecs.ts';
import { cloudOfMessage } from './cloudMessage.ts';
import type { ForeignSource } from './foreignSource.ts';
import { cloudOfScan, scanType } from './laserScan.ts';
import { mcapMessages } from './mcapMessages.ts';
import { ros1BagMessages } from './ros1Bag.ts';
import { cloudType, createRosSurvey } from './rosMessages.ts';
import { unpackFiles } from './unpackedFiles.ts';

/** Reads the messages of a file in turn. */
export type ReadMessages = (
  file: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
) => AsyncGenerator<SourceMessage>;

/** MCAP files, the files of rosbag2 and bags of ROS 1, alone or in a folder. @param scratchFolder for unpacked files */
export function rosSource(readBag: ReadMessages, scratchFolder: string): ForeignSource {
  return {
    detects: ({ names }) => names.some((name) => recordingEnding.test(name)),
    open: async ({ path, isFolder }, options) => {
      const bag = isFolder
        ? await readBagFolder(path)
        : { files: [path], counts: new Map<string, number>(), notes: [] };
      const unpacked = await unpackFiles(bag.files, scratchFolder, options.signal);
      try {
        const reader = await openRos({ ...bag, files: unpacked.files }, readBag, options);
        return { ...reader, kind: kindOf(bag.files, isFolder), close: unpacked.close };
      } catch (error) {
        await unpacked.close();
        throw error;
      }
    },
  };
}

function kindOf([first = '']: readonly string[], isFolder: boolean): LogSource {
  if (/\.bag$/i.test(first)) return 'rosbag';
  return isFolder || /\.db3(\.zstd?)?$/i.test(first) ? 'rosbag2' : 'mcap';
}

async function openRos(
  { files, counts, notes }: BagFolder,
  readBag: ReadMessages,
  { signal, progress, times }: OpenOptions,
): Promise<Omit<LogSourceReader, 'kind' | 'close'>> {
  const sizes = await Promise.all(
    files.map(async (file) => (await naming(file, () => stat(file))).size),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);

  async function* messages(report: (done: number, total: number) => void) {
    let before = 0;
    for (const [index, file] of files.entries()) {
      const read = readerOf(file, readBag);
      for await (const message of read(file, signal, (bytes) => report(before + bytes, total))) {
        yield await unpackedMessage(message);
      }
      before += sizes[index] ?? 0;
    }
  }

  const survey = createRosSurvey();
  const found = new Map<string, number>();
  for await (const message of messages(progress)) {
    found.set(message.topic, (found.get(message.topic) ?? 0) + 1);
    survey.take(message);
  }
  const { baseNs, streams, poses } = survey.survey();
  return {
    streams,
    baseNs,
    poses,
    originM: [0, 0, 0],
    system: statedSystem(null),
    volumeClasses: null,
    classes: [],
    traits: { isWorld: false, isCompensated: false, hasTimes: true, elevationsRad: null },
    notes: [...notes, ...notesOfCounts(counts, found)],
    async *clouds(stream, report) {
      let sweep = 0;
      for await (const { topic, type, data } of messages(report)) {
        if (topic !== stream) continue;
        if (type === cloudType) yield cloudOfMessage(data, sweep++, baseNs, times);
        if (type === scanType) yield cloudOfScan(data, sweep++, baseNs, times);
      }
    },
  };
}

function readerOf(file: string, readBag: ReadMessages): ReadMessages {
  if (/\.bag$/i.test(file)) return ros1BagMessages;
  return /\.db3$/i.test(file) ? readBag : mcapMessages;
}

/** The beginning of a frame of zstd (RFC 8878). A message in CDR begins with 0. */
const zstdMagic = [0x28, 0xb5, 0x2f, 0xfd];

/** The message as it was before rosbag2 compressed it (`compression_mode: MESSAGE`). @throws 'corrupt' */
async function unpackedMessage(message: SourceMessage): Promise<SourceMessage> {
  const { topic, data } = message;
  if (!zstdMagic.every((byte, at) => data[at] === byte)) return message;
  try {
    return { ...message, data: await inflatedZstd(data, maxContentBytes(data.length)) };
  } catch {
    throw new UnderstoryError('corrupt', `a message of '${topic}' is no whole frame of zstd`);
  }
}
