// Folders of runs: an id of a foreign catalogue never leads out of the data folder.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it.each(['../..', '..', 'a/b', '/etc', ''])('refuses the run id %o, and removes nothing', (id) => {
  const dataFolder = join(temporaryFolder(), 'data');
  const outside = join(dataFolder, '..', 'recording.mcap');
  mkdirSync(join(dataFolder, 'trash'), { recursive: true });
  writeFileSync(outside, 'not a run of this folder');
  const folders = createNodeRunFolders({ dataFolder });
  const corrupt = expect.objectContaining({ code: 'corrupt' }) as Error;
  expect(() => folders.files(id)).toThrow(corrupt);
  expect(() => folders.create(id)).toThrow(corrupt);
  expect(() => folders.moveToTrash(id)).toThrow(corrupt);
  expect(() => folders.restoreFromTrash(id)).toThrow(corrupt);
  expect(() => folders.removeFromTrash(id)).toThrow(corrupt);
  expect(existsSync(outside)).toBe(true);
});
