// Making a folder with all that is missing above it, one after the other. Why not Node's recursive mkdir:
// where a file system refuses folders by saying that there is nothing (/proc), it tries endlessly.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Nothing happens where it exists. @throws what the system says, as an error with its code and a path */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  let at = resolve(folder);
  while (!existsSync(at) && dirname(at) !== at) {
    missing.push(at);
    at = dirname(at);
  }
  if (!isFolder(at)) throw new Error(`'${at}' is no folder`);
  for (const path of missing.reverse()) makeFolder(path);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process may have made it meanwhile.
    if (code === 'EEXIST' && isFolder(path)) return;
    if (code !== 'ENOENT') throw error;
    throw new Error(`no folder can be made in '${dirname(path)}'`, { cause: error });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
