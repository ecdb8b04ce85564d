// The files of stands: lists of trees, species by id, name or file, and what is wrong with them, at its place.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
const spruce = readFileSync(join(assetsFolder, 'species', 'norway-spruce.yaml'), 'utf8');
const small = spruce.replace('id: norway-spruce', 'id: small-spruce');

/** A scenario with one stand of a list in a folder of its own; `species`: names of the stand. */
function loaded(list: string, species: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const stands = [{ kind: 'list', name: 'tree', file: 'plot.csv', species }];
  const scenario = { understory: 2, name: 'Plot', scene: { materials: {}, stands } };
  writeFileSync(join(folder, 'plot.csv'), list);
  writeFileSync(join(folder, 'small-spruce.yaml'), small);
  writeFileSync(join(folder, 'plot.understory.yaml'), JSON.stringify(scenario));
  return documents.loadScenario(join(folder, 'plot.understory.yaml'));
}

it('reads an inventory: diameters in cm, species by scientific name, id and file', async () => {
  const { value, problems } = await loaded(
    'tree_id;species;x;y;dbh;height_m;crown_width_m\n' +
      '1;Picea abies;0;0;30;21,5;4,1\n2;european-beech;4;0;25;;\n3;FI;8;0;;12;\n',
    { FI: 'small-spruce.yaml' },
  );
  expect(problems).toEqual([]);
  const { recipe } = value?.compiled ?? {};
  const plants = recipe?.models.map(({ source }) =>
    source.kind === 'plant' ? source.plant : null,
  );
  const trees = recipe?.instances.map(({ model }) => plants?.[model]);
  expect(trees?.[0]).toMatchObject({ diameterM: 0.3, heightM: 21.5, crownWidthM: 4.1 });
  expect(trees?.[1]).toMatchObject({ name: 'European beech', diameterM: 0.25 });
  expect(trees?.[2]?.id).toMatch(/^small-spruce/);
  expect(recipe?.instances.map(({ name }) => name)).toEqual(['tree-1', 'tree-2', 'tree-3']);
  expect(recipe?.classes).toContain('tree');
});

it.each([
  ['x,y,species\n', 'expected columns named height or diameter'],
  ['x,y,height\n0,0,10\n', 'expected columns named species'],
  ['x,y,species,height\n0,0,norway-spruce,-3\n', "line 2: expected a height above 0, found '-3'"],
  ['x,y,species,height\n0,,norway-spruce,3\n', 'line 2: expected x, y, and a height'],
])('refuses the list %j', async (list, message) => {
  const { problems } = await loaded(list);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.path).toBe('scene.stands[0].file');
  expect(problems[0]?.message).toContain(message);
});

it('names the line of a species without parameters', async () => {
  const { problems } = await loaded('x,y,species,height\n0,0,norway-spruce,9\n5,0,yucca,3\n');
  expect(problems).toHaveLength(1);
  expect(problems[0]?.path).toBe('scene.stands[0].file, line 3');
  expect(problems[0]?.message).toContain('expected a species file, or one of black-poplar');
});
