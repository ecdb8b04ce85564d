// A real run of a scene with a mesh, in a bundle; and bundles that were changed afterwards.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import type { Replies } from '#contract/host/methods.ts';
import { driveHere, printedJson, runHere } from '#test/support/commandLine.ts';
import { flatGround, meshModel, scenario } from '#test/support/documents.ts';

const yard = scenario({
  name: 'Mesh yard',
  ground: flatGround(40),
  models: { wedge: meshModel('wedge.obj') },
  instances: [{ name: 'wedge', model: 'wedge', positionM: [4, 1, 0] }],
  mission: { startM: [0, 0], goalM: [9, 0] },
});
const mesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';

/** Drives in the data folder of `folder`; returns the id of the run. */
export async function drivenRun(folder: string): Promise<string> {
  const file = join(folder, 'yard.understory.yaml');
  writeFileSync(file, yard);
  writeFileSync(join(folder, 'wedge.obj'), mesh);
  return driveHere(folder, file, '--sensor', 'vlp-16', '--seconds', '0.3');
}

/** One run of a list of options of runs pack. */
export async function pack(folder: string, runId: string, out: string, ...options: string[]) {
  return runHere(folder, 'runs', 'pack', runId, '--out', out, ...options);
}

/** Result of `runs verify` for a run or a bundle. */
export function verified(folder: string, of: string): Promise<Replies['runs.verify']> {
  return printedJson(folder, 'runs', 'verify', of);
}

export interface ZipEntry {
  name: string;
  bytes: Buffer;
  mode?: number;
}

/** The entries of a bundle, in its order. */
export async function entriesOf(file: string): Promise<ZipEntry[]> {
  const zip = await fromBufferPromise(readFileSync(file), {});
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    entries.push({ name: entry.fileName, bytes });
  }
  return entries;
}

/** A ZIP file of these entries. */
export async function writeZip(file: string, entries: readonly ZipEntry[]): Promise<void> {
  const zip = new ZipFile();
  for (const { name, bytes, mode = 0o100644 } of entries) zip.addBuffer(bytes, name, { mode });
  zip.end();
  writeFileSync(file, await buffer(zip.outputStream));
}
