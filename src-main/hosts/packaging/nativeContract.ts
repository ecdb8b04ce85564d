// Writes the C++ sources of the contract into the folder that is named, where they differ: a step of the native build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeContract } from '#contract/native/header.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected the folder of the sources');
mkdirSync(folder, { recursive: true });
const sources = nativeContract();
// Why: the build compiles every source that it finds there.
for (const name of readdirSync(folder)) if (!(name in sources)) rmSync(join(folder, name));
for (const [name, text] of Object.entries(sources)) {
  const file = join(folder, name);
  // Why not always: everything that includes it would be compiled again.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
