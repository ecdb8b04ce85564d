// Every kind of foreign source gives the beams that it was made from: rosbag2 in SQLite, poses of each kind, fields of
// Autoware, folders of PCD, PLY and LAS with a trajectory, several returns of a pulse; and the parts of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { beamStates } from '#contract/log/log.ts';
import { logSources } from '#contract/log/logSources.ts';
import { compose } from '#domain/shared/pose.ts';
import { pointEndings } from '#recordings/foreign/points/pointFile.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {
  autowareCloud,
  dualCloud,
  type Message,
  odometry,
  poseStamped,
  startNs,
  tf,
  velodyneCloud,
  writeBag,
  writeMcap,
} from './foreignFiles.ts';
import { differences, distance, imported, type LoggedBeam } from './imported.ts';
import { writeLas } from './lasFiles.ts';
import { type PointColumn, tumText, writePcd, writePly } from './pointFiles.ts';
import { beamsOfRoom, inSensor, mount, sweepNs, type TrueBeam, vehicleAt } from './room.ts';

const sweeps = 4;
const truth = beamsOfRoom(sweeps);
const hits = truth.filter(({ rangeM }) => Number.isFinite(rangeM));
const poseTimes = Array.from({ length: 12 * sweeps }, (_, step) => step * 10_000_000);
const sensorAt = (timeNs: number): Pose => compose(vehicleAt(timeNs), mount);
const ofSweep = (sweep: number): TrueBeam[] => truth.filter((beam) => beam.sweep === sweep);
const each = <T>(make: (sweep: number) => T): T[] =>
  Array.from({ length: sweeps }, (_, sweep) => make(sweep));
const clouds = (): Message[] => each((sweep) => velodyneCloud(ofSweep(sweep), sweep * sweepNs));

/** Poses are interpolated over 10 ms (4 µm of sagitta), points are single precision. */
const exact = { missing: 0, wrongState: 0 };
function expectExact(beams: readonly LoggedBeam[], expected: readonly TrueBeam[] = hits): void {
  const found = differences(beams, expected);
  expect(found).toMatchObject(exact);
  // Times within a cloud are single precision, where the driver has them so.
  expect(found.timeNs).toBeLessThan(8);
  expect(found.originM).toBeLessThan(5e-5);
  expect(found.rangeM).toBeLessThan(5e-5);
  expect(found.angleRad).toBeLessThan(2e-5);
}

async function mcap(...messages: Message[]): Promise<string> {
  const file = join(temporaryFolder(), 'x.mcap');
  await writeMcap(file, messages);
  return file;
}

const onlyReturns = { infersMisses: false };

it('files of points are listed as they are read', () => {
  expect(logSources.folder.files).toBe(pointEndings.join(', '));
});

describe('recordings of ROS 2', () => {
  it('are read from SQLite, as a file and as a folder of rosbag2', async () => {
    const folder = join(temporaryFolder(), 'bag');
    const poses = poseTimes.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    const file = writeBag(folder, [...poses, ...clouds()]);
    for (const source of [file, folder]) {
      const { reply, beams } = await imported(source, onlyReturns);
      expect(reply).toMatchObject({ source: 'rosbag2', returns: hits.length });
      expectExact(beams);
    }
  });

  it.each([
    ['Odometry of the sensor', (timeNs: number) => [odometry(timeNs, sensorAt(timeNs))]],
    ['PoseStamped', (timeNs: number) => [poseStamped(timeNs, sensorAt(timeNs))]],
    [
      'Odometry of the vehicle with the mount in TF',
      (timeNs: number) => [
        odometry(timeNs, vehicleAt(timeNs), 'base_link'),
        tf('base_link', 'velodyne', timeNs, mount, '/tf_static'),
      ],
    ],
    ['TF', (timeNs: number) => [tf('odom', 'velodyne', timeNs, sensorAt(timeNs))]],
  ])('have their poses by %s', async (_, posesAt) => {
    const { beams } = await imported(
      await mcap(...poseTimes.flatMap(posesAt), ...clouds()),
      onlyReturns,
    );
    expectExact(beams);
  });

  it('need a name where several topics have poses, and take the named one', async () => {
    const wrong = (timeNs: number): Message => ({
      ...odometry(timeNs, compose(sensorAt(timeNs), { ...mount, positionM: [5, 0, 0] })),
      topic: '/other',
    });
    const file = await mcap(
      ...poseTimes.flatMap((timeNs) => [odometry(timeNs, sensorAt(timeNs)), wrong(timeNs)]),
      ...clouds(),
    );
    await expect(imported(file)).rejects.toMatchObject({ code: 'bad-input' });
    const { beams } = await imported(file, { ...onlyReturns, poses: '/odometry' });
    expectExact(beams);
  });

  it('have fields of Autoware with times', async () => {
    const poses = poseTimes.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    const kind = 'xyzircaedt';
    const made = each((sweep) => autowareCloud(ofSweep(sweep), sweep * sweepNs, kind));
    const { reply, beams } = await imported(await mcap(...poses, ...made), onlyReturns);
    expect(reply).toMatchObject({ lasers: 16, derived: [] });
    expectExact(beams);
    // Lasers are counted from the lowest, whatever the driver's channels are.
    expect(beams.every(({ laser, intensity }) => intensity === 10 + laser)).toBe(true);
  });

  it('have fields of Autoware without times: all of a cloud are at its stamp, and that is said', async () => {
    const still = sensorAt(0);
    const stationary = beamsOfRoom(1, () => still).filter(({ rangeM }) => Number.isFinite(rangeM));
    const file = await mcap(
      ...poseTimes.map((timeNs) => odometry(timeNs, still)),
      autowareCloud(stationary, 0, 'xyzirc'),
    );
    const { reply, beams } = await imported(file);
    expect(reply).toMatchObject({ derived: ['time'], missesAre: 'unknown', lasers: 16 });
    expect(beams.every(({ timeNs }) => timeNs === startNs)).toBe(true);
    const ends = beams.map(({ rangeM }) => rangeM).sort((a, b) => a - b);
    const expected = stationary.map(({ rangeM }) => rangeM).sort((a, b) => a - b);
    expect(ends).toHaveLength(expected.length);
    const worstM = Math.max(...ends.map((m, at) => Math.abs(m - (expected[at] ?? NaN))));
    expect(worstM).toBeLessThan(5e-6);
  });

  it.each([
    ['strongest', 0, 9],
    ['first', 0, 9],
    ['last', 0.5, 4],
  ])('keep the %s of two returns of a pulse', async (returns, beyondM, intensity) => {
    const poses = poseTimes.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    const made = each((sweep) => dualCloud(ofSweep(sweep), sweep * sweepNs, 0.5));
    const { reply, beams } = await imported(await mcap(...poses, ...made), {
      ...onlyReturns,
      returns,
    });
    expect(reply.returns).toBe(hits.length);
    expectExact(
      beams,
      hits.map((beam) => ({ ...beam, rangeM: beam.rangeM + beyondM })),
    );
    expect(new Set(beams.map((beam) => beam.intensity))).toEqual(new Set([intensity]));
  });
});

