// A file of more than 2 GiB could not be read at all, and its hash could not be cancelled.
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const files = createNodeFiles({ assetsFolder: '/nowhere' });

it('a mesh of more than 2 GiB is hashed, and cancelled with its caller', async () => {
  const folder = temporaryFolder();
  const mesh = join(folder, 'm.obj');
  writeFileSync(mesh, '');
  truncateSync(mesh, 2 ** 31 + 1);
  const controller = new AbortController();
  const given = files.hash(mesh, controller.signal);
  controller.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  expect(await files.hash(mesh)).toMatch(/^[0-9a-f]{64}$/);
});
