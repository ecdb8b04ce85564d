// A sensor exactly on a surface was shut in by it: pulses that left the ground upwards met it at range 0, and with a
// minimum range yielded nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

// Ground at z = 0, a ceiling at z = 5; walls through the sensor's place.
const scene = (gapFraction: number): string => `
understory: 2
name: Ground and ceiling
scene:
  materials: { white: { reflectance: 0.5${gapFraction > 0 ? `, transmittance: ${gapFraction}` : ''} } }
  models: { sheet: { kind: plane, sizeM: [100, 100], material: white } }
  instances: [{ name: ceiling, model: sheet, positionM: [0, 0, 5], onGround: false }]
  ground: { kind: plane, sizeM: [100, 100], material: white }
`;

const sensor = (minM: number, rays: string, mode: string): string => `
understorySensor: 3
id: one
name: One
source: none
scan: { kind: image, rateHz: 10, columns: 4, rows: 4, horizontalFovDeg: 40 }
range: { minM: ${minM}, maxM: 100 }
beam: { shape: circular, divergenceHorizontalMrad: 3, divergenceVerticalMrad: 3${rays} }
returns: { mode: ${mode}, signalCutoffM: 0.1 }
`;

it.each([
  ['on the fast path', 0, '', 'strongest', 0],
  ['with a minimum range', 0.5, '', 'strongest', 0],
  ['ray by ray', 0.5, ', stencil: rays, rays: { count: 4 }', 'first', 0],
  ['between sheets that let light through', 0, '', 'strongest', 0.5],
])('a sensor on the ground looks up: %s', async (_, minM, rays, mode, gapFraction) => {
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  writeFileSync(file('scene.yaml'), scene(gapFraction));
  writeFileSync(file('one.yaml'), sensor(minM, rays, mode));
  const { exitCode } = await runHere(
    folder,
    ...['scan', file('scene.yaml'), '--sensor', file('one.yaml'), '--pose', '3,4,0,20,-90'],
    ...['--seconds', '0.1', '--columns', 'elevation_rad,true_range_m', '--out', file('out.csv')],
  );
  expect(exitCode).toBe(0);
  const [, ...lines] = readFileSync(file('out.csv'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(16);
  // Straight up is 5 m, 20° and 20° off it 5 / cos² 20° = 5.66 m.
  for (const line of lines) {
    const range = Number(line.split(',')[1]);
    expect(range).toBeGreaterThan(5);
    expect(range).toBeLessThan(5.7);
  }
});

// A face that is turned, far from the origin: its corners and the sensor's place are rounded apart, and a ray at a small
// angle to it met it some centimetres away.
it.each([
  ['strongest', ''],
  ['first', ', stencil: rays, rays: { count: 4 }'],
])('a sensor on a turned face 1 km from the origin sees out of it: %s', async (mode, rays) => {
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  const [yawDeg, place] = [201, [612.3, -731.9, 12.2]];
  const yawRad = (yawDeg * Math.PI) / 180;
  const ahead = [Math.cos(yawRad), Math.sin(yawRad), 0];
  const middle = place.map((coordinate, axis) => coordinate - (ahead[axis] ?? 0));
  writeFileSync(
    file('scene.yaml'),
    `
understory: 2
name: Turned box
scene:
  materials: { white: { reflectance: 0.5 } }
  models: { box: { kind: box, sizeM: [2, 2, 2], material: white } }
  instances:
    - { name: box, model: box, positionM: [${middle.join(', ')}], yawDeg: ${yawDeg}, onGround: false }
    - { name: wall, model: box, positionM: [0, 0, 0], onGround: false }
  ground: { kind: plane, sizeM: [10, 10], material: white }
`,
  );
  const image = sensor(0, rays, mode).replace(
    /columns.*40/,
    'columns: 60, rows: 40, horizontalFovDeg: 170',
  );
  writeFileSync(file('one.yaml'), image);
  const { exitCode } = await runHere(
    folder,
    ...['scan', file('scene.yaml'), '--sensor', file('one.yaml')],
    ...['--pose', [...place, yawDeg].join(','), '--seconds', '0.1'],
    ...['--columns', 'true_range_m', '--out', file('out.csv')],
  );
  expect(exitCode).toBe(0);
  const [, ...lines] = readFileSync(file('out.csv'), 'utf8').trimEnd().split('\n');
  expect(lines.filter((line) => Number(line) < 5)).toEqual([]);
});
