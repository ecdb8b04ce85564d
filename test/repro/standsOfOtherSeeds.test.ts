// A campaign compiled a scenario once for all seeds and replaced the seed: stands kept the trees of the first seed.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createCellDocuments } from '#services/campaigns/cellDocuments.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { scenario } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const logs = {
  kind: 'dead-wood' as const,
  name: 'logs',
  areaM: [
    [0, 0],
    [50, 0],
    [50, 50],
    [0, 50],
  ] as [number, number][],
  logsPerHa: 40,
  lengthM: [2, 4] as [number, number],
  diameterM: [0.2, 0.4] as [number, number],
  material: 'grey',
};

it('the runs of a campaign have the stands of their own seeds', async () => {
  const folder = temporaryFolder({ 'logs.yaml': scenario({ stands: [logs] }) });
  const file = join(folder, 'logs.yaml');
  const files = createNodeFiles({ assetsFolder });
  const [cells, documents] = [createCellDocuments(files), createDocuments({ files })];
  for (const seed of [1, 2]) {
    const found = await cells.compile(file, { seed });
    expect(found.compiled).toEqual((await documents.compile(file, { seed })).compiled);
  }
});
