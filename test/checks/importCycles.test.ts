// Circles of imports: `npm run check` fails for files that import each other, over others and by types too.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { importCycles } from './importCycles.ts';

const check = path.join(import.meta.dirname, 'checkImportCycles.ts');

function cyclesOf(texts: Record<string, string>): string[][] {
  return importCycles({
    texts: new Map(Object.entries(texts)),
    aliases: { '#a': 'src-main/a', '#b': 'src-main/b' },
  });
}

it('finds files that import each other, by folder and by alias, however their imports are written', () => {
  const cycles = cyclesOf({
    'src-main/a/one.ts': "import {\n  two,\n  type Two,\n} from '#b/two.ts';\n",
    'src-main/b/two.ts': "import type { Three } from './inner/three.ts';\n",
    'src-main/b/inner/three.ts': "export { one } from '../../a/one.ts';\n",
    'src-main/a/four.ts': "import './five.ts';\nimport { one } from './one.ts';\n",
    'src-main/a/five.ts': "import { four } from './four.ts';\n",
  });
  expect(cycles).toEqual([
    ['src-main/a/five.ts', 'src-main/a/four.ts'],
    ['src-main/a/one.ts', 'src-main/b/inner/three.ts', 'src-main/b/two.ts'],
  ]);
});

it('allows what several files import, packages, and imports at run time', () => {
  const cycles = cyclesOf({
    'src-main/a/one.ts': "import { z } from 'zod';\nimport { two } from './two.ts';\n",
    'src-main/a/two.ts':
      "const one = await import('./one.ts');\n// import { one } from './one.ts';\n",
    'src-main/a/three.ts': "import { one } from './one.ts';\nimport { two } from './two.ts';\n",
  });
  expect(cycles).toEqual([]);
});

it('the check fails with the files', () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, 'src-main/a'), { recursive: true });
  writeFileSync(path.join(root, 'package.json'), '{"imports":{"#a/*":"./src-main/a/*"}}');
  writeFileSync(path.join(root, 'src-main/a/one.ts'), "import { two } from '#a/two.ts';\n");
  writeFileSync(path.join(root, 'src-main/a/two.ts'), "import { one } from './one.ts';\n");
  const found = spawnSync(process.execPath, [check, root], { encoding: 'utf8' });
  expect([found.status, found.stdout]).toEqual([
    1,
    'import each other: src-main/a/one.ts, src-main/a/two.ts\n',
  ]);
  const own = spawnSync(process.execPath, [check], { encoding: 'utf8' });
  expect([own.status, own.stdout]).toEqual([0, '']);
});
