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
const options: TreeListOptions = {
  unit: 'm',
  species: {},
  plants,
  columns: {},
  plotCentreM: [0, 0],
  skipsBadRows: false,
};

function imported(text: string, more: Partial<TreeListOptions> = {}) {
  const { value, problems } = importTreeList(text, { ...options, ...more });
  expect(problems).toEqual([]);
  if (value === null) throw new Error('nothing was imported');
  return value;
}

function problemOf(text: string, more: Partial<TreeListOptions> = {}): string {
  const { problems } = importTreeList(text, { ...options, ...more });
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
    expect(scene.ignored).toEqual([]);
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

  it('takes columns and units that are named', () => {
    const forestgeo = 'TreeTag\tSpecies\tgx\tgy\tdbh\tHeight\n7\tpinus\t3.2\t4.1\t310\t18.4\n';
    const columns = { x: 'gx', y: 'gy', dbh: 'dbh:mm' };
    const [tree] = imported(forestgeo, { columns }).instances;
    expect(tree).toMatchObject({ name: 'tree-7', positionM: [3.2, 4.1, 0] });
    const titles = 'TreeTag, Species, gx, gy, dbh, Height';
    const refusal = (wanted: Record<string, string>): string =>
      problemOf(forestgeo, { columns: wanted });
    expect(refusal({ x: 'east' })).toBe(`columns.x: expected a column of ${titles}, found 'east'`);
    expect(refusal({ x: 'gx:miles' })).toContain('with m, cm, mm, in, ft, us-ft as a unit');
    expect(refusal({ girth: 'dbh' })).toContain("found 'girth'");
  });

  it('places trees at distances and azimuths from the centre of a plot', () => {
    const fia = 'TREE,DIST,AZIMUTH,SPCD,DIA,HT\n1,24.0,90,131,12.1,60\n2,10.5,180,131,8.0,45\n';
    const columns = { distance: 'DIST:ft', height: 'HT:ft', dbh: 'DIA:in', species: 'SPCD' };
    const scene = imported(fia, { columns, plotCentreM: [500, 900] });
    const [east, south] = scene.instances.map(({ positionM }) => positionM);
    expect(east?.[0]).toBeCloseTo(500 + 24 * 0.3048, 9);
    expect(east?.[1]).toBeCloseTo(900, 9);
    expect(south?.[0]).toBeCloseTo(500, 9);
    expect(south?.[1]).toBeCloseTo(900 - 10.5 * 0.3048, 9);
    expect(scene.notes.join('\n')).toContain('polar about (500, 900)');
  });

  it('gives stems the diameters of the list, in steps of 20 %', () => {
    // Radius at breast height by the law of the trunk (Weber and Penn 1995, 4.1 and 4.4).
    const text = 'x,y,species,height,dbh_cm\n0,0,beech,20,24\n9,0,beech,20,60\n';
    const scene = imported(text);
    const diameters = scene.files.map(({ content }) => {
      const { value } = parsePlant(String(content));
      if (value?.generator !== 'tree') throw new Error('no tree');
      const along = 1.3 / value.heightM;
      const flare = along < 0.125 ? (value.trunk.flare * (100 ** (1 - 8 * along) - 1)) / 100 : 0;
      return 2 * value.trunk.radiusM * (1 - along) * (1 + flare);
    });
    expect(diameters).toHaveLength(2);
    for (const [index, wanted] of [0.24, 0.6].entries()) {
      const ratio = (diameters[index] ?? NaN) / wanted;
      expect(ratio).toBeGreaterThan(1 / 1.1);
      expect(ratio).toBeLessThan(1.1);
    }
  });

  it('refuses diameters without a unit that fit no height', () => {
    const metres = 'x,y,height,dbh\n0,0,18.4,0.31\n1,0,15,0.22\n';
    expect(problemOf(metres)).toContain('m fits: --column dbh=TITLE:m');
    expect(problemOf(metres.replace('0.31', '310').replace('0.22', '220'))).toContain('mm fits');
    expect(imported(metres, { columns: { dbh: 'dbh:m' } }).instances).toHaveLength(2);
  });

  it('counts and names rows that are no trees, and leaves them out on request', () => {
    const text = 'x,y,height\n1,2,10\n1,2,dead\n1,2\n4,5,12\n,5,12\n';
    const { problems } = importTreeList(text, options);
    expect(problems.map(({ path }) => path)).toEqual(['(file)', 'line 3', 'line 4', 'line 6']);
    expect(problems[0]?.message).toContain('each of 5 lines, found 3 lines without');
    const scene = imported(text, { skipsBadRows: true });
    expect(scene.instances).toHaveLength(2);
    expect(scene.notes.join('\n')).toContain('3 lines were left out: 3, 4, 6');
    expect(
      importTreeList('x,y,height\n1,2,dead\n', { ...options, skipsBadRows: true }).value,
    ).toBeNull();
  });

  it('refuses with the line', () => {
    expect(problemOf('')).toBe('(file): expected a line with the names of columns');
    expect(problemOf('x,y,height\n')).toBe('(file): expected at least one tree');
    expect(problemOf('x,y,hoogte\n1,2,3\n')).toBe(
      'line 1: expected columns named height, found x, y, hoogte (--column height=TITLE names one)',
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
