// Octrees of clouds, the index and all nodes; and the saved points of scans, from which octrees are made.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOctree, type CloudPoints } from '#recordings/octree/buildOctree.ts';
import { openOctree } from '#recordings/octree/octreeReader.ts';
import { createSavedPoints, openSavedPoints } from '#recordings/octree/savedPoints.ts';
import { cloudOf, forest, testKey } from '#test/recordings/octree/cloudInMemory.ts';
import type { Target } from '../target.ts';

export const octreeTargets: readonly Target[] = [
  {
    name: 'octree',
    seeds: async (folder) => {
      const file = join(folder, 'a.octree');
      await build(cloudOf(forest(3000)), file);
      return [{ 'a.octree': new Uint8Array(readFileSync(file)) }];
    },
    open: () => Promise.resolve(readAll),
  },
  {
    name: 'savedPoints',
    seeds: async (folder) => {
      const file = join(folder, 'a.points');
      const points = createSavedPoints(file, { originM: [0, 0, 0], classes: ['none'] }, 0);
      const rows = 2000;
      const values = Float32Array.from({ length: rows }, (_, row) => Math.sin(row));
      const [x_m, y_m, z_m, intensity] = [values, values, values, values];
      await points.add({ x_m, y_m, z_m, intensity, class_id: new Uint16Array(rows) });
      await points.end(testKey);
      await points.close();
      return [{ 'a.points': new Uint8Array(readFileSync(file)) }];
    },
    open: () =>
      Promise.resolve(async (file, out) => {
        const points = await openSavedPoints(file);
        try {
          await build(points, join(out, 'a.octree'));
        } finally {
          await points.close();
        }
        await readAll(join(out, 'a.octree'));
      }),
  },
];

async function build(cloud: CloudPoints, file: string): Promise<void> {
  let spills = 0;
  const spill = (): string => `${file}-${(spills += 1)}`;
  await buildOctree(cloud, file, spill, { chunkPoints: 1000, leafPoints: 200 });
}

async function readAll(file: string): Promise<void> {
  const octree = await openOctree(file);
  try {
    for (const node of octree.nodes.level.keys()) await octree.points(node);
  } finally {
    await octree.close();
  }
}
