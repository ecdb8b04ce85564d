// Where the catalogue and the recordings lie: --data DIR, else UNDERSTORY_DATA, else the XDG rules.
import { isAbsolute, join, resolve } from 'node:path';

export interface DataFolderSources {
  /** Value of --data, if given. */
  option?: string | undefined;
  environment: Record<string, string | undefined>;
  homeFolder: string;
  workingFolder: string;
}

/**
 * Absolute path of the data folder. XDG Base Directory: a relative XDG_DATA_HOME is to be ignored.
 */
export function dataFolderOf(sources: DataFolderSources): string {
  const { option, environment, homeFolder, workingFolder } = sources;
  const chosen = option ?? environment['UNDERSTORY_DATA'];
  if (chosen !== undefined && chosen !== '') return resolve(workingFolder, chosen);
  const xdg = environment['XDG_DATA_HOME'];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'understory');
  return join(homeFolder, '.local', 'share', 'understory');
}
