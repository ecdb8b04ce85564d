// `node test/checks/checkNativeOpeners.ts [FOLDER]`: no source of FOLDER/native-workers opens files by itself. Prints
// file:line for each that does, and exits 1 if there is one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../stages.ts';
import { forbiddenOpeners } from './nativeOpeners.ts';
import { projectFiles } from './projectFiles.ts';

const root = path.join(process.argv[2] ?? projectRoot, 'native-workers');
const lines = projectFiles(root, /\.(h|cpp)$/).flatMap((file) =>
  forbiddenOpeners(file, readFileSync(path.join(root, file), 'utf8')).map(
    ({ line, found }) =>
      `native-workers/${file}:${line}: open files with core/regularFile.h (${found})`,
  ),
);
for (const line of lines) console.log(line);
process.exitCode = lines.length === 0 ? 0 : 1;
