// The files of a work tree that the checks of documents and words read, as paths relative to its root.
import { readdirSync } from 'node:fs';
import path from 'node:path';

const generated = new Set([
  '.git',
  'node_modules',
  'build',
  'dist',
  'out',
  'coverage',
  'screenshots',
]);

/** Every file whose name matches, in the order of names; generated folders are left out. */
export function projectFiles(root: string, names: RegExp): string[] {
  return filesOf(root, '').filter((file) => names.test(file));
}

function filesOf(root: string, folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return generated.has(entry.name) ? [] : filesOf(root, name);
      return entry.isFile() ? [name] : [];
    });
}
