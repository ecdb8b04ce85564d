// Surveys of a scenario with the real worker: legs, mounts, errors of the navigation, files beside the returns.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { beamColumns, type ReturnColumnName } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import { radians } from '#domain/shared/numbers.ts';
import { compose, rotate, rotationFromDegrees } from '#domain/shared/pose.ts';
import { withPoseNoise } from '#domain/trajectory/poseNoise.ts';
import { trajectoryOf, trajectoryPoseAt } from '#domain/trajectory/trajectory.ts';
import { folder, rowsOf, scenario, services, strips, written } from './surveyScenario.ts';

describe('a flight of two strips', () => {
  it('scans from where the sensor is mounted on what flies, leg by leg', async () => {
    const file = await written('strips.yaml', scenario(strips));
    const { columns, legs, reply } = await rowsOf({ scenario: file }, [
      ...(['time_ns', 'x_m', 'y_m', 'z_m', 'x_sensor_m', 'y_sensor_m', 'z_sensor_m'] as const),
    ]);
    expect(reply.legs).toMatchObject([
      { leg: 1, name: 'strip-1' },
      { leg: 2, name: 'back' },
    ]);
    const mount = {
      positionM: [0.3, -0.2, 0.1] as [number, number, number],
      rotation: rotationFromDegrees(5, 0, 90),
    };
    const at = (name: string, row: number): number => columns[name]?.[row] ?? NaN;
    expect(legs.length).toBeGreaterThan(5000);
    for (let row = 0; row < legs.length; row += 101) {
      const seconds = at('time_ns', row) / 1e9;
      const isBack = seconds >= 0.1;
      expect(legs[row]).toBe(isBack ? 2 : 1);
      const x = isBack ? 5 - 100 * (seconds - 0.1) : -5 + 100 * seconds;
      const pose = compose(
        {
          positionM: [x, isBack ? 10 : 0, 40],
          rotation: rotationFromDegrees(isBack ? 180 : 0, 0, 0),
        },
        mount,
      );
      const inSensor = rotate(pose.rotation, [
        at('x_sensor_m', row),
        at('y_sensor_m', row),
        at('z_sensor_m', row),
      ]);
      // Single precision of some 50 m: 2^-24 of 64 m is 4 µm, three roundings.
      for (const [axis, name] of ['x_m', 'y_m', 'z_m'].entries()) {
        const expected = (pose.positionM[axis] ?? 0) + (inSensor[axis] ?? 0);
        expect(Math.abs(at(name, row) - expected)).toBeLessThan(2e-5);
      }
    }
  });

  it('writes the number of the leg as LAS point source and as a column', async () => {
    const file = await written('strips.yaml', scenario(strips));
    const las = path.join(folder, 'strips.las');
    const csv = path.join(folder, 'strips.csv');
    const columns: ReturnColumnName[] = ['time_ns', 'x_m', 'y_m', 'z_m'];
    await services.ask('scan.start', { scenario: file, out: las, columns });
    await services.ask('scan.start', { scenario: file, out: csv, columns });
    const [header, ...lines] = (await readFile(csv, 'utf8')).trimEnd().split('\n');
    expect(header).toBe('time_ns,x_m,y_m,z_m,leg');
    const bytes = await readFile(las);
    const [start, stride] = [bytes.readUInt32LE(96), bytes.readUInt16LE(105)];
    expect(Number(bytes.readBigUInt64LE(247))).toBe(lines.length);
    for (let row = 0; row < lines.length; row += 97) {
      const [timeNs = '', , , , leg] = lines[row]?.split(',') ?? [];
      expect(leg).toBe(Number(timeNs) < 0.1e9 ? '1' : '2');
      expect(bytes.readUInt16LE(start + row * stride + 20)).toBe(Number(leg));
    }
    expect(bytes.includes('point source 2: back')).toBe(true);
  });
});

