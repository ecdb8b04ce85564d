// `node test/checks/checkPaths.ts [FOLDER]`: every path in ARCHITECTURE.md exists.
// Prints file:line for each that does not, and exits 1 if there is one.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../stages.ts';
import { deadPaths } from './paths.ts';

const root = process.argv[2] ?? projectRoot;
const exists = (pattern: string): boolean =>
  pattern.includes('*')
    ? globSync(pattern, { cwd: root }).length > 0
    : existsSync(path.join(root, pattern));

const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const lines = deadPaths(text, exists).map(
  ({ line, path: dead }) => `ARCHITECTURE.md:${line}: there is no ${dead}`,
);
for (const line of lines) console.log(line);
process.exitCode = lines.length === 0 ? 0 : 1;
