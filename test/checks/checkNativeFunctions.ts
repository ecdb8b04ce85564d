// `node test/checks/checkNativeFunctions.ts [FOLDER]`: no function of FOLDER/native-workers is longer than
// maxFunctionLines. Prints file:line for each that is, and exits 1 if there is one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../stages.ts';
import { longFunctions, maxFunctionLines } from './nativeFunctions.ts';
import { projectFiles } from './projectFiles.ts';

const root = path.join(process.argv[2] ?? projectRoot, 'native-workers');
const found = projectFiles(root, /\.(h|cpp)$/).flatMap((file) =>
  longFunctions(readFileSync(path.join(root, file), 'utf8')).map(
    ({ line, head, lines }) =>
      `native-workers/${file}:${line}: ${lines} lines, at most ${maxFunctionLines}: ${head}`,
  ),
);
for (const line of found) console.log(line);
process.exitCode = found.length === 0 ? 0 : 1;