it('gives LAS points the scan angle about the track, however the sensor is mounted', async () => {
  const columns: ReturnColumnName[] = ['time_ns', 'x_m', 'y_m', 'z_m', ...beamColumns];
  for (const rollDeg of [90, -90, 60]) {
    const text = scenario(strips).replace('"rollDeg":90', `"rollDeg":${rollDeg}`);
    const las = path.join(folder, `roll-${rollDeg}.las`);
    const file = await written(`roll-${rollDeg}.yaml`, text);
    await services.ask('scan.start', { scenario: file, out: las, columns });
    const bytes = await readFile(las);
    const [start, stride] = [bytes.readUInt32LE(96), bytes.readUInt16LE(105)];
    const points = Number(bytes.readBigUInt64LE(247));
    expect(points).toBeGreaterThan(100);
    for (let row = 0; row < points; row += 7) {
      const at = start + row * stride;
      const [y = 0, z = 0] = [1, 2].map((axis) => bytes.readInt32LE(at + 4 * axis) * 1e-4);
      // Eastwards along y = 0, right is the south; westwards along y = 10, it is the north.
      const rightM = bytes.readUInt16LE(at + 20) === 1 ? -y : y - 10;
      const expectedDeg = (Math.atan2(rightM, 40 - z) * 180) / Math.PI;
      // The lever arm of 0.4 m at most, seen from 38 m.
      expect(Math.abs(bytes.readInt16LE(at + 18) * 0.006 - expectedDeg)).toBeLessThan(0.7);
    }
  }
});

describe('errors of the navigation', () => {
  const noise = {
    position: { sigmaM: 0.2, correlationS: 0.02 },
    attitude: { sigmaDeg: 0.2, correlationS: 0.02 },
  };
  const columns = [
    ...(['time_ns', 'pulse', 'range_m', 'x_m', 'y_m', 'z_m'] as const),
    ...(['x_sensor_m', 'y_sensor_m', 'z_sensor_m', 'hit_x_m', 'hit_y_m', 'hit_z_m'] as const),
  ];
  const axes = ['x', 'y', 'z'] as const;

  /** The sensor's reported pose in the first strip, from the errors alone. */
  function reportedPose(timeNs: number): Pose {
    const rotation = rotationFromDegrees(0, 0, 0);
    const ends: Pose[] = [
      { positionM: [-5, 0, 40], rotation },
      { positionM: [5, 0, 40], rotation },
    ];
    const leg = { name: '', fromNs: 0, toNs: 0.1e9, trajectory: trajectoryOf([0, 0.1e9], ends) };
    const [position, attitude] = [noise.position, noise.attitude];
    const { time_ns: times, reported = new Float64Array() } = withPoseNoise(
      leg,
      {
        position: { sigma: position.sigmaM, correlationS: position.correlationS },
        attitude: { sigma: radians(attitude.sigmaDeg), correlationS: attitude.correlationS },
      },
      5,
      0,
    );
    const poses = Array.from({ length: times.length }, (_, row): Pose => {
      const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = reported.subarray(7 * row);
      return { positionM: [x, y, z], rotation: [qx, qy, qz, qw] };
    });
    return trajectoryPoseAt(trajectoryOf(Array.from(times, Number), poses), timeNs);
  }

  it.each([
    ['the fast path', 'vlp-16'],
    ['whole paths', 'full-waveform'],
  ])('move reported points, not what pulses meet, on %s', async (_, sensor) => {
    const still = await written('still.yaml', scenario(strips, sensor));
    const noisy = await written('noisy.yaml', scenario({ ...strips, noise }, sensor));
    const exact = await rowsOf({ scenario: still, toS: 0.03 }, columns);
    const moved = await rowsOf({ scenario: noisy, toS: 0.03 }, columns);
    const at = (name: string, row: number): number => moved.columns[name]?.[row] ?? NaN;
    const before = (name: string, row: number): number => exact.columns[name]?.[row] ?? NaN;
    // Same beams and same noise of ranges: pulse by pulse the same ranges and hits.
    expect(moved.columns['pulse']).toEqual(exact.columns['pulse']);
    const rows = moved.legs.length;
    expect(rows).toBeGreaterThan(100);
    let farthestM = 0;
    for (let row = 0; row < rows; row += 7) {
      expect(at('range_m', row)).toBe(before('range_m', row));
      const pose = compose(reportedPose(at('time_ns', row)), {
        positionM: [0.3, -0.2, 0.1],
        rotation: rotationFromDegrees(5, 0, 90),
      });
      const [x, y, z] = axes.map((axis) => at(`${axis}_sensor_m`, row));
      const turned = rotate(pose.rotation, [x ?? 0, y ?? 0, z ?? 0]);
      for (const [index, axis] of axes.entries()) {
        // Hits are seen from the reported origin in single precision of some 60 m.
        expect(Math.abs(at(`hit_${axis}_m`, row) - before(`hit_${axis}_m`, row))).toBeLessThan(
          1e-4,
        );
        const expected = (pose.positionM[index] ?? 0) + (turned[index] ?? 0);
        expect(Math.abs(at(`${axis}_m`, row) - expected)).toBeLessThan(2e-5);
        farthestM = Math.max(farthestM, Math.abs(at(`${axis}_m`, row) - before(`${axis}_m`, row)));
      }
    }
    expect(farthestM).toBeGreaterThan(0.02);
  });
});

