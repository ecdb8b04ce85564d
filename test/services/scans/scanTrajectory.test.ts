// Scans along a trajectory: every pulse has the pose of its own time; what cannot be scanned is refused first.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rotate, rotationFromDegrees, slerped } from '#domain/shared/pose.ts';
import { sceneServices } from '../scenes/openScene.ts';

const services = sceneServices();
let folder = '';
let tum = '';

/** 0.2 s: 2 m along x, 1 m up, yaw 0 to 40°, roll 10 to −20°. */
const [from, to] = [
  { positionM: [0, 0, 1] as [number, number, number], rotation: rotationFromDegrees(0, 5, 10) },
  { positionM: [2, 0.5, 2] as [number, number, number], rotation: rotationFromDegrees(40, 0, -20) },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understory-trajectory-'));
  tum = join(folder, 'path.tum');
  const lines = [from, to].map(({ positionM, rotation }, pose) =>
    [1763798400.25 + 0.2 * pose, ...positionM, ...rotation].join(' '),
  );
  await writeFile(tum, lines.join('\n'));
});
afterAll(async () => {
  await services.closeAll();
  await rm(folder, { recursive: true });
});

const columns = ['time_ns', 'x_m', 'y_m', 'z_m', 'x_sensor_m', 'y_sensor_m', 'z_sensor_m'] as const;

it('gives each pulse the pose of its own time, turning evenly between two poses', async () => {
  const { reply, chunks } = await services.ask('scan.start', {
    scenario: 'box',
    sensor: 'vlp-16-goodin2018',
    trajectory: { file: tum },
    columns: [...columns],
  });
  expect(reply.returns).toBeGreaterThan(10_000);
  let compared = 0;
  for (const { columns: table } of chunks) {
    const at = (name: (typeof columns)[number], row: number): number => Number(table[name]?.[row]);
    for (let row = 0; row < (table['time_ns']?.length ?? 0); row += 97) {
      // 1763798400.25 counts from its whole second.
      const share = (at('time_ns', row) - 0.25e9) / 0.2e9;
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThan(1);
      const pose = slerped(from, to, share);
      const inSensor = [
        at('x_sensor_m', row),
        at('y_sensor_m', row),
        at('z_sensor_m', row),
      ] as const;
      const [x, y, z] = rotate(pose.rotation, [...inSensor]);
      const [px, py, pz] = pose.positionM;
      // Columns are single precision: 2^-24 of some ten metres, three roundings.
      expect(at('x_m', row)).toBeCloseTo(px + x, 5);
      expect(at('y_m', row)).toBeCloseTo(py + y, 5);
      expect(at('z_m', row)).toBeCloseTo(pz + z, 5);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(100);
});

const order = { scenario: 'box', sensor: 'vlp-16', seconds: 0.05 };

it.each([
  ['a start before the first pose', { fromS: 0.1 }, 'fromS', /from 0\.25 s to 0\.45 s/],
  ['an end after the last pose', { fromS: 0.3, seconds: 1 }, 'seconds', /found 1\.3 s/],
])('refuses %s', async (_, interval, path, message) => {
  await expect(
    services.ask('scan.start', { ...order, ...interval, trajectory: { file: tum } }),
  ).rejects.toMatchObject({
    code: 'bad-input',
    details: { problems: [{ path, message: expect.stringMatching(message) as string }] },
  });
});

it('reports a file that is missing, and the line of a wrong one', async () => {
  const wrong = join(folder, 'wrong.csv');
  await writeFile(wrong, 'time_s,x_m,y_m,z_m,yaw_deg\n0,0,0,0,0\n0,1,0,0,0\n');
  const problemsOf = (file: string): Promise<unknown> =>
    services.ask('scan.start', { ...order, trajectory: { file } }).then(
      () => [],
      (error: { details?: { problems?: unknown } }) => error.details?.problems,
    );
  expect(await problemsOf(join(folder, 'none.tum'))).toMatchObject([{ path: 'trajectory.file' }]);
  expect(await problemsOf(wrong)).toMatchObject([
    { code: 'equal-times', message: expect.stringContaining('wrong.csv: line 3: ') as string },
  ]);
});

it.each([
  ['a gap', ['0 0 0 1 0 0 0 1', '3 0 0 1 0 0 0 1'], 'gap', /line 2: .* found a gap of 3 s/],
  ['times that fall', ['1 0 0 1 0 0 0 1', '0 0 0 1 0 0 0 1'], 'decreasing-times', /line 2: /],
  ['a quaternion of length 2', ['0 0 0 1 0 0 0 2'], 'not-a-rotation', /line 1: .* unit quaternion/],
  ['words', ['0 0 east 1 0 0 0 1'], 'not-a-number', /line 1: expected numbers only/],
  ['one pose', ['0 0 0 1 0 0 0 1'], 'custom', /expected poses that cover some time/],
  ['poses far away', ['0 0 0 1 0 0 0 1', '1 2e4 0 1 0 0 0 1'], 'too-far', /at 1 s: .* 20\.000 km/],
])('reports %s as one problem', async (_, lines, code, message) => {
  const wrong = join(folder, 'wrong.tum');
  await writeFile(wrong, lines.join('\n'));
  const whole = { scenario: 'box', sensor: 'vlp-16' };
  await expect(
    services.ask('scan.start', { ...whole, trajectory: { file: wrong } }),
  ).rejects.toMatchObject({
    code: 'bad-input',
    details: {
      problems: [
        { path: 'trajectory.file', code, message: expect.stringMatching(message) as string },
      ],
    },
  });
});

it('states the instants of poses since 1970 in a LAS file', async () => {
  const out = join(folder, 'cloud.las');
  await services.ask('scan.start', {
    scenario: 'box',
    sensor: 'vlp-16-goodin2018',
    trajectory: { file: tum },
    out,
  });
  const bytes = await readFile(out);
  expect(bytes.readUInt16LE(6) & 1).toBe(1);
  // The first pose is at 1763798400.25, and 18 leap seconds are between UTC and GPS time.
  const firstS = 1_763_798_400.25 - 315_964_800 + 18 - 1e9;
  const timeS = bytes.readDoubleLE(bytes.readUInt32LE(96) + 22);
  expect(timeS).toBeGreaterThanOrEqual(firstS - 1e-6);
  expect(timeS).toBeLessThan(firstS + 0.01);
});

it('takes a pose or a trajectory, not both', async () => {
  const pose = { positionM: [0, 0, 1] as [number, number, number], yawDeg: 0 };
  await expect(
    services.ask('scan.start', { ...order, pose, trajectory: { file: tum } }),
  ).rejects.toMatchObject({ code: 'bad-input' });
  await expect(services.ask('scan.start', order)).rejects.toMatchObject({ code: 'bad-input' });
});
