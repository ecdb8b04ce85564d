// Surveys of a scenario with the real worker: legs, mounts, errors of the navigation, parts and their joining.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { beamColumns, defaultScanColumns, type ReturnColumnName } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import { radians } from '#domain/shared/numbers.ts';
import { compose, rotate, rotationFromDegrees } from '#domain/shared/pose.ts';
import { withPoseNoise } from '#domain/trajectory/poseNoise.ts';
import { trajectoryOf, trajectoryPoseAt } from '#domain/trajectory/trajectory.ts';
import { sceneServices } from '../scenes/openScene.ts';

const services = sceneServices();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'understory-survey-'));
});
afterAll(async () => {
  await services.closeAll();
  await rm(folder, { recursive: true });
});

/** Flat ground with a box at the origin. */
function scenario(survey: unknown, sensor = 'vlp-16'): string {
  return JSON.stringify({
    understory: 2,
    name: 'survey',
    seed: 5,
    scene: {
      materials: { soil: { reflectance: 0.4 } },
      models: { box: { kind: 'box', sizeM: [2, 2, 2], material: 'soil' } },
      ground: { kind: 'plane', sizeM: [400, 400], material: 'soil' },
      instances: [{ name: 'box', model: 'box', positionM: [0, 0, 1] }],
    },
    sensors: [
      { name: 'lidar', sensor, mount: { positionM: [0.3, -0.2, 0.1], rollDeg: 90, yawDeg: 5 } },
    ],
    survey,
  });
}

