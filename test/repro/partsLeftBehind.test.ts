// A depth map or a picture that found no room left its beginning behind, as FILE.part.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSemanticKitti } from '#recordings/export/semanticKitti.ts';
import { openPartFile } from '#recordings/export/partFile.ts';
import { writeWhole } from '#hosts/cli/files.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('leaves nothing of a file that cannot take its place', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'd.npy'));
  expect(() => {
    writeWhole(join(folder, 'd.npy'), 'depths');
  }).toThrow('cannot be written');
  expect(readdirSync(folder)).toEqual(['d.npy']);
});

it('removes a folder that a dead process left', async () => {
  const folder = temporaryFolder();
  const left = join(folder, 'frames.4194304-0123abcd.part');
  mkdirSync(join(left, 'velodyne'), { recursive: true });
  writeFileSync(join(left, 'velodyne', '000000.bin'), 'points');
  const longAgo = Date.now() / 1000 - 7200;
  utimesSync(left, longAgo, longAgo);
  const exporter = await createSemanticKitti(join(folder, 'frames'), {
    isReplacing: false,
    classes: [],
    originM: [0, 0, 0],
  });
  await exporter.abort();
  expect(readdirSync(folder)).toEqual([]);
});

it("leaves a person's own FILE.part alone, and removes what a dead process left", async () => {
  const folder = temporaryFolder();
  const names = ['a.csv.part', 'a.csv.4194304-0123abcd.part', 'a.csv.4194304-89abcdef.part'];
  for (const name of names) writeFileSync(join(folder, name), 'there before');
  // No process has a number above 2^22, and it was left two hours ago; the other one has just been written.
  const longAgo = Date.now() / 1000 - 7200;
  utimesSync(join(folder, 'a.csv.4194304-0123abcd.part'), longAgo, longAgo);
  const [one, another] = [
    await openPartFile(join(folder, 'a.csv')),
    await openPartFile(join(folder, 'a.csv')),
  ];
  expect(one.partName).not.toBe(another.partName);
  await one.append(new TextEncoder().encode('one'));
  await another.append(new TextEncoder().encode('another'));
  await another.abort();
  await one.finish();
  expect(readdirSync(folder).sort()).toEqual([
    'a.csv',
    'a.csv.4194304-89abcdef.part',
    'a.csv.part',
  ]);
});
