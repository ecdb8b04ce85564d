// An octree on a disk that is full: each write of a spill file fails once, and every file is closed again.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import type * as spillFile from '#files/spillFile.ts';
import { buildOctree } from '#recordings/octree/buildOctree.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { cloudOf, forest } from './cloudInMemory.ts';

const disk = vi.hoisted(() => ({ open: 0, writes: 0, failing: Infinity }));

vi.mock('#files/spillFile.ts', async (original) => {
  const { openSpillFile } = await original<typeof spillFile>();
  return {
    async openSpillFile(path: string): Promise<spillFile.SpillFile> {
      const file = await openSpillFile(path);
      disk.open += 1;
      return {
        read: (...given) => file.read(...given),
        async write(bytes, position) {
          disk.writes += 1;
          if (disk.writes === disk.failing) throw new UnderstoryError('disk-full', 'no room');
          await file.write(bytes, position);
        },
        async close() {
          disk.open -= 1;
          await file.close();
        },
      };
    },
  };
});

beforeEach(() => Object.assign(disk, { open: 0, writes: 0, failing: Infinity }));

// One point is so far away that the others are divided below the grid.
const placesM = [...forest(3000), [1e6, 0, 0] as const];

async function build(folder: string): Promise<void> {
  let spills = 0;
  const spillPath = (): string => join(folder, `spill-${(spills += 1)}`);
  const options = { chunkPoints: 400, leafPoints: 100 };
  await buildOctree(cloudOf(placesM), join(folder, 'a.octree'), spillPath, options);
}

it('ends with the reason wherever the room ends, and leaves no spill file', async () => {
  await build(temporaryFolder());
  const { writes } = disk;
  expect([disk.open, writes > 10]).toEqual([0, true]);
  for (let failing = 1; failing <= writes; failing += 5) {
    Object.assign(disk, { writes: 0, failing });
    const folder = temporaryFolder();
    await expect(build(folder)).rejects.toMatchObject({ code: 'disk-full' });
    expect([disk.open, readdirSync(folder)]).toEqual([0, ['a.octree']]);
  }
});
