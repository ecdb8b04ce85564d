// Files of a folder of the data folder, with others that a page knows by their paths.
import { toWire } from '#contract/errors.ts';
import type { DataFile, DataFileFolder, DataFiles } from '#services/ports/dataFiles.ts';

/** Each once; a file that is gone has a problem. */
export async function listedFiles(
  dataFiles: Pick<DataFiles, 'list' | 'find'>,
  folder: DataFileFolder,
  endings: readonly string[],
  others: readonly string[],
): Promise<(DataFile & { problem: string | null })[]> {
  const own = (await Promise.all(endings.map((ending) => dataFiles.list(folder, ending)))).flat();
  const isOwn = new Set(own.map(({ file }) => file));
  const named = [...new Set(others)].filter((file) => !isOwn.has(file));
  const found = await Promise.all(
    named.map(async (file) => {
      try {
        return { ...(await dataFiles.find(file)), problem: null };
      } catch (error) {
        return { file, bytes: 0, modifiedMs: 0, problem: toWire(error).message };
      }
    }),
  );
  return [...own.map((one) => ({ ...one, problem: null })), ...found];
}
