// Commands in a scene at UTM coordinates: what they take and what they write is in the world, to 0.1 mm.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';

type Origin = readonly [number, number, number];
const utm: Origin = [500_000, 5_400_000, 300];
const zero: Origin = [0, 0, 0];

/** The same scene about any origin, with a mission from (−8, 2) to (12, −6). */
function scenario([x, y, z]: Origin): string {
  return `
understory: 2
name: far
scene:
  origin: [${x}, ${y}, ${z}]
  crs: EPSG:25832
  materials: { grey: { reflectance: 0.5 } }
  models: {}
  ground: { kind: plane, sizeM: [80, 80], centreM: [${x}, ${y}], zM: ${z}, material: grey }
  walls: [{ name: wall, fromM: [${x + 20}, ${y - 20}], toM: [${x + 20}, ${y + 20}], heightM: 6, thicknessM: 0.25, material: grey }]
sensors: [{ name: rig, sensor: rig.yaml, mount: { positionM: [0.5, 0, 2] } }]
mission: { startM: [${x - 8}, ${y + 2}], goalM: [${x + 12}, ${y - 6}] }
`;
}

const sensor = `
understorySensor: 3
id: rig
name: Three beams
source: none
scan: { kind: spinning, rateHz: 10, slotsPerRevolution: 360 }
banks: [{ name: beams, elevationsDeg: [-20, -5, 10] }]
range: { minM: 0, maxM: 100 }
beam: { shape: circular, divergenceHorizontalMrad: 0, divergenceVerticalMrad: 0, stencil: rays, rays: { count: 1 } }
returns: { mode: strongest, signalCutoffM: 0 }
`;

const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);
beforeAll(() => {
  writeFileSync(file('rig.yaml'), sensor);
  writeFileSync(file('far.yaml'), scenario(utm));
  writeFileSync(file('near.yaml'), scenario(zero));
});

/** Numbers of the lines that are no comments. */
function numbersOf(name: string): number[][] {
  const lines = readFileSync(file(name), 'utf8').trimEnd().split('\n');
  return lines.filter((line) => /^[\d-]/.test(line)).map((line) => line.split(/[ ,]/).map(Number));
}

/** Poses of vehicle and sensor of a drive of 0.5 s, each 20 ms: time, x, y, z and rotation. */
async function driven(...args: string[]): Promise<number[][]> {
  await ran(folder, 'drive', ...args, '--seconds', '0.5', '--quiet');
  const [run] = await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet');
  const objects = ['--objects', 'vehicle,rig', '--from', '0', '--step', '0.02'];
  await ran(folder, 'poses', run?.id ?? '', ...objects, '--out', 'poses.tum', '--force');
  return numbersOf('poses.tum');
}

/** Farthest apart of the poses of two lists, the second taken relative to `originM`. */
function apartM(near: number[][], far: number[][], originM: Origin): number {
  expect(far).toHaveLength(near.length);
  return Math.max(
    ...far.map(([, ...pose], row) => {
      const beside = near[row] ?? [];
      const places = [0, 1, 2].map((axis) => {
        return (pose[axis] ?? NaN) - (originM[axis] ?? NaN) - (beside[axis + 1] ?? NaN);
      });
      return Math.hypot(...places);
    }),
  );
}

