// `node test/checks/checkNativeIncludes.ts [FOLDER]`: no source of FOLDER/native-workers includes what the arrows of
// its folder do not allow. Prints file:line for each that does, and exits 1 if there is one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../stages.ts';
import { upwardIncludes } from './nativeIncludes.ts';
import { projectFiles } from './projectFiles.ts';

const root = path.join(process.argv[2] ?? projectRoot, 'native-workers');
const lines = projectFiles(root, /\.(h|cpp)$/).flatMap((file) =>
  upwardIncludes(file, readFileSync(path.join(root, file), 'utf8')).map(
    ({ line, include, target }) =>
      `native-workers/${file}:${line}: ${path.dirname(file)} may not include ${target} (${include})`,
  ),
);
for (const line of lines) console.log(line);
process.exitCode = lines.length === 0 ? 0 : 1;
