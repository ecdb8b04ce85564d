// `node test/checks/checkImportCycles.ts [FOLDER]`: no files of FOLDER/src-main, src-renderer or test import each
// other in a circle. Prints the files of each circle, and exits 1 if there is one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../stages.ts';
import { importCycles } from './importCycles.ts';
import { projectFiles } from './projectFiles.ts';

const root = process.argv[2] ?? projectRoot;
const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};
// `#name/*`: `./folder/*`.
const aliases = Object.fromEntries(
  Object.entries(imports).map(([name, folder]) => [name.slice(0, -2), folder.slice(2, -2)]),
);
const files = projectFiles(root, /\.(?:ts|vue|mjs)$/).filter((file) =>
  /^(?:src-main|src-renderer|test)\//.test(file),
);
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const cycles = importCycles({ texts, aliases });
for (const cycle of cycles) console.log(`import each other: ${cycle.join(', ')}`);
process.exitCode = cycles.length === 0 ? 0 : 1;
