// Times of points that cannot be right are refused with field, unit and factor; a request names field and unit. A sensor
// at rest has one pose.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { timeFault } from '#domain/log/pointTimes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { packed, tf, writeMcap } from './foreignFiles.ts';
import { imported } from './imported.ts';
import { writeLas } from './lasFiles.ts';
import { beamsOfRoom, inSensor, mount, sweepNs, type TrueBeam, vehicleAt } from './room.ts';
import { compose } from '#domain/shared/pose.ts';

const sweeps = 5;
const truth = beamsOfRoom(sweeps).filter(({ rangeM }) => Number.isFinite(rangeM));
const onlyReturns = { infersMisses: false };

/** Clouds whose points have one field more, and poses of the sensor. */
async function bag(
  name: string,
  datatype: number,
  value: (beam: TrueBeam, stampNs: number) => number,
): Promise<string> {
  const clouds = Array.from({ length: sweeps }, (_, sweep) => {
    const stampNs = sweep * sweepNs;
    const beams = truth.filter((beam) => beam.sweep === sweep);
    return packed('/points', stampNs, beams, [
      ...['x', 'y', 'z'].map((axis, index): [string, number, (beam: TrueBeam) => number] => {
        return [axis, 7, (beam) => inSensor(beam)[index as 0 | 1 | 2]];
      }),
      ['ring', 4, ({ laser }) => laser],
      [name, datatype, (beam) => value(beam, stampNs)],
    ]);
  });
  const poses = Array.from({ length: 100 }, (_, step) =>
    tf('odom', 'velodyne', step * 1e7, compose(vehicleAt(step * 1e7), mount)),
  );
  const file = join(temporaryFolder(), 'x.mcap');
  await writeMcap(file, [...clouds, ...poses]);
  return file;
}

/** Differences of times from the truth, in nanoseconds, of the beams in their order. */
async function worstNs(file: string, options: Record<string, unknown>): Promise<number> {
  const { beams } = await imported(file, { ...onlyReturns, ...options });
  expect(beams).toHaveLength(truth.length);
  const expected = truth.map(({ timeNs }) => timeNs).sort((a, b) => a - b);
  const firstNs = beams[0]?.timeNs ?? 0n;
  return Math.max(
    ...beams.map(({ timeNs }, at) =>
      Math.abs(Number(timeNs - firstNs) - ((expected[at] ?? 0) - (expected[0] ?? 0))),
    ),
  );
}

const refusal = (text: string): object => {
  return { details: { problems: [{ message: expect.stringContaining(text) as string }] } };
};

describe('times of points', () => {
  it('in another unit than their field has are refused, and read with the unit', async () => {
    const file = await bag('t', 6, ({ timeNs }, stampNs) => Math.round((timeNs - stampNs) / 1000));
    await expect(imported(file)).rejects.toMatchObject(refusal("'t' (ns) spread over"));
    await expect(imported(file)).rejects.toMatchObject(refusal('--time-unit us fits'));
    expect(await worstNs(file, { timeUnit: 'us' })).toBeLessThanOrEqual(1000);
    const { reply } = await imported(file, { timeUnit: 'ns', ...onlyReturns });
    expect(reply.notes.join('\n')).toContain("'t' (ns) spread over");
  });

  it('that do not advance with the clouds are refused, and left out on request', async () => {
    const frozen = await bag('timestamp', 8, ({ timeNs }) => 1.7e18 + (timeNs % sweepNs));
    await expect(imported(frozen)).rejects.toMatchObject(refusal('advance by'));
    const { reply, beams } = await imported(frozen, { timeField: 'none', ...onlyReturns });
    expect(reply.derived).toContain('time');
    expect(new Set(beams.map(({ timeNs }) => timeNs)).size).toBe(sweeps);
  });

  it('of another clock than the stamps are refused', async () => {
    const other = await bag('timestamp', 8, ({ timeNs }) => 1.7e18 + 3.6e12 + timeNs);
    await expect(imported(other)).rejects.toMatchObject(refusal('from the stamps of their clouds'));
  });

  it('are in the field that a request names', async () => {
    const file = await bag('moment', 7, ({ timeNs }, stampNs) => (timeNs - stampNs) / 1e6);
    expect(await worstNs(file, { timeField: 'moment', timeUnit: 'ms' })).toBeLessThan(20);
    await expect(imported(file, { timeField: 'when' })).rejects.toThrow("found 'when'");
  });

  it.each<[string, string, number, (beam: TrueBeam, stampNs: number) => number, number]>([
    ['nanoseconds since the stamp', 'offset_time', 6, ({ timeNs }, stampNs) => timeNs - stampNs, 1],
    ['seconds since 1970', 'timestamp', 8, ({ timeNs }) => 1.7e9 + timeNs / 1e9, 500],
    ['nanoseconds since 1970', 'timestamp', 8, ({ timeNs }) => 1.7e18 + timeNs, 300],
    ['seconds to the stamp', 'time', 7, ({ timeNs }, stampNs) => (timeNs - stampNs) / 1e9, 20],
  ])('are read as %s', async (_name, field, datatype, value, toleranceNs) => {
    expect(await worstNs(await bag(field, datatype, value), {})).toBeLessThanOrEqual(toleranceNs);
  });
});

