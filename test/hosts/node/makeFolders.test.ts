// Folders above folders, and clear words where none can be made.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolders } from '#hosts/node/makeFolders.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('makes missing folders, and keeps existing ones', () => {
  const folder = temporaryFolder();
  const deep = join(folder, 'a', 'b', 'c');
  makeFolders(deep);
  makeFolders(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
});

it('names the file at the path', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const message = `'${file}' is no folder`;
  expect(() => makeFolders(file)).toThrow(message);
  expect(() => makeFolders(join(file, 'a', 'b'))).toThrow(message);
});
