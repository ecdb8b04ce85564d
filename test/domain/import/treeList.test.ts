// Tree lists as inventories write them: names and units of columns, separators, species, sizes, and every refusal with
// its line.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Plant } from '#contract/documents/plant.ts';
import { importTreeList, type TreeListOptions } from '#domain/import/treeList.ts';
import { parsePlant } from '#domain/scenario/documentText.ts';

function assetPlant(id: string): Plant {
  const { value } = parsePlant(readFileSync(`assets/plants/${id}.yaml`, 'utf8'));
  if (value === null) throw new Error(`no plant ${id}`);
  return value;
}

const plants = new Map(
  ['broadleaf-tree', 'potted-shrub', 'grass-patch'].map((id) => [id, assetPlant(id)]),
);
const options: TreeListOptions = { unit: 'm', species: {}, plants };

function imported(text: string, more: Partial<TreeListOptions> = {}) {
  const { value, problems } = importTreeList(text, { ...options, ...more });
  expect(problems).toEqual([]);
  if (value === null) throw new Error('nothing was imported');
  return value;
}

function problemOf(text: string): string {
  const { problems } = importTreeList(text, options);
  expect(problems).toHaveLength(1);
  return `${problems[0]?.path}: ${problems[0]?.message}`;
}

describe('importTreeList', () => {
  it('places a tree of each line, as high as the list says', () => {
    const scene = imported(
      'id,x,y,species,height,crown\nA1,474500.5,5474500,Fagus sylvatica,24,8\nA2,474510,5474507.25,Picea abies,30,6\n',
    );
    expect(scene.instances).toMatchObject([
      { name: 'tree-A1', class: 'fagus-sylvatica', positionM: [474500.5, 5474500, 0] },
      { name: 'tree-A2', class: 'picea-abies', positionM: [474510, 5474507.25, 0] },
    ]);
    const [beech, spruce] = scene.instances;
    // One tree of each form: the plant is made for it, so that nothing is left to scale.
    expect([beech?.scale, spruce?.scale]).toEqual([1, 1]);
    expect(beech?.model).not.toBe(spruce?.model);
    expect(scene.notes.join('\n')).toContain('1 conifers became broad-leaved trees');
    expect(scene.files.map(({ name }) => name)).toEqual([
      `${beech?.model}.yaml`,
      `${spruce?.model}.yaml`,
    ]);
  });

  it('writes plants that are valid plant files, conifers with a conical crown', () => {
    const { files } = imported('x,y,species,height,crown\n0,0,oak,18,9\n5,0,spruce,25,5\n');
    const shapes = files.map(({ content }) => {
      const { value, problems } = parsePlant(String(content));
      expect(problems).toEqual([]);
      return value?.generator === 'tree' ? value.crownShape : null;
    });
    expect(shapes).toEqual(['spherical', 'conical']);
  });

  it('reads units of names, of the option, semicolons and decimal commas', () => {
    const byName = imported('x_m;y_m;Height [ft];Crown radius (cm)\n1,5;-2,25;60;300\n');
    const byOption = imported('x_m\ty_m\theight\tcrown\n1.5\t-2.25\t60\t19.685\n', { unit: 'ft' });
    for (const scene of [byName, byOption]) {
      expect(scene.instances[0]?.positionM).toEqual([1.5, -2.25, 0]);
      expect(scene.files).toHaveLength(1);
      const { value } = parsePlant(String(scene.files[0]?.content));
      // 60 ft are 18.288 m; the trunk is shorter than the tree.
      const heightM = value?.generator === 'tree' ? value.heightM : 0;
      expect(heightM).toBeGreaterThan(15);
      expect(heightM).toBeLessThan(18.288);
    }
    expect(byName.files[0]?.content).toBe(byOption.files[0]?.content);
  });

  it('reports unknown species and unused columns, and takes a plant for them', () => {
    const text = 'x,y,species,height,dbh_cm\n0,0,Quercus robur,12,30\n9,0,xyz,8,20\n9,9,xyz,7,20\n';
    const scene = imported(text);
    expect(scene.notes.join('\n')).toContain("2 trees of the unknown species 'xyz'");
    expect(scene.ignored).toEqual([{ what: "values of column 'dbh_cm'", count: 3 }]);
    const chosen = imported(text, { species: { xyz: 'potted-shrub' } });
    expect(chosen.notes).toEqual([]);
    expect(chosen.imported).toContainEqual({ what: 'shrubs', count: 2 });
    expect(imported(text, { species: { '*': 'potted-shrub' } }).imported).toContainEqual({
      what: 'shrubs',
      count: 2,
    });
  });

  it('puts trees with a z at that height, others on the ground', () => {
    const [high, low] = imported('x,y,z,height\n0,0,312.5,10\n1,1,,10\n').instances;
    expect(high).toMatchObject({ positionM: [0, 0, 312.5], onGround: false });
    expect(low?.onGround).toBeUndefined();
  });

  it('shares one plant among crowns of nearly one ratio', () => {
    const lines = Array.from(
      { length: 50 },
      (_, n) => `${n},0,beech,${20 + (n % 5)},${10 + (n % 5) / 2}`,
    );
    const scene = imported(`x,y,species,height,crown\n${lines.join('\n')}\n`);
    expect(Object.keys(scene.models)).toHaveLength(1);
    const scales = scene.instances.map(({ scale }) => scale ?? 0);
    expect(Math.max(...scales)).toBeCloseTo(24 / 22, 3);
    expect(Math.min(...scales)).toBeCloseTo(20 / 22, 3);
  });

  it('refuses with the line', () => {
    expect(problemOf('')).toBe('(file): expected a line with the names of columns');
    expect(problemOf('x,y,height\n')).toBe('(file): expected at least one tree');
    expect(problemOf('x,y,hoogte\n1,2,3\n')).toBe(
      'line 1: expected columns named height, found x, y, hoogte',
    );
    expect(problemOf('x,y,height\n1,2,3\n1,2\n')).toBe(
      'line 3: expected 3 cells as in the first line, found 2',
    );
    expect(problemOf('x,y,height\n1,2,tall\n')).toBe(
      "line 2: expected a height above 0, found '1, 2, tall'",
    );
    expect(problemOf('x,y,height\n1,2,0\n')).toContain('line 2: expected a height above 0');
    expect(problemOf('x,y,height\n1,,3\n')).toContain('line 2: expected a number for y');
    expect(problemOf('x,y,height\n1,"2,3\n')).toContain('line 2: expected a closing quote');
  });
});
