// The TypeScript that decides what a run records, as one hash: part of the engine's hash (services/engine.ts). In the
// sources it is taken from the files; a package carries what its build wrote beside the bundle.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders and files of src-main that decide the bytes of a recording, and the metrics, of a compiled scenario. */
export const simulatingPaths = [
  'contract/columns.ts',
  'contract/worker',
  'domain/autonomy',
  'domain/log',
  'domain/random',
  'domain/scene',
  'domain/sensor',
  'domain/shared',
  'domain/trajectory',
  'domain/truth',
  'domain/vegetation',
  'recordings/mcap',
  'recordings/recordingWriter.ts',
  'recordings/ros',
  'services/logs/estimateVoxels.ts',
  'services/runProcess',
];

/** Beside a bundle: `{ "simulatingSources": HASH }`. */
export const bundledHashFile = 'engine.json';

let known: string | null = null;

/** SHA-256, hex. The same for equal files, wherever the clone or package lies. */
export function simulatingSources(): string {
  known ??= bundledHash() ?? hashOfSources(fileURLToPath(new URL('../', import.meta.url)));
  return known;
}

/** Hash of the simulating files below a clone's `src-main` (absolute): their names and contents. */
export function hashOfSources(sourceFolder: string): string {
  const hash = createHash('sha256');
  for (const file of simulatingPaths.flatMap((path) => sourcesOf(sourceFolder, path))) {
    hash.update(`${file}\n`).update(readFileSync(join(sourceFolder, file)));
  }
  return hash.digest('hex');
}

function sourcesOf(sourceFolder: string, path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  const files = readdirSync(join(sourceFolder, path), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => name.endsWith('.ts')).sort();
  return sources.map((name) => `${path}/${name}`);
}

function bundledHash(): string | null {
  try {
    const text = readFileSync(new URL(`./${bundledHashFile}`, import.meta.url), 'utf8');
    return (JSON.parse(text) as { simulatingSources: string }).simulatingSources;
  } catch {
    return null;
  }
}
