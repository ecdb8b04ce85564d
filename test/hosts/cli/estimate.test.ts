// `estimate`: leaf area of voxels from logs whose beams are known, and of a simulated scan beside its truth.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EstimateReplies } from '#contract/host/estimateMethods.ts';
import { circularBeam, flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows, scanned } from '#test/support/scan.ts';

type Reply = EstimateReplies['log.estimate'];

const head =
  'time_ns,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m,state,label';

/** Level beams along x at y 0.25, z 0.25: 40 of them, of which every fourth ends 0.25 m into the voxel from 1 m on. */
function levelBeams(label = '2'): string[] {
  return Array.from({ length: 40 }, (_, n) => {
    const end = n % 4 === 0 ? `1.25,1,${label}` : ',2,0';
    return `${n * 1000},0,0.25,0.25,1,0,0,${end}`;
  });
}

async function logOf(lines: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'beams.csv'), [head, ...lines, ''].join('\n'));
  await ran(folder, 'log', 'import', 'beams.csv', '--out', 'x.log', '--returns', 'first');
  return folder;
}

const box = ['--box', '0,0,0,3,0.5,0.5'];
const estimate = (folder: string, ...options: string[]): Promise<Reply> =>
  printedJson(folder, 'estimate', 'x.log', ...box, ...options);

describe('beams of a log', () => {
  it('give hits, paths and densities of the voxels that they cross', async () => {
    const folder = await logOf(levelBeams());
    const reply = await estimate(folder, '--out', 'a.csv');
    expect(reply).toMatchObject({ beams: 40, split: [6, 1, 1], errors: null });
    expect(reply.voxels).toEqual({ known: 6, fewBeams: 0, occluded: 0, unseen: 0 });
    const rows = csvRows(join(folder, 'a.csv'));
    expect(rows.map((row) => row['beams'])).toEqual([40, 40, 40, 30, 30, 30]);
    expect(rows.map((row) => row['lines'])).toEqual([40, 40, 40, 40, 40, 40]);
    expect(rows.map((row) => row['stopped'])).toEqual([0, 0, 0, 10, 10, 10]);
    expect(rows.map((row) => row['hits'])).toEqual([0, 0, 10, 0, 0, 0]);
    const [, , met, behind] = rows;
    const pathM = 30 * 0.5 + 10 * 0.25;
    expect(met?.['path_m']).toBeCloseTo(pathM, 6);
    expect(met?.['contact_m2_per_m3']).toBeCloseTo(10 / (0.5 * pathM), 5);
    expect(met?.['contact_se']).toBeCloseTo(Math.sqrt(10) / (0.5 * pathM), 5);
    const corrected = 10 / (0.5 * pathM) - (10 * 0.5 * 0.25) / (0.5 * pathM) ** 2;
    expect(met?.['likelihood_m2_per_m3']).toBeCloseTo(corrected, 5);
    expect(met?.['beer_lambert_m2_per_m3']).toBeCloseTo(-Math.log(0.75) / 0.25, 5);
    expect(met?.['occluded_share']).toBeCloseTo(1 - pathM / 20, 6);
    expect(behind?.['occluded_share']).toBeCloseTo(0.25, 6);
  });

  it('that end on ground have met no leaf', async () => {
    const ground = await logOf(levelBeams('1'));
    await estimate(ground, '--out', 'a.csv');
    const row = csvRows(join(ground, 'a.csv'))[2];
    expect(row).toMatchObject({ hits: 0, contact_m2_per_m3: 0 });
    expect(row?.['path_m']).toBeCloseTo(17.5, 6);
  });

  it('use the law of angles and the size of leaves', async () => {
    const folder = await logOf(levelBeams());
    await estimate(folder, '--out', 'a.csv', '--angles', 'planophile', '--leaf-size', '0.2');
    const met = csvRows(join(folder, 'a.csv'))[2];
    const G = 0.2702;
    expect(met?.['contact_m2_per_m3']).toBeCloseTo(10 / (G * 17.5), 2);
    const ofLeaf = (G * Math.PI * 0.01) / 0.125;
    const effective = (z: number): number => -Math.log(1 - ofLeaf * z) / ofLeaf;
    const free = G * (30 * effective(0.5) + 10 * effective(0.25));
    const corrected = 10 / free - (10 * G * effective(0.25)) / free ** 2;
    expect(met?.['likelihood_m2_per_m3']).toBeCloseTo(corrected, 2);
  });

  it('leave voxels unknown that they are too few for, and empty cells for them', async () => {
    const folder = await logOf(levelBeams());
    const reply = await estimate(folder, '--out', 'a.csv', '--min-beams', '35');
    expect(reply.voxels).toEqual({ known: 3, fewBeams: 3, occluded: 0, unseen: 0 });
    const [, , , , , , last = ''] = readFileSync(join(folder, 'a.csv'), 'utf8').split('\n');
    expect(last).toContain(',0.25,,,,,,');
    const wide = await printedJson<Reply>(
      folder,
      ...['estimate', 'x.log', '--box', '0,0,0,3,1,0.5', '--out', 'b.csv'],
    );
    expect(wide.voxels.unseen).toBe(6);
  });

  it('give the same bytes on any number of threads, in each format', async () => {
    const folder = await logOf(levelBeams());
    for (const ending of ['csv', 'npz', 'vox']) {
      await estimate(folder, '--out', `one.${ending}`, '--threads', '1');
      await estimate(folder, '--out', `four.${ending}`, '--threads', '4');
      const [one, four] = ['one', 'four'].map((name) => {
        return readFileSync(join(folder, `${name}.${ending}`));
      });
      expect(one?.equals(four ?? Buffer.of())).toBe(true);
    }
    const lines = readFileSync(join(folder, 'one.vox'), 'utf8').split('\n');
    expect(lines[3]).toBe('#split: 6 1 1');
    expect(lines[5]).toMatch(/^i j k PadBVTotal lines stopped beams hits /);
  });

  it('are set beside a truth, voxel by voxel', async () => {
    const folder = await logOf(levelBeams());
    const leaf = { kind: 'plane' as const, sizeM: [0.25, 0.5] as [number, number] };
    const scene = scenario({
      materials: { leaf: { reflectance: 0.4, transmittance: 0.4 } },
      models: { leaf: { ...leaf, material: 'leaf' } },
      instances: [placed('leaf', [1.25, 0.25, 0.25])],
    });
    writeFileSync(join(folder, 'scene.yaml'), scene);
    const voxels = [...box, '--voxels-out', 'truth.npz'];
    await ran(folder, 'scenario', 'truth', join(folder, 'scene.yaml'), ...voxels);
    const reply = await estimate(folder, '--out', 'a.csv', '--truth', 'truth.npz');
    const found = 10 / (0.5 * 17.5);
    expect(reply.errors?.contact).toMatchObject({ voxels: 6 });
    expect(reply.errors?.contact.relativeBias).toBeCloseTo(found - 1, 5);
    expect(reply.errors?.contact.rmse).toBeCloseTo((found - 1) / Math.sqrt(6), 5);
    expect(csvRows(join(folder, 'a.csv'))[2]?.['truth_m2_per_m3']).toBeCloseTo(1, 6);
  });

  it('of a log without misses, labels or all returns get notes', async () => {
    const folder = temporaryFolder();
    const short = head.replace(',state,label', '');
    writeFileSync(join(folder, 'beams.csv'), `${short}\n0,0,0.25,0.25,1,0,0,1.25\n`);
    await ran(folder, 'log', 'import', 'beams.csv', '--out', 'x.log');
    const { notes } = await estimate(folder, '--out', 'a.csv');
    for (const part of [
      'lacks the beams of its source without a return',
      'one return of a pulse',
      'no labels',
    ]) {
      expect(notes.join('\n')).toContain(part);
    }
  });
});

