// Files as they were when a campaign first read them. Texts are read once; a file that is read in another form must not
// change meanwhile. Guarantees: all runs of one call are compiled from the same contents, whose hashes are known.
import { UnderstoryError } from '#contract/errors.ts';
import type { Files, SampleFolder } from '#services/ports/files.ts';

export interface FileSnapshot {
  files: Files;
  /** SHA-256 by path of what was read so far. */
  inputs(): Record<string, string>;
  /** Those of the files that have changed since; files that are gone among them. */
  changed(): Promise<string[]>;
}

/** A snapshot that grows with what is read. */
export function createFileSnapshot(files: Files): FileSnapshot {
  const hashes = new Map<string, string>();
  const texts = new Map<string, Promise<string>>();
  const present = new Set<string>();
  const lists = new Map<SampleFolder, Promise<string[]>>();

  /** @throws 'io' where the file is another one than before */
  const expectSame = async (path: string, signal?: AbortSignal): Promise<string> => {
    const hash = await files.hash(path, signal);
    const before = hashes.get(path) ?? hash;
    hashes.set(path, before);
    if (hash === before) return hash;
    const message = `'${path}' changed while the campaign ran: start the campaign again`;
    throw new UnderstoryError('io', message, { path });
  };
  const readOnce = async (path: string): Promise<string> => {
    await expectSame(path);
    return files.readText(path);
  };

  const snapshot: Files = {
    ...files,
    // Why: a spread copies what a getter returns now.
    get texts() {
      return files.texts;
    },
    readText(path) {
      const known = texts.get(path);
      if (known !== undefined) return known;
      const text = readOnce(path);
      texts.set(path, text);
      // A failure may pass.
      text.catch(() => texts.delete(path));
      return text;
    },
    hash: expectSame,
    async exists(path) {
      if (present.has(path)) return true;
      const isThere = await files.exists(path);
      // One that is not there yet may come.
      if (isThere) present.add(path);
      return isThere;
    },
    listAssets(folder) {
      const known = lists.get(folder) ?? files.listAssets(folder);
      lists.set(folder, known);
      return known;
    },
    async readBytes(path, maxBytes, signal) {
      await expectSame(path, signal);
      return files.readBytes(path, maxBytes, signal);
    },
    async pieces(path, take, signal, maxBytes) {
      await expectSame(path, signal);
      return files.pieces(path, take, signal, maxBytes);
    },
    async textPieces(path, take, signal) {
      await expectSame(path, signal);
      return files.textPieces(path, take, signal);
    },
    async readGreyPicture(path, begin, signal) {
      await expectSame(path, signal);
      return files.readGreyPicture(path, begin, signal);
    },
  };
  return {
    files: snapshot,
    inputs: () => Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1))),
    changed: () => changedInputs(files, Object.fromEntries(hashes)),
  };
}

/** Paths of `inputs` whose files no longer have that hash. */
export async function changedInputs(
  files: Files,
  inputs: Readonly<Record<string, string>>,
): Promise<string[]> {
  const changed: string[] = [];
  for (const [path, before] of Object.entries(inputs)) {
    const hash = await files.hash(path).catch(() => null);
    if (hash !== before) changed.push(path);
  }
  return changed;
}
