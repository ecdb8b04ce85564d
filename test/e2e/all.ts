// `npm run e2e`: the page in a real Chromium, with the real host, worker and catalogue behind it. The page is that
// of the set-up; every test is named; screenshots go to test/e2e/screenshots. `--list` prints the name of every test and
// runs none; other arguments are parts of names of files, to run only those. `npm test` runs some of them (shortForm.ts).
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { nodeTool, projectRoot, runStages } from '../stages.ts';
import { hasBrowser } from './browser.ts';
import { pageEnvironment } from './shortForm.ts';

const isList = process.argv.includes('--list');
if (!hasBrowser && !isList) {
  console.error('no Chromium was found: install it, or name one by CHROMIUM=/path');
  process.exit(1);
}
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = globSync('test/e2e/**/*.test.ts', { cwd: projectRoot }).filter(
  (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
);
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
  'end to end',
  'node_modules/vitest/vitest.mjs',
  ['run', '--no-file-parallelism', '--reporter=verbose', ...files],
  'vitest',
);
await runStages([{ ...stage, env: pageEnvironment }]);