it('a screen stops the beams behind it, as its shadow has them', async () => {
  // A wall 1 m ahead of a turning head stops its lines up to 45° on either side.
  const wall = { kind: 'box' as const, sizeM: [0.01, 2, 2] as [number, number, number] };
  const folder = temporaryFolder({
    'scene.yaml': scenario({
      models: { wall: { ...wall, material: 'grey' } },
      instances: [placed('wall', [1, 0, 1])],
    }),
    'lidar.yaml': sensor({
      scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 400 },
      banks: [{ name: 'one', elevationsDeg: [0] }],
      beam: circularBeam(0, 1),
      returns: { mode: 'closest', signalCutoffM: 0 },
    }),
  });
  const [scene, lidar] = [join(folder, 'scene.yaml'), join(folder, 'lidar.yaml')];
  const turn = ['--pose', '0.001,0.0003,1,0', '--seconds', '0.1', '--out', 'x.log'];
  await ran(folder, 'scan', scene, '--sensor', lidar, ...turn);
  // Two voxels behind the wall, from x = 2 m on: one to the left, one to the right.
  const behind = ['--box', '2,-4,-1,6,4,3', '--voxel', '4', '--out', 'a.csv'];
  const { voxels } = await printedJson<Reply>(folder, 'estimate', 'x.log', ...behind);
  expect(voxels.unseen).toBe(0);
  const rows = csvRows(join(folder, 'a.csv'));
  // Lines cross them up to atan(4/2) on either side, in steps of 0.9°.
  const within = (deg: number): number => Math.round((400 * deg) / 360);
  const half = (Math.atan(2) * 180) / Math.PI;
  for (const row of rows) {
    expect(Math.abs((row['lines'] ?? NaN) - within(half))).toBeLessThanOrEqual(1);
    expect(Math.abs((row['stopped'] ?? NaN) - within(45))).toBeLessThanOrEqual(1);
    expect(row['beams']).toBe((row['lines'] ?? NaN) - (row['stopped'] ?? NaN));
  }
});