describe('a drive at UTM coordinates', () => {
  it('goes as one at zero, from --start and from --set alike', { timeout: 300_000 }, async () => {
    const near = await driven(file('near.yaml'), '--start', '-7.25,2.5');
    expect(near[0]?.slice(0, 3)).toEqual([0, -7.25, 2.5]);
    const far = await driven(file('far.yaml'), '--start', '499992.75,5400002.5');
    expect(far[0]?.slice(0, 3)).toEqual([0, 499_992.75, 5_400_002.5]);
    expect(near.length).toBe(2 * 26);
    expect(apartM(near, far, utm)).toBeLessThan(1e-4);
    const set = await driven(file('far.yaml'), '--set', 'mission.startM=[499992.75, 5400002.5]');
    expect(set).toEqual(far);
  });

  it('has beams from where its sensor was', { timeout: 300_000 }, async () => {
    const poses = (await driven(file('far.yaml'))).slice(26);
    const [run] = await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet');
    const columns = ['--columns', 'time_ns,beam_origin_x_m,beam_origin_y_m,beam_origin_z_m'];
    await ran(
      folder,
      'runs',
      'export',
      run?.id ?? '',
      '--format',
      'csv',
      ...columns,
      '--out',
      'beams.csv',
    );
    let compared = 0;
    for (const [timeNs = NaN, ...originM] of numbersOf('beams.csv')) {
      const pose = poses.find(([timeS = NaN]) => Math.abs(timeS * 1e9 - timeNs) < 1);
      if (pose === undefined) continue;
      compared += 1;
      for (const [axis, m] of originM.entries()) {
        expect(Math.abs(m - (pose[axis + 1] ?? NaN))).toBeLessThan(1e-4);
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('starts no more than 10 km from the origin', async () => {
    const args = ['drive', file('far.yaml'), '--start', '0,0', '--seconds', '0.1'];
    const { exitCode, stderr } = await runHere(folder, ...args);
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(stderr).toContain(
      'expected a place within 10 km of scene.origin (500000, 5400000, 300)',
    );
  });
});

it('scan takes and gives poses of the world', async () => {
  const poses = [0, 0.05, 0.1].map((timeS) => {
    return [timeS, 500_001.2345 + timeS, 5_400_002.3456, 302.4567, 0, 0, 0, 1];
  });
  writeFileSync(file('path.tum'), poses.map((pose) => pose.join(' ')).join('\n'));
  const args = [
    '--sensor',
    file('rig.yaml'),
    '--trajectory',
    file('path.tum'),
    '--poses-out',
    'fired.tum',
  ];
  await ran(folder, 'scan', file('far.yaml'), ...args, '--out', 'path.csv');
  const fired = numbersOf('fired.tum');
  expect(fired).toHaveLength(360);
  for (const [timeS = NaN, x = NaN, y = NaN, z = NaN] of fired) {
    expect(Math.abs(x - 500_001.2345 - timeS)).toBeLessThan(1e-4);
    expect(Math.abs(y - 5_400_002.3456)).toBeLessThan(1e-4);
    expect(Math.abs(z - 302.4567)).toBeLessThan(1e-4);
  }
});

it('refuses points that a LAS file cannot reach, in one sentence and without a file', async () => {
  const scan = [
    'scan',
    file('far.yaml'),
    '--sensor',
    file('rig.yaml'),
    '--pose',
    '500000,5400000,302,0',
  ];
  const far = ['--misses', '--set', 'sensor.range.maxM=300000', '--seconds', '0.1'];
  const { exitCode, stderr } = await runHere(folder, ...scan, ...far, '--out', 'far.las');
  expect(exitCode).toBe(exitCodeOfCode('bad-input'));
  expect(stderr).toMatch(
    /out: expected points within 214\.748 km of the origin of the scene .* found one \d{3}\.\d{3} km away/,
  );
  expect(existsSync(file('far.las'))).toBe(false);
});

it('checks settings of the georeference like the file', async () => {
  const scan = [
    'scan',
    file('far.yaml'),
    '--sensor',
    file('rig.yaml'),
    '--pose',
    '500000,5400000,302,0',
  ];
  const refusal = async (setting: string): Promise<string> => {
    const args = ['--seconds', '0.01', '--set', setting, '--out', 'set.csv'];
    const { exitCode, stderr } = await runHere(folder, ...scan, ...args);
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    return stderr;
  };
  expect(await refusal('scene.crs=EPSG:1')).toContain('scene.crs: expected the EPSG code of a');
  expect(await refusal('scene.origin=[0, 0, 0]')).toContain(
    'within 10 km of scene.origin (0, 0, 0)',
  );
});
