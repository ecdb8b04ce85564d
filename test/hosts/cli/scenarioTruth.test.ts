// `scenario truth`: plants, voxels and plots of small scenes whose measures are known, and what is refused.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fromFile } from 'geotiff';
import { expect, it } from 'vitest';
import type { TruthReplies } from '#contract/host/truthMethods.ts';
import { numberArrays } from '#recordings/foreign/npzArrays.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import { flatGround, placed, scenario } from '#test/support/documents.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows } from '#test/support/scan.ts';

/** A level leaf of 2 × 1 m at 1.3 m and a trunk of 0.2 m, on the ground, in a world with an origin. */
const origin: [number, number, number] = [1000, 2000, 100];
const grove: Partial<SceneInput> = {
  origin,
  materials: {
    grey: { reflectance: 0.5 },
    leaf: { reflectance: 0.4, transmittance: 0.4 },
    bark: { reflectance: 0.3, part: 'wood' },
  },
  ground: { ...flatGround(40), centreM: [1000, 2000], zM: 100 },
  models: {
    leaf: { kind: 'plane', sizeM: [2, 1], material: 'leaf' },
    trunk: { kind: 'cylinder', radiusM: 0.1, heightM: 3, sides: 64, material: 'bark' },
    wall: { kind: 'box', sizeM: [1, 1, 1], material: 'grey' },
  },
  instances: [
    placed('leaf', [1001, 2000.5, 101.3]),
    placed('trunk', [1003, 2000.5, 100]),
    placed('wall', [1010, 2000, 100]),
  ],
};

const folderOf = (scene: Parameters<typeof scenario>[0]): string =>
  temporaryFolder({ 'scene.yaml': scenario(scene) });

const truth = (folder: string, ...options: string[]): Promise<TruthReplies['scenario.truth']> =>
  printedJson(folder, 'scenario', 'truth', join(folder, 'scene.yaml'), ...options);

it('writes a row for each plant, in the world, and leaves empty what it does not have', async () => {
  const folder = folderOf(grove);
  const reply = await truth(folder, '--out', 'trees.csv');
  expect(reply).toMatchObject({ plants: 2, voxels: null, plot: null });
  expect(reply.leafAreaM2).toBeCloseTo(2, 6);
  const [leaf, trunk] = csvRows(join(folder, 'trees.csv'));
  expect(leaf).toMatchObject({ id: 2, dbh_m: NaN, wood_volume_m3: NaN });
  expect(leaf?.['leaf_area_m2']).toBeCloseTo(2, 6);
  expect(trunk).toMatchObject({ id: 3, leaf_area_m2: NaN, crown_base_m: NaN });
  const [, first, second] = readFileSync(join(folder, 'trees.csv'), 'utf8').split('\n');
  expect(first).toMatch(/^2,leaf,leaf,leaf,,1001,/);
  expect(second).toMatch(/^3,trunk,trunk,trunk,,1003,/);
  expect(trunk?.['x_m']).toBeCloseTo(1003, 5);
  expect(trunk?.['z_m']).toBeCloseTo(100, 5);
  const sectionM2 = 32 * Math.sin(Math.PI / 32) * 0.01;
  expect(trunk?.['dbh_m']).toBeCloseTo(2 * Math.sqrt(sectionM2 / Math.PI), 6);
  expect(trunk?.['wood_volume_m3']).toBeCloseTo(3 * sectionM2, 6);
});

it.each(['vox', 'csv'])('writes voxels as %s whose areas add up', async (ending) => {
  const folder = folderOf(grove);
  const reply = await truth(folder, '--voxels-out', `voxels.${ending}`, '--voxel', '0.4');
  expect(reply.voxels?.leafAreaM2).toBeCloseTo(2, 6);
  const lines = readFileSync(join(folder, `voxels.${ending}`), 'utf8')
    .trimEnd()
    .split('\n');
  const [columns, rows] =
    ending === 'vox'
      ? [lines[5]?.split(' '), lines.slice(6).map((line) => line.split(' '))]
      : [lines[0]?.split(','), lines.slice(1).map((line) => line.split(','))];
  if (ending === 'vox') {
    expect(lines[0]).toBe('VOXEL SPACE');
    const split = reply.voxels?.split ?? [0, 0, 0];
    expect(lines[3]).toBe(`#split: ${split.join(' ')}`);
    expect(rows.length).toBe(split[0] * split[1] * split[2]);
  } else expect(rows.every((row) => Number(row[6]) + Number(row[7]) > 0)).toBe(true);
  const sum = (name: string): number => {
    const at = columns?.findIndex((column) => column.toLowerCase().startsWith(name)) ?? -1;
    return rows.reduce((all, row) => all + Number(row[at]), 0);
  };
  expect(sum('leaf')).toBeCloseTo(2, 6);
  // Voxel models read it.
  const file = `voxels.${ending}`;
  const models = { voxels: { kind: 'voxels' as const, file, material: 'grey' } };
  const scene = scenario({ models, instances: [placed('voxels', [0, 0, 0])] });
  writeFileSync(join(folder, 'voxels.yaml'), scene);
  await ran(folder, 'scenario', 'plan', join(folder, 'voxels.yaml'));
  expect(sum('wood')).toBeCloseTo(reply.woodAreaM2, 6);
});