it('a voxel model has the same leaves from each file of an estimate', async () => {
  const folder = await logOf(levelBeams());
  const hitsOf = async (ending: string): Promise<(number | undefined)[]> => {
    await estimate(folder, '--out', `a.${ending}`);
    const { rows } = await scanned({
      scene: scenario({
        models: { canopy: { kind: 'voxels', file: `a.${ending}`, material: 'grey' } },
        instances: [placed('canopy', [0, 0, 0], { onGround: false })],
      }),
      files: { [`a.${ending}`]: readFileSync(join(folder, `a.${ending}`)) },
      sensor: sensor({ beam: circularBeam(0, 1) }),
      pose: [-1, 0.25, 0.25, 0],
      seconds: 20,
      columns: 'range_m',
    });
    return rows.map((row) => row['range_m']);
  };
  const [first = [], ...others] = [await hitsOf('vox'), await hitsOf('npz'), await hitsOf('csv')];
  // Leaves of about 1 m²/m³ between 2 and 2.5 m end a quarter of the pulses.
  expect(first.length).toBeGreaterThan(20);
  for (const rangeM of first) expect(Math.abs((rangeM ?? NaN) - 2.25)).toBeLessThan(0.2501);
  for (const found of others) {
    expect(found).toHaveLength(first.length);
    for (const [row, rangeM] of found.entries()) expect(rangeM).toBeCloseTo(first[row] ?? NaN, 4);
  }
});

it('a voxel model of one density, scanned, has that density', async () => {
  const density = 1.2;
  const rows = ['i,j,k,x_m,y_m,z_m,plant_area_density_m2_per_m3'];
  for (let n = 0; n < 256; n += 1) {
    const [i, j, k] = [n % 8, Math.floor(n / 8) % 8, Math.floor(n / 64)];
    rows.push(`${i},${j},${k},${i * 0.5 - 1.75},${j * 0.5 - 1.75},${k * 0.5 + 2.25},${density}`);
  }
  const canopy = { kind: 'voxels', file: 'slab.csv', leafAngles: 'planophile' } as const;
  const folder = temporaryFolder({
    'slab.csv': [...rows, ''].join('\n'),
    'scene.yaml': scenario({
      models: { canopy: { ...canopy, leafSizeM: 0.01, material: 'grey' } },
      ground: flatGround(60),
      instances: [placed('canopy', [0, 0, 0])],
    }),
    'lidar.yaml': sensor({
      scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 360 },
      banks: [{ name: 'column', elevationsDeg: [-88, -84, -80, -76, -72, -68, -64, -60] }],
      beam: circularBeam(0, 1),
      returns: { mode: 'closest', signalCutoffM: 0 },
    }),
  });
  const [scene, lidar] = [join(folder, 'scene.yaml'), join(folder, 'lidar.yaml')];
  const pose = ['--pose', '0,0,7,0', '--seconds', '1', '--out', 'x.log'];
  await ran(folder, 'scan', scene, '--sensor', lidar, ...pose);
  const inside = ['--box', '-2,-2,2,2,2,4', '--angles', 'planophile', '--out', 'a.csv'];
  const { leafAreaM2, voxels } = await printedJson<Reply>(folder, 'estimate', 'x.log', ...inside);
  const hits = csvRows(join(folder, 'a.csv')).reduce((all, row) => all + (row['hits'] ?? 0), 0);
  expect(hits).toBeGreaterThan(5000);
  // Voxels with few beams weigh as much as others: the error is some times that of all hits.
  const found = leafAreaM2.likelihood / (voxels.known * 0.125);
  expect(Math.abs(found / density - 1)).toBeLessThan(0.06);
});

