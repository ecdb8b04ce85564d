// Heights of a height field stayed world heights while everything else became relative to scene.origin: at an origin of
// 300 m the ground was 300 m above its trees, and a scan found nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { expect, it } from 'vitest';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('reads heights relative to the origin', async () => {
  const folder = temporaryFolder();
  const data = new Uint16Array([0, 65535, 65535, 0]);
  writeFileSync(
    join(folder, 'h.png'),
    encode({ width: 2, height: 2, data, depth: 16, channels: 1 }),
  );
  const file = join(folder, 'a.understory.yaml');
  writeFileSync(
    file,
    `understory: 2
name: slope
scene:
  origin: [500000, 5400000, 300]
  materials: { soil: { reflectance: 0.2, colour: '#7a6a50' } }
  ground: { kind: height-field, file: h.png, sizeM: [4, 4], centreM: [500000, 5400000], zM: [310, 320], material: soil }
`,
  );
  const { loadScenario } = createDocuments({ files: createNodeFiles({ assetsFolder }) });
  const { value, problems } = await loadScenario(file);
  expect(problems).toEqual([]);
  expect([...(value?.heights ?? [])]).toEqual([20, 10, 10, 20]);
});
