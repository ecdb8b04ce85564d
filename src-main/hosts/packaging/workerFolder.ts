// The native worker with the libraries it needs, in a folder that can be carried to another machine: the worker
// finds them in lib beside itself (its rpath, native-workers/CMakeLists.txt).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';

/** Libraries of the system's C runtime, which belong to its loader. */
const cLibraries = /^(ld-linux.*|lib(c|m|dl|rt|pthread)|linux-vdso)\.so/;
/** Libraries of the C++ runtime: every Linux that runs Electron has them. */
const cppLibraries = /^lib(stdc\+\+|gcc_s)\.so/;

/**
 * Copies the worker and its libraries to `folder`, which is replaced; `withCpp`: the C++ runtime too. Returns the
 * libraries' absolute paths here.
 */
export function makeWorkerFolder(workerBinary: string, folder: string, withCpp = false): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'lib'), { recursive: true });
  copyFileSync(workerBinary, join(folder, 'scanWorker'));
  const libraries = neededLibraries(workerBinary).filter(
    (library) => withCpp || !cppLibraries.test(basename(library)),
  );
  for (const library of libraries) copyFileSync(library, join(folder, 'lib', basename(library)));
  return libraries;
}

/** Absolute paths, those that libraries need themselves included, as the loader finds them here. */
function neededLibraries(binary: string): string[] {
  const listed = execFileSync('ldd', [binary], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !cLibraries.test(basename(line.split(' ')[0] ?? '')))
    .map((line) => {
      const path = /=> (\/\S+)/.exec(line)?.[1];
      if (path !== undefined) return path;
      throw new UnderstoryError('not-found', `a library of the worker is missing: ${line}`);
    });
}