it('verdicts need two clouds, and equal times give none', () => {
  const cloud = (stampNs: number, ...timeNs: number[]) => {
    return { stampNs, timeNs: Float64Array.from(timeNs) };
  };
  const unit = { unit: 'ns' } as const;
  expect(timeFault([cloud(0, 0, 1)], unit)).toBeNull();
  expect(timeFault([cloud(0, 0, 0), cloud(1e8, 1e8, 1e8)], unit)).toBeNull();
  // 1 % and 300 % of the time between clouds are the limits.
  const spread = (ns: number) => timeFault([cloud(0, 0, ns), cloud(1e8, 1e8, 1e8 + ns)], unit);
  expect(spread(0.99e6)).toMatchObject({ factor: 0.0099 });
  expect(spread(1.01e6)).toBeNull();
  expect(spread(2.99e8)).toBeNull();
  expect(spread(3.01e8)).toMatchObject({ unit: null });
  expect(spread(9e10)).toMatchObject({ factor: 900, unit: null });
  expect(timeFault([cloud(0, 0, 9e13), cloud(1e8, 1e8, 9e13)], { unit: 's' })).toMatchObject({
    unit: 'us',
  });
});

describe('a sensor at rest', () => {
  const points = Array.from({ length: 30 }, (_, row) => {
    return {
      positionM: [100 + row, 50, 2] as const,
      timeS: 40 * row,
      intensity: 1,
      classification: 2,
    };
  });
  const write = (options = {}): string => {
    const file = join(temporaryFolder(), 'x.las');
    writeLas(file, points, [100, 50, 0], options);
    return file;
  };

  it('has the pose of the request', async () => {
    const { beams, reply } = await imported(write(), { pose: [100, 50, 10] });
    expect(reply.returns).toBe(30);
    expect(beams[29]?.rangeM).toBeCloseTo(Math.hypot(29, 8), 4);
    // LAS without times, and a turned sensor.
    const turned = [100, 50, 10, 0, 0, 2, 2];
    const other = await imported(write({ format: 0 }), { pose: turned });
    expect(other.reply).toMatchObject({ returns: 30, derived: ['time'] });
  });

  it('has it in the unit of the file', async () => {
    const file = write({ geoKeys: { 1024: 1, 3072: 2994 } });
    const { beams } = await imported(file, { pose: [100, 50, 10] });
    expect(beams[29]?.rangeM).toBeCloseTo(0.3048 * Math.hypot(29, 8), 4);
  });

  it('is refused in metres beside points in feet', async () => {
    const far = points.map((point) => ({ ...point, positionM: [636_000, 850_000, 2] as const }));
    const file = join(temporaryFolder(), 'x.las');
    writeLas(file, far, [636_000, 850_000, 0], { geoKeys: { 1024: 1, 3072: 2994 } });
    const inMetres = [636_000 * 0.3048, 850_000 * 0.3048, 10];
    await expect(imported(file, { pose: inMetres })).rejects.toMatchObject(
      refusal('found them 225 km from the points'),
    );
    expect((await imported(file, { pose: [636_000, 850_000, 10] })).reply.returns).toBe(30);
  });

  it('has poses far apart with a longer gap', async () => {
    const file = write();
    const trajectory = join(temporaryFolder(), 'x.tum');
    writeFileSync(trajectory, '0 100 50 10 0 0 0 1\n1200 100 50 10 0 0 0 1\n');
    await expect(imported(file, { trajectory })).rejects.toMatchObject(
      refusal('at most 1200.0 s apart; --max-gap'),
    );
    const { reply } = await imported(file, { trajectory, maxGapS: 1200 });
    expect(reply.returns).toBe(30);
    await expect(imported(file, { trajectory, pose: [0, 0, 0] })).rejects.toThrow('found both');
  });

  it('in a recording without poses', async () => {
    const beams = truth.filter(({ sweep }) => sweep === 0);
    const cloud = packed('/points', 0, beams, [
      ['x', 7, (beam) => inSensor(beam)[0]],
      ['y', 7, (beam) => inSensor(beam)[1]],
      ['z', 7, (beam) => inSensor(beam)[2]],
    ]);
    const file = join(temporaryFolder(), 'x.mcap');
    await writeMcap(file, [cloud]);
    const { beams: logged } = await imported(file, { pose: [1, 2, 3] });
    expect(logged).toHaveLength(beams.length);
    expect(logged[0]?.origin).toEqual([1, 2, 3]);
  });
});
