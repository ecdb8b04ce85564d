// Embree's coherent traversal lost rays of packets with a component of the direction that is negative and almost 0:
// of a beam of 1000 rays on a sphere two went through its middle, one of them 9e-19 below the level.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const scene = `
understory: 2
name: A sphere
scene:
  materials: { grey: { reflectance: 0.5 } }
  models:
    ball: { kind: sphere, radiusM: 1.2, rings: 9, material: grey }
  instances:
    - { name: ball, model: ball, positionM: [8, -0.2, 0.1], onGround: false }
`;

const sensor = `
understorySensor: 3
id: wide
name: A wide beam
source: none
scan: { kind: sweep, rateHz: 10, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 1 }
banks: [{ name: laser, elevationsDeg: [0] }]
range: { minM: 0, maxM: 1000 }
beam:
  shape: circular
  divergenceHorizontalMrad: 400
  divergenceVerticalMrad: 400
  stencil: rays
  rays: { count: 1000 }
returns: { mode: first, signalCutoffM: 100 }
`;

/** Rays that pass 1 m ahead within this of the way to the sphere's middle cannot miss it. */
const withinM = 0.1;

it('no ray of a beam goes through a sphere', async () => {
  const folder = temporaryFolder();
  const ball = join(folder, 'ball.understory.yaml');
  const wide = join(folder, 'wide.yaml');
  writeFileSync(ball, scene);
  writeFileSync(wide, sensor);
  const { exitCode, stderr } = await runHere(
    folder,
    ...['scan', ball, '--sensor', wide, '--pose', '0,0,0,0', '--seconds', '0.1'],
    ...['--out', 'out.csv', '--rays', 'rays.csv', '--misses'],
  );
  expect(exitCode, stderr).toBe(0);
  const [head, ...lines] = readFileSync(join(folder, 'rays.csv'), 'utf8').trimEnd().split('\n');
  const names = head?.split(',') ?? [];
  const rays = lines.map((line) => {
    const cells = line.split(',');
    const cell = (name: string): number => parseFloat(cells[names.indexOf(name)] ?? '');
    const [left, up] = [cell('left_m'), cell('up_m')];
    return { offM: Math.hypot(left + 0.2 / 8, up - 0.1 / 8), rangeM: cell('range_m') };
  });
  expect(rays).toHaveLength(1000);
  const central = rays.filter(({ offM }) => offM < withinM);
  expect(central.length).toBeGreaterThan(200);
  expect(central.filter(({ rangeM }) => !(rangeM < 8))).toEqual([]);
});
