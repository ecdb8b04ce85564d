// Octrees of clouds: the index and all nodes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOctree } from '#recordings/octree/buildOctree.ts';
import { openOctree } from '#recordings/octree/octreeReader.ts';
import { cloudOf, forest } from '#test/recordings/octree/cloudInMemory.ts';
import type { Target } from '../target.ts';

export const octreeTarget: Target = {
  name: 'octree',
  seeds: async (folder) => {
    const file = join(folder, 'a.octree');
    let spills = 0;
    const spill = (): string => join(folder, `spill-${(spills += 1)}`);
    await buildOctree(cloudOf(forest(3000)), file, spill, { chunkPoints: 1000, leafPoints: 200 });
    return [{ 'a.octree': new Uint8Array(readFileSync(file)) }];
  },
  open: () =>
    Promise.resolve(async (file) => {
      const octree = await openOctree(file);
      try {
        for (const node of octree.nodes.level.keys()) await octree.points(node);
      } finally {
        await octree.close();
      }
    }),
};
