// Whatever kept a folder of frames from being read, the refusal said that it was a file.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSemanticKitti } from '#recordings/export/semanticKitti.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const options = { isReplacing: false, classes: [], originM: [0, 0, 0] as [number, number, number] };

it('says what keeps the folder from being read', async () => {
  const folder = temporaryFolder();
  symlinkSync('loop', join(folder, 'loop'));
  await expect(createSemanticKitti(join(folder, 'loop'), options)).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining('ELOOP') as string,
  });
  writeFileSync(join(folder, 'a.txt'), 'text');
  await expect(createSemanticKitti(join(folder, 'a.txt'), options)).rejects.toMatchObject({
    code: 'bad-input',
    message: `'${join(folder, 'a.txt')}' is a file: name a folder`,
  });
});