it('all returns of a scan count by their share of the beam, and the rest passes', async () => {
  // Three of nine rays meet the leaf above the axis at 2.25 m and three that below it at 2.75 m.
  const leaf = { kind: 'box' as const, sizeM: [0.001, 0.2, 0.2] as [number, number, number] };
  const folder = temporaryFolder({
    'scene.yaml': scenario({
      materials: { leaf: { reflectance: 0.4, transmittance: 0.4 } },
      models: { leaf: { ...leaf, material: 'leaf' } },
      instances: [
        { ...placed('leaf', [2.25, 0, 1.102]), class: 'leaf', name: 'upper' },
        { ...placed('leaf', [2.75, 0, 0.898]), class: 'leaf', name: 'lower' },
      ],
    }),
    'lidar.yaml': sensor({
      beam: circularBeam(20),
      returns: { mode: 'all', signalCutoffM: 0, rangeResolutionM: 0.05 },
    }),
  });
  const scene = join(folder, 'scene.yaml');
  const scan = ['scan', scene, '--sensor', join(folder, 'lidar.yaml'), '--pose', '0,0,1,0'];
  const table = ['--misses', '--columns', 'default,beam', '--out', 'x.npz'];
  await ran(folder, ...scan, '--seconds', '4', ...table);
  await ran(folder, 'log', 'import', 'x.npz', '--out', 'x.log', '--returns', 'all');
  const whole = ['--box', '2,-0.25,0.75,3,0.25,1.25', '--out', 'a.csv'];
  const { notes } = await printedJson<Reply>(folder, 'estimate', 'x.log', ...whole);
  expect(notes.join()).not.toContain('one return');
  const [near, far] = csvRows(join(folder, 'a.csv'));
  const third = 40 / 3;
  expect(near?.['beams']).toBeCloseTo(40, 4);
  expect(near?.['hits']).toBeCloseTo(third, 4);
  expect(near?.['path_m']).toBeCloseTo(third * (0.25 + 2 * 0.5), 1);
  expect(far?.['beams']).toBeCloseTo(2 * third, 4);
  expect(far?.['hits']).toBeCloseTo(third, 4);
  expect(far?.['occluded_share']).toBeCloseTo(1 - 0.75 / 1.5, 2);
  const voxels = ['--box', '1.5,-0.25,0.75,3,0.25,1.25', '--voxels-out', 'truth.npz'];
  await ran(folder, 'scenario', 'truth', scene, ...voxels);
  await ran(folder, 'estimate', 'x.log', ...whole, '--force', '--truth', 'truth.npz');
  const found = csvRows(join(folder, 'a.csv')).map((row) => row['truth_m2_per_m3']);
  // Both faces of a box of 0.2 × 0.2 m, and its rim, in 0.125 m³.
  const density = (2 * 0.04 + 0.8 * 0.001) / 0.125;
  expect(found[0]).toBeCloseTo(density, 5);
  expect(found[1]).toBeCloseTo(density, 5);
  const learned = await runHere(
    folder,
    ...['learn', 'x.log', '--model', 'voxel', '--out', 'x.ply'],
  );
  expect(learned.stderr).toContain('a single return of each pulse is expected');
  const csv = ['scan.csv', '--out', 'y.log', '--returns', 'all'];
  writeFileSync(join(folder, 'scan.csv'), `${head}\n0,0,0.25,0.25,1,0,0,1.25,1,2\n`);
  const refused = await runHere(folder, 'log', 'import', ...csv);
  expect(refused.stderr).toContain('expected one return of each pulse');
});

describe('what cannot be estimated is refused before it is written', () => {
  it.each([
    [['--out', 'a.las'], 'expected a file that ends in one of .csv, .npz, .vox'],
    [['--out', 'a.csv', '--leaf-size', '0.3'], 'expected leaves of at most half a voxel'],
    [['--out', 'a.csv', '--box', '1,1,1,0,2,2'], 'expected a second corner beyond the first'],
    [['--out', 'a.csv', '--voxel', '0.00001'], 'expected at most 65536 voxels along an axis'],
    [['--out', 'a.csv', '--voxel', '0.0001', '--box', '0,0,0,3,3,3'], 'voxels takes'],
    [['--out', 'a.csv', '--truth', 'x.log'], 'scenario truth SCENARIO --voxels-out FILE.npz'],
  ])('%j', async (options, message) => {
    const folder = await logOf(levelBeams());
    const { exitCode, stderr } = await runHere(folder, 'estimate', 'x.log', ...options);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(message);
    expect(() => readFileSync(join(folder, 'a.csv'))).toThrow();
  });
});

it('refuses an archive without the arrays of a truth', async () => {
  const folder = await logOf(levelBeams());
  await estimate(folder, '--out', 'a.npz');
  const options = ['--out', 'b.csv', '--truth', 'a.npz'];
  const { stderr } = await runHere(folder, 'estimate', 'x.log', ...options);
  expect(stderr).toContain('scenario truth SCENARIO --voxels-out FILE.npz');
  expect(stderr).toContain("no array 'leaf_area_m2'");
});
