// MCAP files and rosbag2 folders of other programs as sources of logs. A first pass finds topics and poses; clouds are
// read in a second one, a message at a time.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput } from '#contract/errors.ts';
import { statedSystem } from '#domain/shared/systemUnits.ts';
import type { LogSourceReader, OpenOptions, SourceMessage } from '#services/ports/logSources.ts';
import { naming } from '#files/appendFile.ts';
import { cloudOfMessage } from './cloudMessage.ts';
import type { ForeignSource } from './foreignSource.ts';
import { cloudOfScan, scanType } from './laserScan.ts';
import { mcapMessages } from './mcapMessages.ts';
import { cloudType, createRosSurvey } from './rosMessages.ts';

/** Reads the messages of a file in turn. */
export type ReadMessages = (
  file: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
) => AsyncGenerator<SourceMessage>;

const endings = /\.(mcap|db3)$/i;

/** MCAP files and the files of rosbag2, alone or in a folder. */
export function rosSource(readBag: ReadMessages): ForeignSource {
  return {
    detects: ({ names }) => names.some((name) => endings.test(name)),
    open: ({ path }, options) => openRos(path, readBag, options),
  };
}

async function openRos(
  path: string,
  readBag: ReadMessages,
  { signal, progress, times }: OpenOptions,
): Promise<LogSourceReader> {
  const isFolder = (await naming(path, () => stat(path))).isDirectory();
  const files = isFolder ? await bagFiles(path) : [path];
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);

  async function* messages(report: (done: number, total: number) => void) {
    let before = 0;
    for (const [index, file] of files.entries()) {
      const read = file.endsWith('.db3') ? readBag : mcapMessages;
      yield* read(file, signal, (bytes) => report(before + bytes, total));
      before += sizes[index] ?? 0;
    }
  }

  const survey = createRosSurvey();
  for await (const message of messages(progress)) survey.take(message);
  const { baseNs, streams, poses } = survey.survey();
  return {
    kind: isFolder || path.endsWith('.db3') ? 'rosbag2' : 'mcap',
    streams,
    baseNs,
    poses,
    originM: [0, 0, 0],
    system: statedSystem(null),
    volumeClasses: null,
    classes: [],
    traits: { isWorld: false, isCompensated: false, hasTimes: true, elevationsRad: null },
    async *clouds(stream, report) {
      let sweep = 0;
      for await (const { topic, type, data } of messages(report)) {
        if (topic !== stream) continue;
        if (type === cloudType) yield cloudOfMessage(data, sweep++, baseNs, times);
        if (type === scanType) yield cloudOfScan(data, sweep++, baseNs, times);
      }
    },
    close: () => Promise.resolve(),
  };
}

/** The files of a rosbag2 folder, in their order. @throws 'bad-input' where there are none */
async function bagFiles(folder: string): Promise<string[]> {
  const names = await naming(folder, () => readdir(folder));
  const files = names.filter((name) => /\.(mcap|db3)$/.test(name));
  const order = (name: string): number => Number(/_(\d+)\.\w+$/.exec(name)?.[1] ?? 0);
  files.sort((a, b) => order(a) - order(b) || a.localeCompare(b));
  if (files.length > 0) return files.map((name) => join(folder, name));
  throw badInput('source', `expected files of rosbag2 in '${folder}' (.mcap, .db3), found none`);
}
