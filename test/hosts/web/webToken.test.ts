// The token of a data folder: the same at each start, for its owner alone, and there even where nothing can be saved.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { webToken } from '#hosts/web/webToken.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('is made once, in a file that only its owner can read', () => {
  const folder = temporaryFolder();
  const token = webToken(folder);
  expect(token).toMatch(/^[\w-]{32}$/);
  const file = join(folder, 'web-token');
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o644);
  expect(webToken(folder)).toBe(token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('is another each time where the folder cannot be written', () => {
  const [first, second] = [webToken('/proc'), webToken('/proc')];
  expect(first).toMatch(/^[\w-]{32}$/);
  expect(second).not.toBe(first);
});
