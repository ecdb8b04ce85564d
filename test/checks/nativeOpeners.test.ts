// The one reader of files of native-workers: `npm run check` fails where another source opens one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '../stages.ts';
import { forbiddenOpeners, nativeOpeners } from './nativeOpeners.ts';

const check = path.join(import.meta.dirname, 'checkNativeOpeners.ts');

it.each([
  ['std::ifstream stream(path);', 'ifstream'],
  ['#include <fstream>', 'fstream'],
  ['std::FILE* file = std::fopen(path, "rb");', 'fopen'],
  ['const int fd = ::open(path, O_RDONLY);', '::open('],
  ['void* bytes = mmap(nullptr, size);', 'mmap'],
])('refuses %s', (code, found) => {
  expect(forbiddenOpeners('core/a.cpp', `// A file.\n${code}\n`)).toEqual([{ line: 2, found }]);
});

it('allows logs to be opened, comments, and the files of the list, which are there', () => {
  expect(forbiddenOpeners('core/a.cpp', 'openLog(path);  // no ifstream\nisOpen();\n')).toEqual([]);
  for (const file of Object.keys(nativeOpeners)) {
    expect(forbiddenOpeners(file, 'std::ifstream stream(path);')).toEqual([]);
    expect(existsSync(path.join(projectRoot, 'native-workers', file)), file).toBe(true);
  }
});

it('the check prints place and opener, and fails', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'native-workers/core'), { recursive: true });
  writeFileSync(path.join(folder, 'native-workers/core/a.cpp'), '\nstd::ofstream out(path);\n');
  const { stdout, status } = spawnSync(process.execPath, [check, folder], { encoding: 'utf8' });
  expect(stdout).toBe(
    'native-workers/core/a.cpp:2: open files with core/regularFile.h (ofstream)\n',
  );
  expect(status).toBe(1);
  expect(spawnSync(process.execPath, [check]).status).toBe(0);
});
