// Files of points in the data folder: those that there are, and those that a page sent.
import type { ListedCloud } from '#contract/host/cloudMethods.ts';
import { pointFileEndings } from '#contract/host/cloudMethods.ts';
import { badInput } from '#contract/errors.ts';
import type { Uploads } from '#services/bundles/uploads.ts';
import type { Handlers } from '#services/handlers.ts';
import { listedFiles } from '#services/listedFiles.ts';
import type { DataFiles } from '#services/ports/dataFiles.ts';

export interface PointFilePorts {
  dataFiles: Pick<DataFiles, 'folder' | 'list' | 'find' | 'take'>;
  uploads: Pick<Uploads, 'use'>;
}

/** cloud.list and cloud.keep. */
export function pointFileHandlers({
  dataFiles,
  uploads,
}: PointFilePorts): Pick<Handlers<'cloud'>, 'cloud.list' | 'cloud.keep'> {
  return {
    'cloud.list': async ({ files }) => {
      const clouds: ListedCloud[] = await listedFiles(dataFiles, 'clouds', pointFileEndings, files);
      return { reply: { folder: dataFiles.folder('clouds'), clouds } };
    },
    'cloud.keep': async ({ upload }) => {
      const file = await uploads.use(upload, ({ path, name }) => {
        if (pointFileEndings.some((ending) => name.toLowerCase().endsWith(ending))) {
          return dataFiles.take(path, 'clouds', name);
        }
        const message = `expected a file ${pointFileEndings.join(', ')}, found '${name}'`;
        throw badInput('upload', message);
      });
      return { reply: { file } };
    },
  };
}