describe('tripod positions', () => {
  const positions = {
    kind: 'positions',
    seconds: 0.1,
    positions: [-8, -4, 4, 8, 12].map((x) => ({ positionM: [x, 3, 1.5] })),
  };

  it('gives every pulse a row with misses, from the position of its leg', async () => {
    const file = await written('tripods.yaml', scenario(positions));
    const request = { scenario: file, sensor: 'vlp-16', misses: true };
    const { columns, legs, reply } = await rowsOf(request, ['return_no', 'z_m', 'z_sensor_m']);
    expect(reply.legs).toHaveLength(5);
    expect(legs.length).toBe(reply.pulses);
    expect(new Set(legs)).toEqual(new Set([1, 2, 3, 4, 5]));
    const misses = (columns['return_no'] ?? []).filter((number) => number === 0).length;
    expect(misses).toBeGreaterThan(legs.length / 3);
    for (let row = 0; row < legs.length; row += 211) {
      if (columns['return_no']?.[row] === 0) continue;
      const difference = (columns['z_m']?.[row] ?? 0) - (columns['z_sensor_m']?.[row] ?? 0);
      expect(difference).toBeCloseTo(1.5, 5);
    }
  });
});

it('writes two contents into no file', async () => {
  const file = await written('two.yaml', scenario(strips));
  const out = path.join(folder, 'two.csv');
  const start = (files: Partial<RequestInputOf<'scan.start'>>): Promise<unknown> =>
    services.ask('scan.start', { scenario: file, out, isReplacing: true, ...files });
  const messageAt = (problem: string, message: string): object => ({
    details: {
      problems: [{ path: problem, message: expect.stringContaining(message) as unknown }],
    },
  });
  await expect(start({ posesOut: out })).rejects.toMatchObject(
    messageAt('posesOut', 'the returns'),
  );
  await expect(start({ rays: `${out}.objects.csv` })).rejects.toMatchObject(
    messageAt('rays', 'their objects'),
  );
  const poses = path.join(folder, 'poses.csv');
  await expect(start({ posesOut: poses, rays: poses })).rejects.toMatchObject(
    messageAt('rays', 'the poses'),
  );
  expect(existsSync(out)).toBe(false);
});

it('leaves no file where one of several exists already', async () => {
  const file = await written('several.yaml', scenario(strips));
  const out = path.join(folder, 'several.csv');
  const rays = await written('mine.csv', 'mine');
  await expect(services.ask('scan.start', { scenario: file, out, rays })).rejects.toMatchObject({
    code: 'bad-input',
    details: { reason: 'exists', file: rays },
  });
  expect(existsSync(out)).toBe(false);
  expect(await readFile(rays, 'utf8')).toBe('mine');
});

