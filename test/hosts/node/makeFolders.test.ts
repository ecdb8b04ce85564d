// Folders above folders, and clear words where none can be made.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolders } from '#hosts/node/makeFolders.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';

it('makes what is missing, and leaves alone what there is', () => {
  const folder = temporaryFolder();
  const deep = join(folder, 'a', 'b', 'c');
  makeFolders(deep);
  makeFolders(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
});

it('says what is in the way', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const message = `'${file}' is no folder`;
  expect(() => makeFolders(file)).toThrow(message);
  expect(() => makeFolders(join(file, 'a', 'b'))).toThrow(message);
});