async function written(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

type Columns = Record<string, number[]>;

/** The columns asked for, whole, and the leg of each row. */
async function rowsOf(
  request: RequestInputOf<'scan.start'>,
  columns: readonly ReturnColumnName[],
): Promise<{ columns: Columns; legs: number[]; reply: { legs: unknown; pulses: number } }> {
  const { chunks, reply } = await services.ask('scan.start', { ...request, columns: [...columns] });
  const found: Columns = Object.fromEntries(columns.map((name) => [name, []]));
  const legs: number[] = [];
  for (const { body, columns: table } of chunks) {
    const { rows, leg } = body as { rows: number; leg: number };
    for (const name of columns) {
      for (const value of table[name] ?? []) found[name]?.push(Number(value));
    }
    for (let row = 0; row < rows; row += 1) legs.push(leg);
  }
  return { columns: found, legs, reply };
}

const strips = {
  kind: 'strips',
  sensor: 'lidar',
  heightM: 40,
  speedMPerS: 100,
  strips: [
    { fromM: [-5, 0], toM: [5, 0] },
    { fromM: [5, 10], toM: [-5, 10], name: 'back' },
  ],
};

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

describe('panoramas at positions', () => {
  /** 6 s, 12,000 pulses, 60 lines. */
  const scan = {
    kind: 'panorama',
    pulseRateHz: 4000,
    minElevationDeg: -40,
    maxElevationDeg: 60,
    activeShare: 0.5,
    rateHz: 10,
    rateRangeHz: [3, 20],
    headDegPerSecond: 60,
    maxHeadDegPerSecond: 120,
  };
  const sensor = {
    understorySensor: 3,
    id: 'tripod',
    name: 'Tripod',
    source: 'a test',
    scan,
    range: { minM: 0.5, maxM: 300 },
    beam: { shape: 'circular', divergenceHorizontalMrad: 0.3, divergenceVerticalMrad: 0.3 },
    returns: { mode: 'strongest', signalCutoffM: 1 },
    noise: { rangeSigmaM: 0.01 },
  };
  const place = (x: number, more: object = {}) => ({ positionM: [x, 3, 1.5], ...more });
  const tripods = async (positions: object[], more: object = {}, own: object = sensor) => {
    await written('tripod.yaml', JSON.stringify(own));
    const survey = { kind: 'positions', sensor: 'lidar', mount: {}, ...more, positions };
    return written('panoramas.yaml', scenario(survey, './tripod.yaml'));
  };

  it('each begin with their own head, and number their pulses apart', async () => {
    const file = await tripods([
      place(-8),
      place(4, { headFromDeg: 90, headToDeg: -90, headStepDeg: 12 }),
      place(8, { seconds: 1 }),
      place(-8),
    ]);
    const request = { scenario: file, misses: true };
    const names = [
      ...(['time_ns', 'pulse', 'azimuth_rad', 'elevation_rad', 'range_m', 'z_m'] as const),
    ];
    const { columns, legs, reply } = await rowsOf(request, names);
    // 2000 pulses a second: 6 s, 15 lines of 200, 1 s, 6 s.
    const counts = [12_000, 3000, 2000, 12_000];
    expect((reply.legs as { pulses: number }[]).map(({ pulses }) => pulses)).toEqual(counts);
    const firstOf = (leg: number): number => legs.indexOf(leg);
    const lastOf = (leg: number): number => legs.lastIndexOf(leg);
    const at = (name: (typeof names)[number], row: number): number => columns[name]?.[row] ?? NaN;
    expect([1, 2, 3, 4].map((leg) => at('time_ns', firstOf(leg)))).toEqual([0, 6e9, 7.5e9, 8.5e9]);
    // Every leg begins at the lower end of a line, with its own head.
    for (const [leg, headDeg] of [
      [1, 0],
      [2, 90],
      [3, 0],
      [4, 0],
    ] as const) {
      expect(at('azimuth_rad', firstOf(leg))).toBeCloseTo(radians(headDeg), 6);
      expect(at('elevation_rad', firstOf(leg))).toBeCloseTo(radians(-40), 6);
    }
    // 14 lines and the half of the 15th that is active: 12° a line, clockwise.
    expect(at('azimuth_rad', lastOf(2))).toBeCloseTo(radians(90 - 12 * (14 + 199 / 400)), 5);
    const pulses = columns['pulse'] ?? [];
    expect(new Set(pulses).size).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(pulses).toEqual(pulses.toSorted((a, b) => a - b));
    // The same panorama at the same place has other noise.
    const ranges = (leg: number): number[] =>
      (columns['range_m'] ?? []).slice(firstOf(leg), lastOf(leg) + 1);
    const differences = ranges(1)
      .map((rangeM, pulse) => Math.abs(rangeM - (ranges(4)[pulse] ?? NaN)))
      .filter((difference) => difference < 0.2);
    const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
    // Two normal errors differ by 2 σ/√π; some 6000 of them.
    expect(Math.abs(mean - (2 * 0.01) / Math.sqrt(Math.PI))).toBeLessThan(0.0006);
  });

  it('are one panorama at a pose, too', async () => {
    const file = await tripods([place(0)]);
    const pose = { positionM: [0, 3, 1.5] as [number, number, number], yawDeg: 0, pitchDeg: 0 };
    const request = { scenario: file, pose, sensor: path.join(folder, 'tripod.yaml') };
    const { reply } = await rowsOf({ ...request, misses: true }, ['time_ns']);
    expect(reply.pulses).toBe(12_000);
    await expect(rowsOf({ ...request, sensor: 'vlp-16' }, ['time_ns'])).rejects.toThrow(
      'seconds: expected the simulated time',
    );
  });

  it('of .las join to the bytes of the whole, with a time for every pulse', async () => {
    const file = await tripods([place(-8), place(4, { headStepDeg: 12 })]);
    const whole = path.join(folder, 'tripods.las');
    await services.ask('scan.start', { scenario: file, out: whole, isReplacing: true });
    const parts: string[] = [];
    for (const index of [1, 2, 3]) {
      const out = path.join(folder, `tripods-${index}.las`);
      await services.ask('scan.start', { scenario: file, out, part: { index, of: 3 } });
      parts.push(out);
    }
    const joined = path.join(folder, 'tripods-joined.las');
    await services.ask('scan.join', { parts, out: joined });
    expect((await readFile(joined)).equals(await readFile(whole))).toBe(true);
  });

  it.each<[string, object[], object?, object?]>([
    [
      "survey.positions[1].name: expected a unique name, 'a' is used before",
      [place(0, { name: 'a' }), place(4, { name: 'a' })],
    ],
    [
      "survey.positions[1].name: expected a unique name, 'position-2' is used before",
      [place(0, { name: 'position-2' }), place(4)],
    ],
    ['survey.positions[0].headStepDeg: ', [place(0, { headStepDeg: 0 })]],
    [
      'survey.positions[0].headToDeg: expected another azimuth',
      [place(0, { headFromDeg: 20, headToDeg: 20 })],
    ],
    [
      'survey.positions[1].headStepDeg: expected at most maxHeadDegPerSecond (120)',
      [place(0), place(1, { headStepDeg: 13 })],
    ],
    [
      'scan.maxElevationDeg: ',
      [place(0)],
      {},
      { ...sensor, scan: { ...scan, maxElevationDeg: undefined } },
    ],
  ])('are refused: %s', async (message, positions, more, own) => {
    const file = await tripods(positions, more, own);
    await expect(rowsOf({ scenario: file }, ['time_ns'])).rejects.toThrow(message);
  });

  it('need a sensor with panoramas', async () => {
    const survey = (more: object) => ({ kind: 'positions', sensor: 'lidar', ...more });
    const noTime = await written('no-time.yaml', scenario(survey({ positions: [place(0)] })));
    await expect(rowsOf({ scenario: noTime }, ['time_ns'])).rejects.toThrow(
      "survey.positions[0].seconds: expected seconds here or in the survey: the scans of sensor 'vlp-16' are no panoramas",
    );
    const positions = [place(0, { headFromDeg: 10 })];
    // One that a request chooses is refused for the survey alone.
    const file = await tripods([place(0)]);
    await expect(rowsOf({ scenario: file, sensor: 'vlp-16' }, ['time_ns'])).rejects.toThrow(
      'the sensor cannot run the survey',
    );
    const head = await written('head.yaml', scenario(survey({ seconds: 1, positions })));
    await expect(rowsOf({ scenario: head }, ['time_ns'])).rejects.toThrow(
      'survey.positions[0].headFromDeg: expected only with a panorama',
    );
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

describe('parts', () => {
  const noise = { position: { sigmaM: 0.05, correlationS: 0.1 } };

  it.each(['csv', 'npz', 'las', 'pcd', 'ply', 'mcap'])(
    'of .%s join to the bytes of the whole',
    async (format) => {
      const file = await written('parts.yaml', scenario({ ...strips, noise }));
      const whole = path.join(folder, `whole.${format}`);
      const columns = [...new Set([...defaultScanColumns, 'object_id' as const])];
      const request = { scenario: file, misses: format !== 'las', columns };
      await services.ask('scan.start', { ...request, out: whole });
      const parts: string[] = [];
      const of = format === 'mcap' ? 2 : 3;
      for (let index = of; index >= 1; index -= 1) {
        const out = path.join(folder, `part-${index}.${format}`);
        const { reply } = await services.ask('scan.start', {
          ...request,
          out,
          part: { index, of },
        });
        expect(reply.files).toEqual(expect.arrayContaining([out, `${out}.part.json`]));
        parts.push(out);
      }
      const joined = path.join(folder, `joined.${format}`);
      const { reply } = await services.ask('scan.join', { parts, out: joined });
      expect(reply).toMatchObject({ parts: of, fromS: 0, toS: 0.2 });
      // With what the ids mean.
      const tables = format === 'mcap' ? [] : ['.objects.csv'];
      expect(reply.files).toEqual([joined, ...tables.map((table) => `${joined}${table}`)]);
      for (const ending of ['', ...tables]) {
        const [one, other] = [await readFile(joined + ending), await readFile(whole + ending)];
        expect(one.equals(other), ending).toBe(true);
      }
    },
  );

  it.each(['csv', 'las', 'mcap'])('of .%s that are damaged are refused', async (format) => {
    const file = await written('parts.yaml', scenario(strips));
    const out = path.join(folder, `damaged.${format}`);
    await services.ask('scan.start', { scenario: file, out, part: { index: 1, of: 1 } });
    const joined = path.join(folder, `repaired.${format}`);
    await truncate(out, (await stat(out)).size - 100);
    await expect(services.ask('scan.join', { parts: [out], out: joined })).rejects.toThrow(
      /damaged\.\w+' is damaged, or not the file that/,
    );
    expect(existsSync(joined)).toBe(false);
  });

  it('have no layout of a folder', async () => {
    const file = await written('parts.yaml', scenario(strips));
    const out = path.join(folder, 'kitti');
    const part = { index: 1, of: 2 };
    await expect(
      services.ask('scan.start', { scenario: file, out, format: 'semantickitti', part }),
    ).rejects.toMatchObject({ details: { problems: [{ path: 'part' }] } });
  });

  it('along many poses join to the bytes of the whole, cut within a batch of slots', async () => {
    // A pose each 0.1 ms on a turning path: a part is sent those of its own interval.
    const poses = Array.from({ length: 2001 }, (_, pose) => {
      const angle = 0.002 * pose;
      const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
      return [pose * 1e-4, 3 * Math.cos(angle), 3 * Math.sin(angle), 1.5, ...rotation].join(' ');
    });
    await written('dense.tum', poses.join('\n'));
    const survey = { kind: 'trajectory', sensor: 'lidar', file: 'dense.tum', noise };
    const file = await written('dense.yaml', scenario(survey));
    const request = { scenario: file, columns: defaultScanColumns };
    const whole = path.join(folder, 'dense.csv');
    await services.ask('scan.start', { ...request, out: whole });
    const parts: string[] = [];
    for (let index = 1; index <= 7; index += 1) {
      const out = path.join(folder, `dense-${index}.csv`);
      await services.ask('scan.start', { ...request, out, part: { index, of: 7 } });
      parts.push(out);
    }
    const joined = path.join(folder, 'dense-joined.csv');
    await services.ask('scan.join', { parts, out: joined });
    expect((await readFile(joined)).equals(await readFile(whole))).toBe(true);
  });

  it('are refused with gaps, overlaps, of another seed, and without their description', async () => {
    const file = await written('parts.yaml', scenario(strips));
    const part = async (name: string, fromS: number, toS: number, seed = 5): Promise<string> => {
      const out = path.join(folder, name);
      await services.ask('scan.start', { scenario: file, out, fromS, toS, seed });
      return out;
    };
    const [a, b, c] = [
      await part('a.csv', 0, 0.05),
      await part('b.csv', 0.05, 0.1),
      await part('c.csv', 0.1, 0.2),
    ];
    const early = await part('early.csv', 0.04, 0.1);
    const other = await part('other.csv', 0.05, 0.1, 6);
    const out = path.join(folder, 'all.csv');
    const join = (parts: string[]): Promise<unknown> => services.ask('scan.join', { parts, out });
    await expect(join([a, c])).rejects.toThrow(/a gap of \[0\.05 s, 0\.1 s\) between '.*a\.csv'/);
    await expect(join([b, c])).rejects.toThrow(/a gap of \[0 s, 0\.05 s\) between the start/);
    await expect(join([a, b])).rejects.toThrow(
      /a gap of \[0\.1 s, 0\.2 s\) .* the end of the scan/,
    );
    await expect(join([a, early, c])).rejects.toThrow(/an? overlap of \[0\.04 s, 0\.05 s\)/);
    await expect(join([a, other, c])).rejects.toThrow(
      /another seed .*\(seed differs\)|another scene/,
    );
    await rm(`${b}.part.json`);
    await expect(join([a, b, c])).rejects.toThrow(/there is no '.*b\.csv\.part\.json'/);
  });

  it('of a recording end between ticks', async () => {
    const file = await written('parts.yaml', scenario(strips));
    const out = path.join(folder, 'cut.mcap');
    await expect(
      services.ask('scan.start', { scenario: file, out, fromS: 0.03 }),
    ).rejects.toMatchObject({ details: { problems: [{ path: 'fromS' }] } });
  });
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
