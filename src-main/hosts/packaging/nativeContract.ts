// Writes the C++ header of the contract into the file that is named, where it differs: a step of the native build.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { nativeContract } from '#contract/native/header.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('expected the path of the header');
const text = nativeContract();
// Why not always: everything that includes it would be compiled again.
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
