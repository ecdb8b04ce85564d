// A depth map or a picture that found no room left its beginning behind, as FILE.part.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeWhole } from '#hosts/cli/files.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';

it('leaves nothing of a file that cannot take its place', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'd.npy'));
  expect(() => {
    writeWhole(join(folder, 'd.npy'), 'depths');
  }).toThrow('cannot be written');
  expect(readdirSync(folder)).toEqual(['d.npy']);
});