describe('folders of clouds with a trajectory', () => {
  /** Points of a sweep in the sensor's frame at their own times, which count from the stamp. */
  function columnsOf(sweep: number): PointColumn[] {
    const beams = hits.filter((beam) => beam.sweep === sweep);
    const axis = (at: 0 | 1 | 2): number[] => beams.map((beam) => inSensor(beam)[at]);
    return [
      ['x', 'f4', axis(0)],
      ['y', 'f4', axis(1)],
      ['z', 'f4', axis(2)],
      ['intensity', 'f4', beams.map(({ laser }) => laser)],
      ['ring', 'u2', beams.map(({ laser }) => laser)],
      ['time', 'f4', beams.map(({ timeNs }) => (timeNs - sweep * sweepNs) / 1e9)],
    ];
  }

  it.each([
    ['pcd', writePcd],
    ['ply', writePly],
  ])('take .%s files named by their times', async (ending, write) => {
    const folder = join(temporaryFolder(), 'clouds');
    mkdirSync(folder);
    for (let sweep = 0; sweep < sweeps; sweep++) {
      const stamp = startNs + BigInt(sweep * sweepNs);
      write(join(folder, `${stamp}.${ending}`), columnsOf(sweep));
    }
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(trajectory, tumText(poseTimes, sensorAt, startNs));
    const { reply, beams } = await imported(folder, { trajectory, ...onlyReturns });
    expect(reply).toMatchObject({ source: 'folder', returns: hits.length, lasers: 16 });
    expectExact(beams);
  });

  it('take as many poses as files, pose by pose', async () => {
    const folder = join(temporaryFolder(), 'clouds');
    mkdirSync(folder);
    const still = beamsOfRoom(1, () => sensorAt(0)).filter(({ rangeM }) => Number.isFinite(rangeM));
    for (const name of ['9.pcd', '10.pcd']) {
      const axis = (at: 0 | 1 | 2): number[] => still.map((beam) => inSensor(beam)[at]);
      writePcd(join(folder, name), [
        ['x', 'f4', axis(0)],
        ['y', 'f4', axis(1)],
        ['z', 'f4', axis(2)],
      ]);
    }
    const places: Pose[] = [sensorAt(0), { ...sensorAt(0), positionM: [100, 0, 1] }];
    const trajectory = join(folder, 'poses.txt');
    writeFileSync(
      trajectory,
      tumText([0, 1e9], (timeNs) => places[timeNs / 1e9] ?? sensorAt(0)),
    );
    const { reply, beams } = await imported(folder, { trajectory });
    expect(reply).toMatchObject({
      beams: 2 * still.length,
      missesAre: 'unknown',
      derived: ['time'],
    });
    // 10.pcd comes after 9.pcd.
    expect(distance(beams[0]?.origin ?? [], places[0]?.positionM ?? [])).toBeLessThan(1e-6);
    expect(distance(beams.at(-1)?.origin ?? [], [100, 0, 1])).toBeLessThan(1e-5);
  });

  it('take georeferenced LAS with classes; of a pulse one return, withheld points none', async () => {
    const folder = temporaryFolder();
    const world = [500_000, 5_400_000, 300] as const;
    const far = (m: readonly number[]): [number, number, number] => [
      (m[0] ?? 0) + world[0],
      (m[1] ?? 0) + world[1],
      (m[2] ?? 0) + world[2],
    ];
    const end = ({ origin, direction, rangeM }: TrueBeam, beyondM = 0): [number, number, number] =>
      far(origin.map((m, axis) => m + (rangeM + beyondM) * (direction[axis] ?? 0)));
    const points = hits.flatMap((beam) => {
      const timeS = beam.timeNs / 1e9;
      const point = { timeS, intensity: 900, classification: 5, returns: 2 };
      return [
        { ...point, positionM: end(beam), returnNo: 1 },
        { ...point, positionM: end(beam, 0.7), returnNo: 2, intensity: 80 },
      ];
    });
    const noise = { positionM: far([0, 0, 50]), timeS: 0.05, intensity: 1, classification: 7 };
    const file = join(folder, 'flight.las');
    writeLas(file, [...points, { ...noise, isWithheld: true }], world);
    const trajectory = join(folder, 'flight.tum');
    const inWorld = (timeNs: number): Pose => {
      const { positionM, rotation } = sensorAt(timeNs);
      return { positionM: far(positionM), rotation };
    };
    writeFileSync(trajectory, tumText(poseTimes, inWorld));
    const { reply, beams } = await imported(file, { trajectory, crs: 'EPSG:32632' });
    expect(reply).toMatchObject({ returns: hits.length, crs: 'EPSG:32632', missesAre: 'unknown' });
    expect(reply.notes.join()).toContain('misses are unknown');
    expect(reply.extentM?.minM[0]).toBeGreaterThan(499_900);
    const worst = { originM: 0, endM: 0 };
    for (const [at, beam] of beams.entries()) {
      const made = hits[at];
      if (made === undefined) continue;
      const ownEnd = beam.origin.map((m, axis) => m + beam.rangeM * (beam.direction[axis] ?? 0));
      worst.originM = Math.max(worst.originM, distance(beam.origin, made.origin));
      // Beams of one firing have one time: they come in the order of the file, as hits do.
      worst.endM = Math.max(worst.endM, distance(far(ownEnd), end(made)));
    }
    expect(worst.originM).toBeLessThan(1e-4);
    // Steps of a millimetre.
    expect(worst.endM).toBeLessThan(1.1e-3);
    expect(new Set(beams.map(({ intensity }) => intensity))).toEqual(new Set([900]));
  });
});

