// Where the catalogue and the recordings lie: --data DIR, else UNDERSTORY_DATA, else the XDG rules. And
// the cache, whose files can be made again: UNDERSTORY_CACHE, else the XDG rules.
import { isAbsolute, join, resolve } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';

export interface DataFolderSources {
  /** Value of --data, if given. */
  option?: string | undefined;
  environment: Record<string, string | undefined>;
  homeFolder: string;
  workingFolder: string;
}

/**
 * Absolute path of the data folder. @throws UnderstoryError 'bad-input' for an empty --data. XDG Base Directory: a
 * relative XDG_DATA_HOME is to be ignored.
 */
export function dataFolderOf(sources: DataFolderSources): string {
  const { option, environment, homeFolder, workingFolder } = sources;
  if (option === '') {
    throw new UnderstoryError('bad-input', "expected a folder after --data, found ''");
  }
  const chosen = option ?? environment['UNDERSTORY_DATA'];
  if (chosen !== undefined && chosen !== '') return resolve(workingFolder, chosen);
  const xdg = environment['XDG_DATA_HOME'];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'understory');
  return join(homeFolder, '.local', 'share', 'understory');
}

/**
 * Absolute path of the cache folder. Whatever lies in it may be removed at any time.
 */
export function cacheFolderOf(
  sources: Pick<DataFolderSources, 'environment' | 'homeFolder' | 'workingFolder'>,
): string {
  const { environment, homeFolder, workingFolder } = sources;
  const chosen = environment['UNDERSTORY_CACHE'];
  if (chosen !== undefined && chosen !== '') return resolve(workingFolder, chosen);
  const xdg = environment['XDG_CACHE_HOME'];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'understory');
  return join(homeFolder, '.cache', 'understory');
}
