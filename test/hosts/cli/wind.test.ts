// Wind by the command line: scans of what sways and of what does not, the sample scenarios, and renders.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { ran } from '#test/support/commandLine.ts';
import { placed, scenario, sensor } from '#test/support/documents.ts';
import { readNpy } from '#test/recordings/readNpy.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { scanned } from '#test/support/scan.ts';

/** Before the sensor, 6 m up, a sheet of 8 m that sways. */
const scene = {
  models: {
    sheet: { kind: 'box', sizeM: [0.001, 2, 8], material: 'grey', sways: true },
  },
  instances: [placed('sheet', [5.0005, 0, 4])],
} satisfies Partial<SceneInput>;
const columns = 'time_ns,true_range_m,is_moving,velocity_x_m_per_s,radial_velocity_m_per_s';

it('a scan meets a swaying sheet at its distance and speed; a wind of 0 moves nothing', async () => {
  const rowsIn = async (speedMPerS: number): Promise<Record<string, number>[]> => {
    const text = scenario({ ...scene, wind: { speedMPerS } });
    const shot = { scene: text, sensor: sensor(), pose: [0, 0, 6, 0], seconds: 3, columns };
    return (await scanned(shot)).rows;
  };
  const rows = await rowsIn(10);
  expect(rows).toHaveLength(30);
  const ranges = rows.map((row) => row['true_range_m'] ?? NaN);
  // Three quarters of the height: (3/4)^2.5 of 0.1 m, by half of it to and fro.
  const share = 0.75 ** 2.5;
  expect(Math.min(...ranges)).toBeCloseTo(5 + 0.05 * share, 3);
  expect(Math.max(...ranges)).toBeCloseTo(5 + 0.15 * share, 3);
  const perS = (2 * Math.PI * 2.1) / Math.sqrt(8);
  for (const row of rows) {
    expect(row['is_moving']).toBe(1);
    const offM = ((row['true_range_m'] ?? NaN) - 5) / share - 0.1;
    const speed = (row['velocity_x_m_per_s'] ?? NaN) / share / perS;
    expect(Math.hypot(offM, speed)).toBeCloseTo(0.05, 5);
    expect(row['radial_velocity_m_per_s']).toBeCloseTo(row['velocity_x_m_per_s'] ?? NaN, 6);
  }
  for (const row of await rowsIn(0)) {
    expect(row).toMatchObject({ is_moving: 0, velocity_x_m_per_s: 0, radial_velocity_m_per_s: 0 });
    expect(row['true_range_m']).toBeCloseTo(5, 6);
  }
});

it('a sample scenario sways by one setting, and is drawn', async () => {
  const folder = temporaryFolder();
  const scanOf = async (name: string, ...settings: string[]): Promise<string> => {
    const sets = settings.flatMap((setting) => ['--set', setting]);
    const order = ['--sensor=vlp-16', '--pose=0,0,2,0', '--seconds=0.1', '--threads=2'];
    await ran(
      folder,
      'scan',
      'clearing',
      ...order,
      ...sets,
      `--columns=${columns}`,
      `--out=${name}`,
    );
    return readFileSync(join(folder, name), 'utf8');
  };
  const still = await scanOf('still.csv');
  const swaying = await scanOf('swaying.csv', 'scene.wind.speedMPerS=8');
  const movingOf = (text: string): number =>
    text.split('\n').filter((line) => line.split(',')[2] === '1').length;
  expect(movingOf(still)).toBe(0);
  expect(movingOf(swaying)).toBeGreaterThan(500);
  expect(await scanOf('calm.csv', 'scene.wind.speedMPerS=0')).toBe(still);
  const view = [
    '--camera=0,-20,5,90,-5',
    '--size=64x48',
    '--samples=1',
    '--set=scene.wind.speedMPerS=8',
    '--out=swaying.png',
  ];
  await ran(folder, 'render', 'clearing', ...view);
  expect(existsSync(join(folder, 'swaying.png'))).toBe(true);
});

it('a depth map shows plants as the mean wind bends them, at any time', async () => {
  const text = scenario({ ...scene, wind: { speedMPerS: 10 } });
  const folder = temporaryFolder({ 'scene.yaml': text });
  for (const timeS of [0, 0.7]) {
    const out = join(folder, `depth-${timeS}.npy`);
    const view = ['--pose=0,0,6,0,0', '--size=5x1', '--fov-deg=2', `--at-time=${timeS}`];
    await ran(folder, 'depth', join(folder, 'scene.yaml'), ...view, `--out=${out}`);
    // Every column is of the same time.
    for (const depth of readNpy(readFileSync(out)).values) {
      expect(depth).toBeCloseTo(5 + 0.1 * 0.75 ** 2.5, 4);
    }
  }
});
