// Entry of the thread that converts the files of one import (importThread.ts). Its host ends it: nothing here is
// cancelled. Reports how many bytes were read, from which the limits of the work follow.
import type { Files } from '#services/ports/files.ts';
import { createConversion } from '#services/scenarios/convertFiles.ts';
import { assetsFolder } from '../packageFolders.ts';
import { loadDraco } from './dracoDecoder.ts';
import { reportProgress, serveJobs } from './jobEntry.ts';
import { createNodeFiles } from './nodeFiles.ts';

const files = createNodeFiles({ assetsFolder });
let bytesRead = 0;

function count<T extends string | Uint8Array>(content: T): T {
  bytesRead += content.length;
  reportProgress(0, 0, bytesRead);
  return content;
}

const countedFiles: Files = {
  ...files,
  readText: async (path) => count(await files.readText(path)),
  readBytes: async (path, maxBytes) => count(await files.readBytes(path, maxBytes)),
  pieces: (path, take, _signal, maxBytes) =>
    files.pieces(path, (bytes) => take(count(bytes)), undefined, maxBytes),
  ranges: (path, use) =>
    files.ranges(path, (range) =>
      use({
        bytes: range.bytes,
        read: async (offset, length) => count(await range.read(offset, length)),
      }),
    ),
};

const conversion = createConversion(countedFiles, {
  loadDraco,
  onProgress: (done, total) => reportProgress(done, total, bytesRead),
});
serveJobs({ ...conversion }, { isMoved: true });
