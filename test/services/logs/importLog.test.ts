// Recordings of other programs become the beams that they were made from; wrong ones are refused with one problem.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { beamStates } from '#contract/log/log.ts';
import { aFromB, compose, quaternionOf, rotate } from '#domain/shared/pose.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {
  type Message,
  odometry,
  ousterCloud,
  plainCloud,
  startNs,
  tf,
  velodyneCloud,
  writeMcap,
} from './foreignFiles.ts';
import { differences, distance, imported, refusal } from './imported.ts';
import { identity, importTo } from './importTo.ts';
import { writeKitti } from './pointFiles.ts';
import { beamsOfRoom, inSensor, mount, sweepNs, type TrueBeam, vehicleAt } from './room.ts';

const sweeps = 12;
const truth = beamsOfRoom(sweeps);
const ofSweep = (beams: readonly TrueBeam[], sweep: number): TrueBeam[] =>
  beams.filter((beam) => beam.sweep === sweep);
/** Times of poses: every 10 ms over all clouds. */
const poseTimes = Array.from({ length: 12 * sweeps }, (_, step) => step * 10_000_000);
const osLidar: Pose = {
  positionM: [0, 0, 0.036],
  rotation: quaternionOf({ yawRad: Math.PI, pitchRad: 0, rollRad: 0 }),
};

/** The messages of an Ouster on a vehicle whose pose is in TF. */
function ousterMessages(): Message[] {
  return [
    tf('base_link', 'os_sensor', 0, compose(mount, aFromB(osLidar, identity)), '/tf_static'),
    tf('os_sensor', 'os_lidar', 0, osLidar, '/tf_static'),
    ...poseTimes.map((timeNs) => tf('odom', 'base_link', timeNs, vehicleAt(timeNs))),
    ...Array.from({ length: sweeps }, (_, sweep) =>
      ousterCloud(ofSweep(truth, sweep), sweep * sweepNs),
    ),
  ];
}

async function velodyneFile(poseOf: (timeNs: number) => Pose, options: { to?: number } = {}) {
  const file = join(temporaryFolder(), 'velodyne.mcap');
  await writeMcap(file, [
    ...poseTimes
      .filter((timeNs) => timeNs <= (options.to ?? Infinity))
      .map((timeNs) => odometry(timeNs, poseOf(timeNs))),
    ...Array.from({ length: sweeps }, (_, sweep) =>
      velodyneCloud(ofSweep(truth, sweep), sweep * sweepNs),
    ),
  ]);
  return file;
}
const sensorAt = (timeNs: number): Pose => compose(vehicleAt(timeNs), mount);

