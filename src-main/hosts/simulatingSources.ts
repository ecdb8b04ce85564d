// The TypeScript that decides what a run records, as one hash: part of the engine's hash (services/engine.ts). In the
// sources it is taken from the files; a package carries what its build wrote beside the bundle.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders of src-main whose code is used in a simulation. */
export const simulatingFolders = ['contract', 'domain', 'services/runProcess', 'recordings'];

/** Beside a bundle: `{ "simulatingSources": HASH }`. */
export const bundledHashFile = 'engine.json';

let known: string | null = null;

/** SHA-256, hex. The same for equal files, wherever the clone or package lies. */
export function simulatingSources(): string {
  known ??= bundledHash() ?? hashOfSources(fileURLToPath(new URL('../', import.meta.url)));
  return known;
}

/** Of a clone's `src-main`, absolute: names and contents of the files below its simulating folders. */
export function hashOfSources(sourceFolder: string): string {
  const hash = createHash('sha256');
  for (const folder of simulatingFolders) {
    const files = readdirSync(join(sourceFolder, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
      hash.update(`${folder}/${file}\n`).update(readFileSync(join(sourceFolder, folder, file)));
    }
  }
  return hash.digest('hex');
}

function bundledHash(): string | null {
  try {
    const text = readFileSync(new URL(`./${bundledHashFile}`, import.meta.url), 'utf8');
    return (JSON.parse(text) as { simulatingSources: string }).simulatingSources;
  } catch {
    return null;
  }
}
