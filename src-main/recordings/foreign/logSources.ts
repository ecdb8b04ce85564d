// The adapter for the port `LogSources`: files of other programs by what they are.
import { stat, readdir } from 'node:fs/promises';
import { badInput } from '#contract/errors.ts';
import type { LogSources } from '#services/ports/logSources.ts';
import { naming } from '../appendFile.ts';
import { openFolderSource } from './folderSource.ts';
import { isKittiFolder, openKittiSource } from './kittiSource.ts';
import { openRosSource, type ReadMessages } from './rosSource.ts';

/** @param readBag reads the messages of a .db3 file of rosbag2 */
export function createLogSources(readBag: ReadMessages): LogSources {
  return {
    async open(path, options) {
      const found = await naming(path, () => stat(path));
      if (!found.isDirectory()) {
        if (/\.(mcap|db3)$/i.test(path)) return openRosSource(path, readBag, options);
        if (/\.(pcd|ply|las)$/i.test(path)) return openFolderSource([path], options);
        throw unknownSource(path);
      }
      if (isKittiFolder(path)) return openKittiSource(path, options);
      const names = (await naming(path, () => readdir(path))).sort(byNumbers);
      if (names.some((name) => /\.(mcap|db3)$/i.test(name))) {
        return openRosSource(path, readBag, options);
      }
      const clouds = names.filter((name) => /\.(pcd|ply|las)$/i.test(name));
      if (clouds.length === 0) throw unknownSource(path);
      return openFolderSource(
        clouds.map((name) => `${path}/${name}`),
        options,
      );
    },
  };
}

/** 10.pcd after 9.pcd. */
function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function unknownSource(path: string): Error {
  const known = 'a run, .mcap, .db3, .csv, a folder of rosbag2 or KITTI, or .pcd, .ply or .las';
  return badInput('source', `expected ${known}, found '${path}'`);
}