describe('log.import of foreign recordings', () => {
  it('takes the beams of an MCAP file with Ouster fields and TF, misses included', async () => {
    const file = join(temporaryFolder(), 'ouster.mcap');
    await writeMcap(file, ousterMessages());
    const { reply, beams } = await imported(file);
    const returns = truth.filter(({ rangeM }) => Number.isFinite(rangeM)).length;
    expect(reply).toMatchObject({
      source: 'mcap',
      missesAre: 'recorded',
      lasers: 16,
      beams: truth.length,
      returns,
      misses: truth.length - returns,
      missesInferred: 0,
      unknown: 0,
      derived: [],
    });
    const found = differences(beams, truth);
    expect(found).toMatchObject({ missing: 0, wrongState: 0, timeNs: 0 });
    // Points are single precision (2 µm at 15 m); poses are interpolated over 10 ms (4 µm of sagitta).
    expect(found.originM).toBeLessThan(5e-5);
    expect(found.rangeM).toBeLessThan(5e-5);
    // A miss has the median elevation of its laser: single precision again.
    expect(found.angleRad).toBeLessThan(1e-4);
  });

  it('infers the misses of a Velodyne from its firing pattern, and marks them', async () => {
    const { reply, beams } = await imported(await velodyneFile(sensorAt));
    const returns = truth.filter(({ rangeM }) => Number.isFinite(rangeM)).length;
    expect(reply).toMatchObject({ missesAre: 'inferred', returns, misses: 0, unknown: 0 });
    expect(reply.missesInferred).toBeGreaterThan(0);
    // Lasers that never return have no known elevation: all others are complete.
    const seen = new Set(beams.filter((b) => b.state === beamStates.returned).map((b) => b.laser));
    const expected = truth.filter(({ laser }) => seen.has(laser));
    expect(Math.abs(reply.beams - expected.length)).toBeLessThan(0.01 * expected.length);
    const misses = beams.filter(({ state }) => state === beamStates.missInferred);
    const worst = misses.reduce((most, miss) => {
      const near = truth.filter(({ laser, timeNs }) => {
        return laser === miss.laser && Math.abs(timeNs - Number(miss.timeNs - startNs)) < 4e5;
      });
      const angles = near.map(({ direction }) => distance(direction, miss.direction));
      return Math.max(most, Math.min(...angles));
    }, 0);
    // A hundredth of the step between two columns.
    expect(worst).toBeLessThan(5e-3);
    const left = await imported(await velodyneFile(sensorAt), { infersMisses: false });
    expect(left.reply).toMatchObject({ missesAre: 'unknown', beams: returns, missesInferred: 0 });
    expect(left.reply.notes.join()).toContain('misses are unknown');
  });

  it('takes the beams of a KITTI sequence, and marks what it derives', async () => {
    const folder = join(temporaryFolder(), '00');
    const timesS = [0, 0.1, 0.2, 0.3];
    const first = sensorAt(0);
    // The world of a sequence is that of its first frame.
    const poses = timesS.map((timeS) => aFromB(first, sensorAt(timeS * 1e9)));
    // Each intensity occurs once: it says which point a beam is.
    const frames = timesS.map((timeS, frame) => {
      return beamsOfRoom(1, () => sensorAt(timeS * 1e9))
        .filter(({ rangeM }) => Number.isFinite(rangeM))
        .map((beam, point) => {
          const intensity = frame + point / 4096;
          return [...inSensor(beam), intensity] as [number, number, number, number];
        });
    });
    writeKitti(folder, poses, frames, timesS);
    const { reply, beams } = await imported(folder);
    expect(reply).toMatchObject({
      source: 'kitti',
      derived: ['time', 'laser', 'origin'],
      lasers: 64,
      misses: 0,
      returns: frames.flat().length,
      beams: frames.flat().length + reply.missesInferred + reply.unknown,
    });
    const known = new Map(beams.map((beam) => [beam.intensity, beam]));
    const worst = { originM: 0, angleRad: 0, rangeM: 0, timeS: 0, laserRad: 0, missing: 0 };
    const worse = (name: keyof typeof worst, value: number): void => {
      worst[name] = Math.max(worst[name], value);
    };
    for (const [frame, points] of frames.entries()) {
      const pose = poses[frame] ?? identity;
      for (const [x, y, z, intensity] of points) {
        const found = known.get(intensity);
        if (found?.state !== beamStates.returned || found.sweep !== frame) {
          worst.missing += 1;
          continue;
        }
        const rangeM = Math.hypot(x, y, z);
        worse('originM', distance(found.origin, pose.positionM));
        const direction = rotate(pose.rotation, [x / rangeM, y / rangeM, z / rangeM]);
        worse('angleRad', distance(found.direction, direction));
        worse('rangeM', Math.abs(found.rangeM - rangeM));
        // Ahead at the time of the frame, a tenth of a second for the turn.
        const timeS = (timesS[frame] ?? 0) + Math.atan2(y, x) / (20 * Math.PI);
        worse('timeS', Math.abs(Number(found.timeNs) / 1e9 - timeS));
        const elevationRad = Math.asin(z / rangeM);
        const isOfSensor = elevationRad > hdl64Elevation(0) && elevationRad < hdl64Elevation(63);
        if (isOfSensor) worse('laserRad', Math.abs(hdl64Elevation(found.laser) - elevationRad));
      }
    }
    expect(worst.missing).toBe(0);
    // Single precision of coordinates, and of poses.txt none.
    expect(worst.originM).toBeLessThan(1e-6);
    expect(worst.angleRad).toBeLessThan(2e-6);
    expect(worst.rangeM).toBeLessThan(2e-6);
    expect(worst.timeS).toBeLessThan(1e-7);
    // The nearest of lasers that are half a degree apart at most.
    expect(worst.laserRad).toBeLessThan((0.26 * Math.PI) / 180);
  });

  it('takes beams in CSV with world coordinates', async () => {
    const file = join(temporaryFolder(), 'beams.csv');
    writeFileSync(
      file,
      [
        'time_s,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m,laser',
        '1700000000.000000001,500100.5,5400200,10,1,0,0,12.5,0',
        '1700000000.1,500101,5400200,10,0,2,0,,1',
      ].join('\n'),
    );
    const { reply, beams } = await imported(file, { crs: 'EPSG:32632' });
    expect(reply).toMatchObject({
      beams: 2,
      returns: 1,
      misses: 1,
      missesAre: 'recorded',
      lasers: 2,
    });
    expect(reply.extentM?.maxM[0]).toBeCloseTo(500_113, 3);
    expect(beams[0]?.timeNs).toBe(1_700_000_000_000_000_001n);
    expect(beams[1]).toMatchObject({ state: beamStates.miss, direction: [0, 1, 0], laser: 1 });
  });

  it('cuts a sector, a span of ranges, and a box of the sensor', async () => {
    const file = await velodyneFile(sensorAt);
    const { beams } = await imported(file, {
      azimuthDeg: [-95, 95],
      rangeM: [2, 9],
      infersMisses: false,
    });
    const inSector = truth.filter(({ azimuthRad, rangeM }) => {
      const isReturn = Number.isFinite(rangeM) && rangeM >= 2;
      return Math.abs(azimuthRad) <= (95 * Math.PI) / 180 && isReturn;
    });
    // Beams that end behind the span have passed it.
    expect(Math.abs(beams.length - inSector.length)).toBeLessThan(3);
    const returns = beams.filter(({ state }) => state === beamStates.returned);
    const expected = inSector.filter(({ rangeM }) => rangeM <= 9);
    expect(Math.abs(returns.length - expected.length)).toBeLessThan(3);
    expect(returns.every(({ rangeM }) => rangeM >= 2 && rangeM <= 9)).toBe(true);
  });
});

