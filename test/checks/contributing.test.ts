// CONTRIBUTING.md names every variable of ours that the sources read or set.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#test/stages.ts';
import { projectFiles } from './projectFiles.ts';

const sources = /\.(ts|vue|mjs|js|py|cpp|h|sh)$|CMakeLists\.txt$|\.cmake$/;
const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

it('lists every UNDERSTORY_ name of the sources, and no other', () => {
  const used = projectFiles(projectRoot, sources).flatMap((file) =>
    file.startsWith('test/checks/') ? [] : (read(file).match(/UNDERSTORY_[A-Z][A-Z_]*/g) ?? []),
  );
  const listed = read('CONTRIBUTING.md').match(/UNDERSTORY_[A-Z][A-Z_]*/g) ?? [];
  expect([...new Set(listed)].sort()).toEqual([...new Set(used)].sort());
});
