// Landscapes by the command line: what scans meet is where the truth has it, parts join to the bytes of the whole, and
// drives are refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TruthReplies } from '#contract/host/truthMethods.ts';
import { circularBeam, flatGround, scenario, sensor } from '#test/support/documents.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows } from '#test/support/scan.ts';

const radiusM = 0.1;

/** Poles on 40 × 40 m, five on each square of 10 m, none within 5 m of the middle. */
const poles = scenario({
  materials: { bark: { reflectance: 0.5, part: 'wood' }, soil: { reflectance: 0.3 } },
  models: { pole: { kind: 'cylinder', radiusM, heightM: 3, sides: 96, material: 'bark' } },
  ground: { ...flatGround(60), material: 'soil' },
  landscapes: [
    {
      name: 'hop-field',
      areaM: [
        [-20, -20],
        [20, -20],
        [20, 20],
        [-20, 20],
      ],
      sideM: 10,
      tiles: 3,
      scatters: [
        {
          name: 'pole',
          model: 'pole',
          count: 5,
          areaM: [
            [0, 0],
            [10, 0],
            [10, 10],
            [0, 10],
          ],
        },
      ],
      keepClear: [{ centreM: [0, 0], radiusM: 5 }],
    },
  ],
});

/** A level turn of 3,600 pulses each tenth of a second. */
const level = sensor({
  scan: { kind: 'sweep', rateHz: 10, minAzimuthDeg: -180, maxAzimuthDeg: 180, slotsPerScan: 3600 },
  beam: circularBeam(0, 1),
});

function folderOf(): string {
  return temporaryFolder({ 'scene.yaml': poles, 'sensor.yaml': level });
}

async function scan(folder: string, out: string, ...options: string[]): Promise<string> {
  const [scene, scanner] = ['scene.yaml', 'sensor.yaml'].map((file) => join(folder, file));
  const pose = '--pose=0,0,1.5,0';
  const columns = '--columns=x_m,y_m,object_id';
  await ran(
    folder,
    'scan',
    `${scene}`,
    `--sensor=${scanner}`,
    pose,
    columns,
    `--out=${out}`,
    ...options,
  );
  return join(folder, out);
}

it('plants are met where the truth has them, each with its own id', async () => {
  const folder = folderOf();
  const file = await scan(folder, 'scan.csv', '--seconds=0.1');
  const reply = await printedJson<TruthReplies['scenario.truth']>(
    folder,
    'scenario',
    'truth',
    join(folder, 'scene.yaml'),
    '--out',
    'trees.csv',
  );
  const trees = new Map(csvRows(join(folder, 'trees.csv')).map((tree) => [tree['id'], tree]));
  expect(trees.size).toBe(reply.plants);
  expect(reply.plants).toBeGreaterThan(60);
  expect(reply.plants).toBeLessThan(80);
  expect(readFileSync(join(folder, 'trees.csv'), 'utf8')).toMatch(/\n\d+,hop-field-1:\d+,/);
  const met = csvRows(file);
  const ids = new Set(met.map((row) => row['object_id']));
  expect(ids.size).toBeGreaterThan(20);
  for (const row of met) {
    const tree = trees.get(row['object_id']);
    const [dx, dy] = ['x', 'y'].map(
      (axis) => (row[`${axis}_m`] ?? NaN) - (tree?.[`${axis}_m`] ?? NaN),
    );
    // 96 sides: facets lie up to 0.05 % inside; coordinates have six digits.
    expect(Math.abs(Math.hypot(dx ?? NaN, dy ?? NaN) - radiusM)).toBeLessThan(2e-4);
  }
});

it('the truth of a box has the plants whose feet lie in it', async () => {
  const folder = folderOf();
  const truth = (...options: string[]): Promise<TruthReplies['scenario.truth']> =>
    printedJson(folder, 'scenario', 'truth', join(folder, 'scene.yaml'), ...options);
  await truth('--out', 'all.csv');
  const reply = await truth('--out', 'box.csv', '--box', '-12,3,-1,7,18,5');
  const isInside = ({ x_m: x = NaN, y_m: y = NaN }: Record<string, number>): boolean =>
    x >= -12 && x <= 7 && y >= 3 && y <= 18;
  const expected = csvRows(join(folder, 'all.csv')).filter(isInside);
  expect(csvRows(join(folder, 'box.csv'))).toEqual(expected);
  expect(reply.plants).toBe(expected.length);
  expect(expected.length).toBeGreaterThan(5);
});

it('intervals of a scan have the rows of the whole', async () => {
  const folder = folderOf();
  const whole = await scan(folder, 'whole.csv', '--seconds=0.2');
  const first = await scan(folder, 'first.csv', '--from=0', '--to=0.1');
  const second = await scan(folder, 'second.csv', '--from=0.1', '--to=0.2');
  const [head = '', ...rows] = readFileSync(whole, 'utf8').trimEnd().split('\n');
  const rowsOf = (file: string): string[] =>
    readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  expect(rows).toEqual([...rowsOf(first), ...rowsOf(second)]);
  expect(head).toContain('object_id');
});

it('a mission is refused: drives count no collisions with plants of landscapes', async () => {
  const mission = { startM: [-15, 0], goalM: [15, 0] };
  const scene = JSON.stringify({ ...(JSON.parse(poles) as object), mission });
  const folder = temporaryFolder({ 'scene.yaml': scene });
  const file = join(folder, 'scene.yaml');
  const { exitCode, stderr } = await runHere(folder, 'drive', file, '--sensor', 'vlp-16');
  expect(stderr).toContain('mission: expected none beside a landscape');
  expect(exitCode).toBe(2);
});

it('a mesh beside a landscape is checked, and a body has ids of its own', async () => {
  const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n';
  const data = JSON.parse(poles) as Record<string, Record<string, unknown>>;
  const models = {
    sign: { kind: 'mesh', file: 'sign.obj', unit: 'm', upAxis: 'z', material: 'bark' },
    ...(data['scene']?.['models'] as object),
  };
  const instances = [{ name: 'sign', model: 'sign', positionM: [1, 1, 0] }];
  const body = [
    { name: 'roof', kind: 'box', material: 'bark', sizeM: [1, 1, 0.2], positionM: [0, 0, 1] },
  ];
  const folder = temporaryFolder({
    'scene.yaml': JSON.stringify({
      ...data,
      scene: { ...data['scene'], models, instances },
      vehicle: { body },
    }),
    'sign.obj': triangle,
    'sensor.yaml': level,
  });
  await ran(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
  const file = await scan(folder, 'scan.csv', '--seconds=0.1');
  const objects = csvRows(`${file}.objects.csv`).map(({ id }) => id);
  expect(new Set(objects).size).toBe(objects.length);
  expect(objects.length).toBeGreaterThan(20);
});