describe('log.import of wrong recordings', () => {
  it('refuses swapped frames, which --inverse takes', async () => {
    const file = await velodyneFile((timeNs) => aFromB(sensorAt(timeNs), identity));
    expect(await refusal(file)).toMatchObject({
      code: 'bad-input',
      title: 'the frames of the poses are swapped',
      problems: [{ message: expect.stringContaining('with their inverse') as string }],
    });
    const { beams } = await imported(file, { isInverse: true, infersMisses: false });
    const hits = truth.filter(({ rangeM }) => Number.isFinite(rangeM));
    expect(beams).toHaveLength(hits.length);
    expect(distance(beams[0]?.origin ?? [], hits[0]?.origin ?? [])).toBeLessThan(1e-4);
  });

  it('refuses a recording without poses, and poses that do not cover it', async () => {
    const file = join(temporaryFolder(), 'no-poses.mcap');
    await writeMcap(file, [velodyneCloud(ofSweep(truth, 0), 0)]);
    expect(await refusal(file)).toMatchObject({ title: 'the source has no poses' });
    const half = await velodyneFile(sensorAt, { to: 6 * sweepNs });
    expect(await refusal(half)).toMatchObject({
      title: 'the poses do not cover the log',
      problems: [
        { message: expect.stringMatching(/found none for \d+ % of their points/) as string },
      ],
    });
  });

  it('refuses NaN in poses and in all points; leaves single points out', async () => {
    const nan = await velodyneFile((timeNs) => {
      const pose = sensorAt(timeNs);
      return timeNs === poseTimes[5] ? { ...pose, positionM: [NaN, 0, 0] } : pose;
    });
    expect(await refusal(nan)).toMatchObject({
      problems: [{ message: expect.stringContaining('found NaN in pose 6') as string }],
    });
    const file = join(temporaryFolder(), 'nan.mcap');
    const poses = poseTimes.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    await writeMcap(file, [...poses, plainCloud([[NaN, NaN, NaN]], 0)]);
    expect(await refusal(file)).toMatchObject({
      problems: [{ message: expect.stringContaining('found NaN only') as string }],
    });
    const some = join(temporaryFolder(), 'some.mcap');
    const points = [
      [NaN, NaN, NaN],
      [1, 2, 3],
    ];
    await writeMcap(some, [...poses, plainCloud(points, 0)]);
    const { reply } = await imported(some);
    expect(reply).toMatchObject({ beams: 1, missesAre: 'unknown', derived: ['time'] });
    expect(reply.notes.join()).toContain('1 points without coordinates were left out');
  });

  it('refuses files of no known kind and lines that are no beams', async () => {
    const folder = temporaryFolder({ 'x.txt': 'text' });
    expect(await refusal(join(folder, 'x.txt'))).toMatchObject({ code: 'bad-input' });
    writeFileSync(join(folder, 'x.mcap'), 'text');
    expect(await refusal(join(folder, 'x.mcap'))).toMatchObject({ code: 'corrupt' });
    writeFileSync(join(folder, 'x.csv'), 'time_s,range_m\n0,1\n');
    expect(await refusal(join(folder, 'x.csv'))).toMatchObject({
      problems: [
        { message: expect.stringContaining('expected columns named origin_x_m') as string },
      ],
    });
  });
});

