// Files that change while a campaign runs: texts stay as they were read first, meshes must not change.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createCellDocuments } from '#services/campaigns/cellDocuments.ts';
import { changedInputs, createFileSnapshot } from '#services/campaigns/fileSnapshot.ts';
import { prepareRun } from '#services/campaigns/prepareRun.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { flatGround, meshModel, scenario } from '#test/support/documents.ts';

const scene = scenario({
  name: 'One stone',
  models: { stone: meshModel('stone.obj') },
  ground: flatGround(20),
  instances: [{ name: 'stone-a', model: 'stone', positionM: [0, 0, 0] }],
  sensors: [{ name: 'lidar', sensor: 'lms-291' }],
  mission: { startM: [-5, 0], goalM: [5, 0] },
});

function stone(heightM: number): string {
  return `v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 ${heightM}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n`;
}

test('a text is the one that was read first, a mesh that changes is refused', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'stone.understory.yaml');
  const mesh = join(folder, 'stone.obj');
  writeFileSync(file, scene);
  writeFileSync(mesh, stone(1));
  const files = createNodeFiles({ assetsFolder });
  const snapshot = createFileSnapshot(files);
  const ports = { files: snapshot.files, documents: createCellDocuments(snapshot.files) };
  const terms = { file, engine: 'e', isa: 'avx2' as const };
  const planned = { scenario: file, sensor: null, settings: [], seed: 1, seconds: 1 };
  const { signal } = new AbortController();
  const first = await prepareRun(ports, planned, terms, signal);
  expect(first.contentsHash).toMatch(/^[0-9a-f]{64}$/);
  expect(Object.keys(snapshot.inputs())).toEqual(expect.arrayContaining([file, mesh]));
  expect(await snapshot.changed()).toEqual([]);

  writeFileSync(file, scene.replace('One stone', 'Another'));
  const same = await prepareRun(ports, { ...planned, settings: ['seed=1'] }, terms, signal);
  expect(same.compiled.scenario.name).toBe('One stone');
  expect(same.identity).toBe(first.identity);
  expect(await snapshot.changed()).toEqual([file]);

  writeFileSync(mesh, stone(2));
  await expect(prepareRun(ports, planned, terms, signal)).rejects.toMatchObject({
    code: 'io',
    message: `'${mesh}' changed while the campaign ran: start the campaign again`,
  });
  expect((await changedInputs(files, snapshot.inputs())).sort()).toEqual([mesh, file].sort());
});
