// The command line, Node, the worker and its libraries in one archive that runs wherever it is unpacked: without root,
// without Debian packages, without a screen. For compute nodes of a cluster.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { neededGlibc, starterText } from './starter.ts';

export interface ArchiveParts {
  /** Made by makeCommandFolder. */
  commandFolder: string;
  /** Made by makeWorkerFolder, with the C++ library. */
  workerFolder: string;
  /** Holds LICENSE and THIRD-PARTY-NOTICES.txt. */
  noticesFolder: string;
  /** Holds the font's folder 400Regular and its neighbours. */
  fontFolder: string;
  /** Is replaced. */
  scratchFolder: string;
  outFolder: string;
  version: string;
}

/** Writes understory-cli-VERSION-linux-x64.tar.gz. Returns its path and the C library that it needs. */
export function makeArchive(parts: ArchiveParts): { file: string; glibc: string } {
  const name = `understory-cli-${parts.version}`;
  const folder = join(parts.scratchFolder, name);
  rmSync(parts.scratchFolder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(parts.commandFolder, join(folder, 'cli'), { recursive: true });
  cpSync(parts.workerFolder, join(folder, 'worker'), { recursive: true });
  for (const font of ['400Regular', '600SemiBold', 'LICENSE_FONT']) {
    cpSync(join(parts.fontFolder, font), join(folder, 'fonts', font), { recursive: true });
  }
  cpSync(parts.noticesFolder, folder, { recursive: true });
  const glibc = neededGlibc([join(folder, 'cli'), join(folder, 'worker')]);
  writeFileSync(join(folder, 'understory'), starterText(glibc, 'cli/'), { mode: 0o755 });
  writeFileSync(join(folder, 'cli', 'understory'), starterText(glibc, ''), { mode: 0o755 });
  const file = join(parts.outFolder, `${name}-linux-x64.tar.gz`);
  mkdirSync(parts.outFolder, { recursive: true });
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  execFileSync('tar', ['-czf', file, ...owner, '-C', parts.scratchFolder, name]);
  return { file, glibc };
}
