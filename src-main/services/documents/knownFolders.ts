// Folders that can be listed: those of documents that were opened or saved in this host, and what lies below them. Why no
// others: a page lists what its user works with, not the machine.
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Files } from '../ports/files.ts';

/** More are forgotten, the oldest first. */
const maxKnown = 50;
/** Names of one folder that are listed. */
const maxListed = 2000;

export interface KnownFolders {
  /** The folder of a document can be listed from now on. */
  add: (file: string) => void;
  /**
   * `folder`: absolute; left out: that of the last document.
   * @throws UnderstoryError 'bad-input' for a folder that is not known; 'not-found' | 'io'
   */
  list: (folder?: string) => Promise<Replies['document.folder']>;
}

/** `first`: folders that are known from the start, where they are there. */
export function createKnownFolders(files: Files, first: readonly string[]): KnownFolders {
  const known: string[] = [...first];
  return {
    add(file) {
      const folder = files.resolveFrom(file, '.');
      const before = known.indexOf(folder);
      if (before !== -1) known.splice(before, 1);
      known.unshift(folder);
      known.length = Math.min(known.length, maxKnown);
    },
    async list(asked) {
      const there = await presentOf(files, known);
      const folder = asked ?? there[0];
      if (folder === undefined)
        return { folder: null, parent: null, folders: [], files: [], known: [] };
      if (!isKnown(folder)) {
        const message = `'${folder}' holds nothing that was opened here: open a file in it by its path first`;
        throw new UnderstoryError('bad-input', message, { folder });
      }
      const names = await files.listFolder(folder);
      const parent = files.resolveFrom(folder, '.');
      return {
        folder,
        parent: parent !== folder && isKnown(parent) ? parent : null,
        folders: names.folders.slice(0, maxListed),
        files: names.files.slice(0, maxListed),
        known: there,
      };
    },
  };

  function isKnown(folder: string): boolean {
    // Why from a file in it: resolved, a path with '..' is what it means.
    const resolved = files.resolveFrom(`${folder}/x`, '.');
    return known.some((one) => resolved === one || resolved.startsWith(`${one}/`));
  }
}

async function presentOf(files: Files, folders: readonly string[]): Promise<string[]> {
  const are = await Promise.all(folders.map((folder) => files.exists(folder)));
  return folders.filter((_, index) => are[index]);
}