describe('log.import under way', () => {
  async function csvFile(): Promise<string> {
    const file = join(temporaryFolder(), 'beams.csv');
    const head =
      'time_ns,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m';
    const lines = truth.map(({ timeNs, origin, direction, rangeM }) => {
      return [timeNs, ...origin, ...direction, Number.isFinite(rangeM) ? rangeM : ''].join(',');
    });
    writeFileSync(file, [head, ...lines, ''].join('\n'));
    return Promise.resolve(file);
  }

  it.each([
    ['MCAP', () => velodyneFile(sensorAt)],
    ['CSV', csvFile],
  ])('of %s reports progress, and can be cancelled: nothing is left then', async (_, make) => {
    const source = await make();
    const out = join(temporaryFolder(), 'x.log');
    const phases = new Set<string>();
    const progress = ({ phase }: { phase: string }): void => void phases.add(phase);
    await importTo(out, source, {}, { progress });
    expect(phases).toContain('importing');
    rmSync(out);
    const cancelling = new AbortController();
    const cancel = ({ phase }: { phase: string }): void => {
      if (phase === 'importing') cancelling.abort();
    };
    const { signal } = cancelling;
    const cancelled = importTo(out, source, {}, { progress: cancel, signal });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(dirname(out))).toEqual([]);
  });
});

/** Elevation of the benchmark's HDL-64E by laser from the lowest: steps of half a degree, then a third. */
function hdl64Elevation(laser: number): number {
  const deg = laser < 32 ? -24.33 + laser / 2 : -8.33 + (laser - 32) / 3;
  return (deg * Math.PI) / 180;
}

/** The axes of the test's own rotations, so that a wrong helper does not hide. */
it('the room is turned as the poses say', () => {
  expect(
    rotate(quaternionOf({ yawRad: Math.PI / 2, pitchRad: 0, rollRad: 0 }), [1, 0, 0])[1],
  ).toBeCloseTo(1);
});
