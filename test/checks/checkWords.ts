// `node test/checks/checkWords.ts [FOLDER]`: applies words.txt to all sources and documents of a work tree.
// Prints file:line for each hit, with the word to use, and exits 1 if there is one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../stages.ts';
import { projectFiles } from './projectFiles.ts';
import { findWords, readWordRules } from './words.ts';

const root = process.argv[2] ?? projectRoot;
/** Files that earlier versions wrote stay byte for byte. */
const isOlderFile = (file: string): boolean => file.startsWith('test/versions/fixtures/');
const checked = /\.(ts|vue|mjs|js|cpp|h|sql|yaml|yml|md|css|html|sh|py|txt)$|^\.ci\//;

const rules = readWordRules(readFileSync(path.join(root, 'words.txt'), 'utf8'));
const lines = projectFiles(root, checked)
  .filter((file) => file !== 'words.txt' && !isOlderFile(file))
  .flatMap((file) =>
    findWords(readFileSync(path.join(root, file), 'utf8'), rules).map(
      ({ line, phrase, replacement }) => `${file}:${line}: "${phrase}": write ${replacement}`,
    ),
  );
for (const line of lines) console.log(line);
process.exitCode = lines.length === 0 ? 0 : 1;
