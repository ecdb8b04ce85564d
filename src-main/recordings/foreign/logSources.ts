// The adapter for the port `LogSources`: files of other programs by what they are.
import { stat, readdir } from 'node:fs/promises';
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { BeamSource, LogSources } from '#services/ports/logSources.ts';
import { naming } from '#files/appendFile.ts';
import { openBeamFile } from './beamFile.ts';
import { openFolderSource } from './folderSource.ts';
import { isKittiFolder, openKittiSource } from './kittiSource.ts';
import { openNpzBeams } from './npzBeams.ts';
import { openRosSource, type ReadMessages } from './rosSource.ts';

/** @param readBag reads the messages of a .db3 file of rosbag2 */
export function createLogSources(readBag: ReadMessages): LogSources {
  return {
    async openBeams(path) {
      const found = await naming(path, () => stat(path));
      if (found.isDirectory()) return null;
      if (/\.npz$/i.test(path)) return expectBeams(path, await openNpzBeams(path));
      return /\.(pcd|ply|las)$/i.test(path) ? openBeamFile(path) : null;
    },
    async open(path, options) {
      const found = await naming(path, () => stat(path));
      if (!found.isDirectory()) {
        if (/\.(mcap|db3)$/i.test(path)) return openRosSource(path, readBag, options);
        if (/\.(pcd|ply|las)$/i.test(path)) return openFolderSource([path], options);
        throw unknownSource(path, [path]);
      }
      if (isKittiFolder(path)) return openKittiSource(path, options);
      const names = (await naming(path, () => readdir(path))).sort(byNumbers);
      if (names.some((name) => /\.(mcap|db3)$/i.test(name))) {
        return openRosSource(path, readBag, options);
      }
      const clouds = names.filter((name) => /\.(pcd|ply|las)$/i.test(name));
      if (clouds.length === 0) throw unknownSource(path, names);
      return openFolderSource(
        clouds.map((name) => `${path}/${name}`),
        options,
      );
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

/** @param names in the folder, or of the file itself */
function unknownSource(path: string, names: readonly string[]): Error {
  const packed = names.find((name) => /\.(mcap|db3)\.zstd?$/i.test(name));
  if (packed !== undefined) {
    const message = `'${packed}' is compressed as a whole: 'zstd -d' unpacks it`;
    return new UnderstoryError('unsupported', message, { file: path });
  }
  const known =
    'a run, .mcap, .db3, .csv, .npz, a folder of rosbag2 or KITTI, or .pcd, .ply or .las';
  return badInput('source', `expected ${known}, found '${path}'`);
}
