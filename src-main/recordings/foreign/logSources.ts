// The adapter for the port `LogSources`: files of other programs by what they are.
import { stat, readdir } from 'node:fs/promises';
import { badInput, type UnderstoryError } from '#contract/errors.ts';
import { logFilesText } from '#contract/log/logSources.ts';
import type { BeamSource, LogSources } from '#services/ports/logSources.ts';
import { naming } from '#files/appendFile.ts';
import { openBeamFile } from './beamFile.ts';
import { captureEnding, openVelodyneCapture } from './capture/velodyneSource.ts';
import { folderSource } from './folderSource.ts';
import type { ForeignPath, ForeignSource } from './foreignSource.ts';
import { kittiSource } from './kittiSource.ts';
import { openNpzBeams } from './npzBeams.ts';
import { isPointFile } from './points/pointFile.ts';
import { rosSource, type ReadMessages } from './rosSource.ts';

/**
 * Every kind there is; the first that detects a path opens it. @param readBag reads the messages of a .db3 file of rosbag2
 * @param scratchFolder for unpacked files, absolute; made where one is needed, removed when its source is closed
 */
export function createLogSources(readBag: ReadMessages, scratchFolder: string): LogSources {
  const sources: ForeignSource[] = [kittiSource, rosSource(readBag, scratchFolder), folderSource];
  return {
    async openBeams(path) {
      const found = await naming(path, () => stat(path));
      if (found.isDirectory()) return null;
      if (/\.npz$/i.test(path)) return expectBeams(path, await openNpzBeams(path));
      return isPointFile(path) ? openBeamFile(path) : null;
    },
    async openPackets(path, options) {
      const isFile =
        captureEnding.test(path) && !(await naming(path, () => stat(path))).isDirectory();
      return isFile ? openVelodyneCapture(path, options) : null;
    },
    async open(path, options) {
      const isFolder = (await naming(path, () => stat(path))).isDirectory();
      const names = isFolder ? await naming(path, () => readdir(path)) : [path];
      const found = { path, isFolder, names: names.sort(byNumbers) };
      const source = sources.find((each) => each.detects(found));
      if (source === undefined) throw unknownSource(found);
      return source.open(found, options);
    },
  };
}

/** The beams of a file. @throws UnderstoryError 'bad-input' for an archive without beams */
function expectBeams(path: string, beams: BeamSource | null): BeamSource {
  if (beams !== null) return beams;
  const message = `expected arrays beam_origin_x_m … beam_direction_z ('scan --columns default,beam'), found none in '${path}'`;
  throw badInput('source', message);
}

/** 10.pcd after 9.pcd. */
function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function unknownSource({ path }: ForeignPath): UnderstoryError {
  return badInput('source', `expected ${logFilesText}, found '${path}'`);
}
