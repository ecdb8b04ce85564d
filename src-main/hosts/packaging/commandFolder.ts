// The command line as a folder that runs without the clone: its bundle, the page, the samples, native packages and
// Node itself. Why Node: the packaged Electron binary refuses to run as Node (fuses.ts), and a server has no screen.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { neededGlibc, starterText } from './starter.ts';

/** Makes `folder`, which is replaced. The bundle is dist/cli (buildDesktop.ts). */
export function makeCommandFolder(rootFolder: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['dist/cli', ...packagedFiles(rootFolder)]) {
    cpSync(join(rootFolder, name), join(folder, name), { recursive: true });
  }
  copyFileSync(realpathSync(process.execPath), join(folder, 'node'));
  writeFileSync(join(folder, 'understory'), starterText(neededGlibc([folder]), ''));
  for (const name of ['node', 'understory']) chmodSync(join(folder, name), 0o755);
}

/** The files that electron-builder.yml packs, except the desktop's own bundle. */
function packagedFiles(rootFolder: string): string[] {
  const text = readFileSync(join(rootFolder, 'electron-builder.yml'), 'utf8');
  const { files } = parse(text) as { files: string[] };
  return files
    .filter((pattern) => !pattern.startsWith('!') && !pattern.startsWith('dist/electron'))
    .flatMap((pattern) => globSync(pattern, { cwd: rootFolder }))
    .filter((name) => statSync(join(rootFolder, name)).isFile());
}
