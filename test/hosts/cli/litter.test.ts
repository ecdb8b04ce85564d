// Litter from the command line: rays from straight above meet leaves and ground as the law says, on level ground and on
// hills, and the leaves on the ground are no leaf area.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TruthReplies } from '#contract/host/truthMethods.ts';
import { printedJson, ran } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const cells = 250;
/** An image of rays without divergence over 20 × 20 m, 400 m below: up to 2 degrees from straight down. */
const camera = `understorySensor: 3
id: camera
name: Camera
source: none
scan: { kind: image, rateHz: 10, columns: ${cells}, rows: ${cells}, horizontalFovDeg: ${(2 * Math.atan(10 / 400) * 180) / Math.PI} }
range: { minM: 0, maxM: 1000 }
beam: { shape: circular, divergenceHorizontalMrad: 0, divergenceVerticalMrad: 0, stencil: rays, rays: { count: 1 } }
returns: { mode: strongest, signalCutoffM: 0 }
`;

const grounds = {
  'level ground': '{ kind: plane, sizeM: [60, 60], material: soil }',
  hills:
    '{ kind: terrain, sizeM: [60, 60], material: soil, relief: { deviationM: 1.5, scaleM: 20 }, slope: { percent: 35 } }',
};

const scenario = (ground: string, litter: string): string => `understory: 2
name: Litter
seed: 11
scene:
  materials: { soil: { reflectance: 0.3 }, thin: { reflectance: 0.4, transmittance: 0.2 } }
  ground: ${ground}
  stands:
    - { kind: litter, name: leaf, areaM: [[-25, -25], [25, -25], [25, 25], [-25, 25]], ${litter} }
`;

describe('litter', { timeout: 600_000 }, () => {
  it.each([
    ['level ground', 'cover: 0.2'],
    ['level ground', 'cover: 0.6, leafM: [0.05, 0.003]'],
    ['hills', 'cover: 0.5'],
    ['hills', 'cover: 0.9, leafM: [0.1, 0.06], maxTiltDeg: 40'],
  ] as const)('covers its share of %s from above: %s', async (ground, litter) => {
    const folder = temporaryFolder({
      'camera.sensor.yaml': camera,
      'l.understory.yaml': scenario(grounds[ground], litter),
    });
    const sensor = ['--sensor', join(folder, 'camera.sensor.yaml')];
    const pose = ['--pose', '0,0,400,0,90', '--seconds', '0.1'];
    const columns = ['--columns', 'class_id'];
    const file = join(folder, 'l.understory.yaml');
    await ran(folder, 'scan', file, ...sensor, ...pose, ...columns, '--out', 'c.csv');
    const [head = '', ...rows] = readFileSync(join(folder, 'c.csv'), 'utf8').trim().split('\n');
    const at = head.split(',').indexOf('class');
    const names = rows.map((row) => row.split(',')[at]);
    expect(rows).toHaveLength(cells ** 2);
    expect(new Set(names)).toEqual(new Set(['ground', 'litter']));
    const ofGround = names.filter((name) => name === 'ground').length;
    const cover = Number(/cover: ([\d.]+)/.exec(litter)?.[1]);
    // Rays that meet leaves, binomial: 0.2 to 0.8 %; variants of the leaves: 0.5 %.
    expect(Math.abs(1 - ofGround / rows.length - cover) / cover).toBeLessThan(0.02);
  });

  it('is no leaf area and closes no gap, even where light passes it', async () => {
    const folder = temporaryFolder();
    const leaf = `  models: { leaf: { kind: plane, sizeM: [4, 4], material: thin } }
  instances: [{ name: leaf-a, model: leaf, positionM: [0, 0, 20], onGround: false }]
`;
    const text = `${scenario(grounds.hills, 'cover: 0.9, material: thin')}${leaf}`;
    const file = join(folder, 'l.yaml');
    writeFileSync(file, text.replace('name: leaf,', 'name: litter,'));
    const box = ['--box', '-10,-10,-40,10,10,60', '--rays', '18000', '--voxel', '5'];
    const outs = ['--voxels-out', 'v.csv', '--plot-out', 'plot.json'];
    const reply = await printedJson<TruthReplies['scenario.truth']>(
      folder,
      ...['scenario', 'truth', file, ...box, ...outs],
    );
    expect(reply.plants).toBe(1);
    expect(reply.leafAreaM2).toBeCloseTo(16, 5);
    expect(reply.voxels?.leafAreaM2).toBeCloseTo(16, 5);
    expect(reply.plot?.leafAreaIndex).toBeCloseTo(16 / 400, 5);
    // 2000 rays near the zenith, of which the leaf stops 4 %.
    expect(reply.plot?.zeniths[0]?.gapFraction).toBeGreaterThan(0.9);
  });
});
