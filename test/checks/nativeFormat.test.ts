// `npm run check` fails for C++ that clang-format would change.
import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { checkStages } from '#test/checkStages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '../stages.ts';

const run = promisify(execFile);

it.each([
  ['passes', 'int sum(int a, int b) { return a + b; }\n', true],
  ['fails', 'int sum(int a,int b){return a+b;}\n', false],
])('the stage %s for %s', async (_, text, isFormatted) => {
  const folder = temporaryFolder();
  cpSync(path.join(projectRoot, '.clang-format'), path.join(folder, '.clang-format'));
  writeFileSync(path.join(folder, 'sum.cpp'), text);
  const stage = checkStages.find(({ name }) => name === 'C++ format');
  const checked = run(stage?.command ?? '', [...(stage?.args ?? []), folder]).then(
    () => true,
    () => false,
  );
  expect(await checked).toBe(isFormatted);
});
