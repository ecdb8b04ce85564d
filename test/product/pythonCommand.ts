// Python with NumPy, for the tests of assets/python: Debian's, else the one on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '#test/stages.ts';
import { outputOf, type Finished } from './command.ts';

const candidates = ['/usr/bin/python3', 'python3'];

/** Absolute, or a name on the PATH. @throws Error where none has NumPy: set-up for the tests installs python3-numpy */
export function pythonCommand(): string {
  const found = candidates.find(
    (python) => spawnSync(python, ['-c', 'import numpy'], { stdio: 'ignore' }).status === 0,
  );
  if (found === undefined) throw new Error('no python3 with NumPy: apt-get install python3-numpy');
  return found;
}

/** Runs a script (a path in the project) in `folder`, with Understory's data in `folder`/data. */
export function runPython(folder: string, script: string, args: string[] = []): Promise<Finished> {
  const child = spawn(pythonCommand(), [path.join(projectRoot, script), ...args], {
    cwd: folder,
    env: {
      ...process.env,
      UNDERSTORY_DATA: path.join(folder, 'data'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return outputOf(child);
}
