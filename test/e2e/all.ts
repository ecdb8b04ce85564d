// `npm run e2e`: the page in a real Chromium, with the real host, worker and catalogue behind it. The page is that
// of the set-up; every test is named; screenshots go to test/e2e/screenshots. `--short` runs one path through every
// part (as `npm test` does); `--list` prints the name of every test and runs none; other arguments are parts of names
// of files, to run only those.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { nodeTool, projectRoot, runStages } from '../stages.ts';
import { hasBrowser } from './browser.ts';

const isList = process.argv.includes('--list');
if (!hasBrowser && !isList) {
  console.error('no Chromium was found: install it, or name one by CHROMIUM=/path');
  process.exit(1);
}
/** The files of the short form: within two minutes on two quiet cores. */
const shortForm = ['firstPage', 'shell', 'newcomer', 'opening'];
const isShort = process.argv.includes('--short');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = globSync('test/e2e/**/*.test.ts', { cwd: projectRoot })
  .filter((file) => !isShort || shortForm.some((name) => file.endsWith(`/${name}.test.ts`)))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
if (files.length === 0) {
  console.error(`no file of test/e2e is named like ${wanted.join(' or ')}`);
  process.exit(1);
}
if (isList) {
  const { command, args } = nodeTool('names', 'node_modules/vitest/vitest.mjs', ['list', ...files]);
  const { status } = spawnSync(command, args, { cwd: projectRoot, stdio: 'inherit' });
  process.exit(status ?? 1);
}
const stage = nodeTool(
  isShort ? 'end to end, in short' : 'end to end',
  'node_modules/vitest/vitest.mjs',
  // Why two files at a time in short: a page waits for its host, and for itself, more than it computes.
  ['run', ...(isShort ? [] : ['--no-file-parallelism']), '--reporter=verbose', ...files],
  'vitest',
);
const env = { UNDERSTORY_BUILT_PAGE: join(projectRoot, 'dist/renderer') };
await runStages([{ ...stage, env }]);
