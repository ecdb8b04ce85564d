// The native worker with the libraries it needs, in a folder that can be carried to another machine: the worker
// finds them in lib beside itself (its rpath, native-workers/CMakeLists.txt).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';

/** Libraries of the system's C and C++ runtime: every Linux that runs Electron has them, and must use its own. */
const systemLibraries = /^(ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)|linux-vdso)\.so/;

/** Copies the worker and its libraries to `folder`, which is replaced. Returns the libraries' absolute paths here. */
export function makeWorkerFolder(workerBinary: string, folder: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'lib'), { recursive: true });
  copyFileSync(workerBinary, join(folder, 'scanWorker'));
  const libraries = neededLibraries(workerBinary);
  for (const library of libraries) copyFileSync(library, join(folder, 'lib', basename(library)));
  return libraries;
}

/** Absolute paths, those that libraries need themselves included, as the loader finds them here. */
function neededLibraries(binary: string): string[] {
  const listed = execFileSync('ldd', [binary], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !systemLibraries.test(basename(line.split(' ')[0] ?? '')))
    .map((line) => {
      const path = /=> (\/\S+)/.exec(line)?.[1];
      if (path !== undefined) return path;
      throw new UnderstoryError('not-found', `a library of the worker is missing: ${line}`);
    });
}