describe('parts of a log', () => {
  const poses = poseTimes.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
  const degrees = ({ azimuthRad }: { azimuthRad: number }): number => (azimuthRad * 180) / Math.PI;

  it('are a sector, also one across the back', async () => {
    const file = await mcap(...poses, ...clouds());
    const ahead = await imported(file, { ...onlyReturns, azimuthDeg: [-95, 95] });
    expectExact(
      ahead.beams,
      hits.filter((beam) => Math.abs(degrees(beam)) <= 95),
    );
    expect(ahead.beams.every((beam) => Math.abs(degrees(beam)) <= 95.01)).toBe(true);
    const behind = await imported(file, { ...onlyReturns, azimuthDeg: [170, 190] });
    const expected = hits.filter((beam) => Math.abs(degrees(beam)) >= 170);
    expectExact(behind.beams, expected);
    expect(behind.beams).toHaveLength(expected.length);
  });

  it('are a span of ranges, which misses are not outside of', async () => {
    const file = await mcap(...poses, ...clouds());
    const whole = await imported(file);
    const { reply, beams } = await imported(file, { rangeM: [3, 8] });
    const expected = hits.filter(({ rangeM }) => rangeM >= 3 && rangeM <= 8);
    expect(reply.returns).toBe(expected.length);
    expect(reply.missesInferred).toBe(whole.reply.missesInferred);
    expectExact(beams, expected);
  });

  it('are without returns in a box of the sensor', async () => {
    const body: [Pose['positionM'], Pose['positionM']] = [
      [-6, -4, -3],
      [2, 4, 1],
    ];
    const { reply, beams } = await imported(await mcap(...poses, ...clouds()), {
      ...onlyReturns,
      body,
    });
    const isInside = (place: readonly number[]): boolean =>
      place.every((m, axis) => m >= (body[0][axis] ?? 0) && m <= (body[1][axis] ?? 0));
    const expected = hits.filter((beam) => !isInside(inSensor(beam)));
    expect(hits.length - expected.length).toBeGreaterThan(200);
    expect(reply.returns).toBe(expected.length);
    expectExact(beams, expected);
  });

  it('are a time since the first cloud', async () => {
    const { beams } = await imported(await mcap(...poses, ...clouds()), {
      ...onlyReturns,
      fromS: 0.1,
      toS: 0.3,
    });
    expectExact(
      beams,
      hits.filter(({ sweep }) => sweep === 1 || sweep === 2),
    );
    expect(beams.every(({ state }) => state === beamStates.returned)).toBe(true);
  });
});
