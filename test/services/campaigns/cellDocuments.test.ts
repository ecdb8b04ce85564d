// Compiled scenarios of a campaign are those of Documents, hash for hash, whatever seeds came before.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createCellDocuments } from '#services/campaigns/cellDocuments.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { projectRoot } from '#test/stages.ts';
import { scenario } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const files = createNodeFiles({ assetsFolder: join(projectRoot, 'assets') });

it.each(['clearing', 'hillside', 'optics'])(
  '%s with several seeds and settings',
  async (scenario) => {
    const cells = createCellDocuments(files);
    const documents = createDocuments({ files });
    for (const settings of [[], ['mission.timeoutS=12']]) {
      for (const seed of [4, 1, 4_000_000_000]) {
        const request = [scenario, { seed, settings }, { sensor: 'lms-291' }] as const;
        const expected = await documents.compile(...request);
        const found = await cells.compile(...request);
        expect(found.compiled).toEqual(expected.compiled);
        expect(found.heights).toEqual(expected.heights);
        expect(found.compiled.scenarioHash).toBe(expected.compiled.scenarioHash);
      }
    }
  },
);

it.each([
  ['of the seed of the scenario', {}, true],
  ['of its own seed', { seed: 9 }, false],
])('a terrain %s', async (_, ofTerrain, differs) => {
  const ground = { kind: 'terrain' as const, material: 'grey', ...ofTerrain };
  const text = scenario({ ground: { ...ground, sizeM: [30, 20] } });
  const folder = temporaryFolder({ 'hills.yaml': text });
  const file = join(folder, 'hills.yaml');
  const [cells, documents] = [createCellDocuments(files), createDocuments({ files })];
  const heights: Float32Array[] = [];
  for (const seed of [4, 1]) {
    const expected = await documents.compile(file, { seed });
    const found = await cells.compile(file, { seed });
    expect(found).toEqual(expected);
    expect(found.heights.length).toBe(31 * 21);
    heights.push(found.heights);
  }
  expect(heights[0]?.join() !== heights[1]?.join()).toBe(differs);
});

it('reports problems as Documents does, every time', async () => {
  const cells = createCellDocuments(files);
  const wrong = ['clearing', { seed: 1, settings: ['mission.timeoutS=soon'] }] as const;
  const problem = { code: 'bad-input', details: { problems: [{ path: 'mission.timeoutS' }] } };
  await expect(cells.compile(...wrong)).rejects.toMatchObject(problem);
  await expect(cells.compile(...wrong)).rejects.toMatchObject(problem);
});