it('returns the poses of its pulses, along which a scan meets the same', async () => {
  const file = await written('strips.yaml', scenario({ ...strips, strips: [strips.strips[0]] }));
  for (const name of ['poses.tum', 'poses.csv']) {
    const posesOut = path.join(folder, name);
    const columns = ['pulse', 'x_m', 'y_m', 'z_m'] as const;
    const first = await rowsOf({ scenario: file, posesOut, toS: 0.02 }, columns);
    const again = await rowsOf(
      { scenario: file, sensor: 'vlp-16', trajectory: { file: posesOut } },
      columns,
    );
    const rows = again.columns['pulse']?.length ?? 0;
    expect(rows).toBeGreaterThan(1000);
    // The last pose ends the scan: its own pulses are not in it.
    expect(first.columns['pulse']?.slice(0, rows)).toEqual(again.columns['pulse']);
    for (const axis of ['x_m', 'y_m', 'z_m']) {
      const worst = (again.columns[axis] ?? []).reduce((most, value, row) => {
        return Math.max(most, Math.abs(value - (first.columns[axis]?.[row] ?? NaN)));
      }, 0);
      expect(worst).toBeLessThan(2e-5);
    }
  }
});

describe('bad input', () => {
  const problemsOf = async (survey: unknown, more = {}): Promise<unknown> => {
    const file = await written('bad.yaml', scenario(survey));
    return services.ask('scan.start', { scenario: file, ...more }).then(
      () => [],
      (error: { details?: { problems?: unknown } }) => error.details?.problems,
    );
  };
  const trajectory = { kind: 'trajectory', sensor: 'lidar', file: 'bad.tum' };

  it.each([
    ['a gap', ['0 0 0 1 0 0 0 1', '9 0 0 1 0 0 0 1'], /bad\.tum: line 2: .*found a gap of 9 s/],
    ['equal times', ['0 0 0 1 0 0 0 1', '0 0 0 1 0 0 0 1'], /line 2: expected a time after/],
    ['decreasing times', ['1 0 0 1 0 0 0 1', '0 0 0 1 0 0 0 1'], /line 2: expected a time after/],
    ['no unit quaternion', ['0 0 0 1 0 0 0 1', '1 0 0 1 0 0 0 2'], /line 2: expected a unit quat/],
    ['far poses', ['0 0 0 1 0 0 0 1', '1 5e5 0 1 0 0 0 1'], /within 10 km/],
    ['one pose', ['0 0 0 1 0 0 0 1'], /expected poses that cover some time/],
  ])('is one problem with file and line: %s', async (_, lines, message) => {
    await written('bad.tum', lines.join('\n'));
    expect(await problemsOf(trajectory)).toMatchObject([
      {
        path: expect.stringMatching(/^survey/) as string,
        message: expect.stringMatching(message) as string,
      },
    ]);
  });

  it('is a name of a file for poses that says no format', async () => {
    const posesOut = path.join(folder, 'poses.xyz');
    expect(await problemsOf(strips, { posesOut })).toMatchObject([{ path: 'posesOut' }]);
  });

  it('is a start before the first pose, a missing survey, and a sensor without a name', async () => {
    await written('bad.tum', '1 0 0 1 0 0 0 1\n2 0 0 1 0 0 0 1');
    expect(await problemsOf(trajectory, { fromS: 0.5 })).toMatchObject([{ path: 'fromS' }]);
    expect(await problemsOf(undefined, { sensor: 'vlp-16' })).toMatchObject([{ path: 'pose' }]);
    expect(await problemsOf({ ...strips, sensor: undefined })).toMatchObject([{ path: 'sensor' }]);
    expect(await problemsOf({ ...strips, sensor: 'other' })).toMatchObject([
      { path: 'survey.sensor' },
    ]);
  });
});
