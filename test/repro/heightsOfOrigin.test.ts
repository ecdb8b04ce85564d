// Heights of a height field stayed world heights while everything else became relative to scene.origin: at an origin of
// 300 m the ground was 300 m above its trees, and a scan found nothing.
import { join } from 'node:path';
import { encode } from 'fast-png';
import { expect, it } from 'vitest';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { scenario } from '#test/support/documents.ts';

it('reads heights relative to the origin', async () => {
  const data = new Uint16Array([0, 65535, 65535, 0]);
  const centreM: [number, number] = [500_000, 5_400_000];
  const folder = temporaryFolder({
    'h.png': encode({ width: 2, height: 2, data, depth: 16, channels: 1 }),
    'a.understory.yaml': scenario({
      origin: [...centreM, 300],
      ground: {
        kind: 'height-field',
        file: 'h.png',
        material: 'grey',
        sizeM: [4, 4],
        centreM,
        zM: [310, 320],
      },
    }),
  });
  const { loadScenario } = createDocuments({ files: createNodeFiles({ assetsFolder }) });
  const { value, problems } = await loadScenario(join(folder, 'a.understory.yaml'));
  expect(problems).toEqual([]);
  expect([...(value?.heights ?? [])]).toEqual([20, 10, 10, 20]);
});