it('writes voxels as npz, whose densities a voxel model reads', async () => {
  const folder = folderOf(grove);
  await truth(folder, '--voxels-out', 'voxels.npz', '--voxel', '0.4');
  await truth(folder, '--voxels-out', 'voxels.csv', '--voxel', '0.4');
  const names = ['min_m', 'voxel_m', 'leaf_area_m2', 'plant_area_density_m2_per_m3'];
  const arrays = await numberArrays.read(join(folder, 'voxels.npz'), names, 1 << 20);
  expect([...(arrays['voxel_m']?.values ?? [])]).toEqual([0.4]);
  const { shape = [], values = [] } = arrays['plant_area_density_m2_per_m3'] ?? {};
  const [, ny = 0, nz = 0] = shape;
  const densities = Array.from(values, Number);
  expect(densities.filter((density) => density > 0)).toHaveLength(
    csvRows(join(folder, 'voxels.csv')).length,
  );
  for (const row of csvRows(join(folder, 'voxels.csv'))) {
    const at = ((row['i'] ?? NaN) * ny + (row['j'] ?? NaN)) * nz + (row['k'] ?? NaN);
    expect(densities[at]).toBeCloseTo(row['plant_area_density_m2_per_m3'] ?? NaN, 6);
  }
});

it('writes a plot of a box: gap fraction of a level leaf, leaf area index', async () => {
  const folder = folderOf(grove);
  const box = ['--box', '1000,2000,100,1002,2002,103'];
  const reply = await truth(folder, '--plot-out', 'plot.json', ...box, '--rays', '90000');
  const { plot } = reply;
  // A leaf of 2 m² over 4 m² of ground: half of the rays pass at every zenith angle.
  expect(plot?.leafAreaIndex).toBeCloseTo(0.5, 6);
  for (const { gapFraction } of plot?.zeniths ?? []) {
    expect(Math.abs(gapFraction - 0.5)).toBeLessThan((5 * 0.5) / Math.sqrt(5000));
  }
  const written = JSON.parse(readFileSync(join(folder, 'plot.json'), 'utf8')) as object;
  expect(written).toMatchObject({ minM: [1000, 2000, 100], leafAreaIndex: plot?.leafAreaIndex });
  await ran(
    folder,
    'scenario',
    'truth',
    join(folder, 'scene.yaml'),
    '--plot-out',
    'plot.npz',
    ...box,
  );
  expect(existsSync(join(folder, 'plot.npz'))).toBe(true);
});

it('writes canopy and terrain as GeoTIFFs that an import reads', async () => {
  const folder = folderOf({ ...grove, crs: 'EPSG:25832' });
  const box = ['--box', '1000,2000,100,1002,2003,103', '--voxel', '1'];
  const files = ['--canopy-out', 'canopy.tif', '--terrain-out', 'terrain.tif'];
  const reply = await truth(folder, ...files, ...box);
  expect(reply.files.map((file) => basename(file))).toEqual(['canopy.tif', 'terrain.tif']);
  const rasterIn = async (name: string) => {
    const image = await (await fromFile(join(folder, name))).getImage();
    const [values] = (await image.readRasters()) as unknown as [Float32Array];
    return {
      size: [image.getWidth(), image.getHeight()],
      box: image.getBoundingBox(),
      crs: Number(image.getGeoKeys()?.ProjectedCSTypeGeoKey),
      values: Array.from(values, (value) => Math.round(value * 1e4) / 1e4),
    };
  };
  const place = { size: [2, 3], box: [1000, 2000, 1002, 2003], crs: 25832 };
  // The leaf covers the row from 2000 to 2001: the last from the north.
  expect(await rasterIn('canopy.tif')).toEqual({ ...place, values: [0, 0, 0, 0, 1.3, 1.3] });
  expect(await rasterIn('terrain.tif')).toEqual({ ...place, values: Array<number>(6).fill(100) });
  await ran(folder, 'scenario', 'import', 'terrain.tif', '--out', 'again.understory.yaml');
});

it.each([
  [['--voxels-out', 'voxels.las'], 'expected a file that ends in one of .vox, .csv, .npz'],
  [
    ['--canopy-out', 'a.tif', '--terrain-out', 'a.tif'],
    'expected another file than that of canopyOut',
  ],
  [['--canopy-out', 'canopy.png'], 'expected a file that ends in one of .tif, .tiff'],
  [['--plot-out', 'plot.tif'], 'expected a file that ends in one of .npz, .json'],
  [['--voxels-out', 'a.vox', '--box', '1,1,1,0,2,2'], 'expected a second corner beyond the first'],
  [['--voxels-out', 'a.vox', '--voxel', '0.00001'], 'expected at most 65536 voxels along an axis'],
  [['--voxels-out', 'a.vox', '--voxel', '0.0003'], 'expected at most 16777216 columns of voxels'],
  [['--voxels-out', 'a.vox', '--voxel', '0.0008'], 'voxels need'],
])('refuses %j before it writes', async (options, message) => {
  const folder = folderOf(grove);
  const scene = join(folder, 'scene.yaml');
  const { exitCode, stderr } = await runHere(folder, 'scenario', 'truth', scene, ...options);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(message);
  expect(existsSync(join(folder, 'a.vox'))).toBe(false);
});

it('a scenario without plants has none, and voxels of it need a box', async () => {
  const folder = folderOf({ ground: flatGround(10) });
  expect(await truth(folder)).toMatchObject({ plants: 0, leafAreaM2: 0 });
  const scene = join(folder, 'scene.yaml');
  const refused = await runHere(folder, 'scenario', 'truth', scene, '--voxels-out', 'a.vox');
  expect(refused.stderr).toContain('expected a box, since the scenario has no plants');
});
