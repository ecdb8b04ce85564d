// Misses that a source leaves out, by the firing pattern of known sensors: as many as there were, at their times and in
// their directions. Packets that are missing are unknown, and so is everything where the sensor fires at no even times.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beamStates } from '#contract/log/log.ts';
import { beamTable } from '#domain/log/beamTable.ts';
import { createMissFinder } from '#domain/log/missFinder.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {
  type FiringSensor,
  hdl64,
  pulsesOf,
  rangeThroughOpenings,
  sensorAt,
  vlp16,
} from './firingSensors.ts';
import { odometry, ousterCloud, startNs, velodyneCloud, writeMcap } from './foreignFiles.ts';
import { distance, imported, type LoggedBeam } from './imported.ts';
import { beamsOfRoom, columns, lasers, sweepNs, type TrueBeam } from './room.ts';

async function recordingOf(
  { cyclesPerCloud, cycleNs }: FiringSensor,
  clouds: number,
  pulses: readonly TrueBeam[],
): Promise<string> {
  const file = join(temporaryFolder(), 'x.mcap');
  const stampOf = (sweep: number): number => sweep * cyclesPerCloud * cycleNs;
  const poses = Array.from({ length: 11 * clouds }, (_, step) => step * 10_000_000);
  await writeMcap(file, [
    ...poses.map((timeNs) => odometry(timeNs, sensorAt(timeNs))),
    ...Array.from({ length: clouds }, (_, sweep) => {
      return velodyneCloud(
        pulses.filter((beam) => beam.sweep === sweep),
        stampOf(sweep),
      );
    }),
  ]);
  return file;
}

/** Pairs misses with the pulses of their laser and time: the greatest differences, and how many have none. */
function compared(
  found: readonly LoggedBeam[],
  expected: readonly TrueBeam[],
  { cycleNs }: FiringSensor,
): { unpaired: number; missing: number; timeNs: number; angleRad: number; originM: number } {
  const key = (laser: number, timeNs: number, firesAtNs: number): string =>
    `${laser} ${Math.round((timeNs - firesAtNs) / cycleNs)}`;
  const phases = new Map(expected.map(({ laser, timeNs }) => [laser, timeNs % cycleNs]));
  const pulses = new Map(
    expected.map((beam) => [key(beam.laser, beam.timeNs, phases.get(beam.laser) ?? 0), beam]),
  );
  const worst = { unpaired: 0, missing: 0, timeNs: 0, angleRad: 0, originM: 0 };
  const seen = new Set<string>();
  for (const miss of found) {
    const since = Number(miss.timeNs - startNs);
    const name = key(miss.laser, since, phases.get(miss.laser) ?? 0);
    const pulse = pulses.get(name);
    if (pulse === undefined || seen.has(name)) {
      worst.unpaired += 1;
      continue;
    }
    seen.add(name);
    worst.timeNs = Math.max(worst.timeNs, Math.abs(since - pulse.timeNs));
    worst.angleRad = Math.max(worst.angleRad, distance(miss.direction, pulse.direction));
    worst.originM = Math.max(worst.originM, distance(miss.origin, pulse.origin));
  }
  worst.missing = pulses.size - seen.size;
  return worst;
}

describe('inferred misses', () => {
  it.each([
    ['VLP-16', vlp16, 2],
    ['HDL-64E', hdl64, 2],
  ])('are those of a %s', async (_, sensor, clouds) => {
    const pulses = pulsesOf(sensor, clouds, rangeThroughOpenings);
    const file = await recordingOf(sensor, clouds, pulses);
    const { reply, beams } = await imported(file);
    const returns = pulses.filter(({ rangeM }) => Number.isFinite(rangeM));
    const seen = new Set(returns.map(({ laser }) => laser));
    // A laser that never returns has no known elevation.
    const misses = pulses.filter((beam) => !Number.isFinite(beam.rangeM) && seen.has(beam.laser));
    expect(misses.length).toBeGreaterThan(1000);
    expect(reply).toMatchObject({
      missesAre: 'inferred',
      returns: returns.length,
      lasers: seen.size,
      misses: 0,
      unknown: 0,
    });
    expect(reply.notes).toContain('misses were inferred from the firing pattern');
    const found = beams.filter(({ state }) => state === beamStates.missInferred);
    const worst = compared(found, misses, sensor);
    // At most one pulse of a laser at the very end of the recording, where nothing says whether it still fired.
    expect(worst.unpaired).toBeLessThanOrEqual(seen.size);
    expect(worst.missing).toBeLessThanOrEqual(seen.size);
    expect(worst.timeNs).toBeLessThan(0.05 * sensor.cycleNs);
    // A tenth of the step between two pulses of a laser.
    const stepRad = (2 * Math.PI * sensor.cycleNs) / sensor.turnNs;
    expect(worst.angleRad).toBeLessThan(0.1 * stepRad);
    expect(worst.originM).toBeLessThan(1e-4);
  });

  it('are unknown where a packet is missing', async () => {
    const pulses = pulsesOf(vlp16, 3);
    // A packet of a VLP-16 has 24 firings of all lasers.
    const isLost = ({ column }: TrueBeam): boolean => column >= 900 && column < 924;
    const received = pulses.filter((beam) => !isLost(beam));
    const { reply } = await imported(await recordingOf(vlp16, 3, received));
    expect(reply.returns).toBe(received.filter(({ rangeM }) => Number.isFinite(rangeM)).length);
    const lost = pulses.filter(isLost).length;
    expect(Math.abs(reply.unknown - lost)).toBeLessThanOrEqual(16);
  });

  it('are none where the sensor fires at no even times: they stay unknown, and that is said', async () => {
    let state = 1;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const uneven = pulsesOf(vlp16, 2).map((beam) => {
      return { ...beam, timeNs: beam.timeNs + Math.round(random() * 0.9 * vlp16.cycleNs) };
    });
    const { reply } = await imported(await recordingOf(vlp16, 2, uneven));
    expect(reply).toMatchObject({ missesAre: 'unknown', misses: 0, missesInferred: 0, unknown: 0 });
    expect(reply.notes).toEqual([
      'misses are unknown: the source states none, and no firing pattern was found',
    ]);
  });
});

describe('a grid of an Ouster', () => {
  it('states its misses, and says nothing of columns that were not received', async () => {
    const sweeps = 4;
    const truth = beamsOfRoom(sweeps);
    // A packet has sixteen columns. The driver leaves what it did not receive zero, times included.
    const isLost = ({ sweep, column }: TrueBeam): boolean =>
      sweep === 1 && column >= 32 && column < 48;
    const file = join(temporaryFolder(), 'ouster.mcap');
    const poses = Array.from({ length: 12 * sweeps }, (_, step) => step * 10_000_000);
    const clouds = Array.from({ length: sweeps }, (_, sweep) => {
      const received = truth.filter((beam) => beam.sweep === sweep && !isLost(beam));
      return ousterCloud(received, sweep * sweepNs);
    });
    const at = (timeNs: number) => ({
      ...odometry(timeNs, sensorAt(timeNs), 'os_lidar'),
    });
    await writeMcap(file, [...poses.map(at), ...clouds]);
    const { reply } = await imported(file);
    const received = truth.filter((beam) => !isLost(beam));
    const returns = received.filter(({ rangeM }) => Number.isFinite(rangeM)).length;
    expect(received).toHaveLength(sweeps * lasers * columns - 16 * lasers);
    expect(reply).toMatchObject({ missesAre: 'recorded', returns, missesInferred: 0, unknown: 0 });
    expect(reply.misses).toBe(received.length - returns);
  });

  it('are refused where times give a sensor that fires without end', () => {
    const laser = { periodNs: 1e-6, elevationRad: 0, azimuthOffsetRad: 0, phaseNs: 0 };
    const pattern = {
      lasers: [laser],
      reference: 0,
      turnRadPerNs: 1e-9,
      firingsPerTurn: 1000,
      turnsPerS: 10,
    };
    const table = beamTable(2, []);
    table.time_ns.set([0n, 1_000_000_000n]);
    const found = { table, beams: 2, poseAt: () => null, baseNs: 0n };
    const cloud = { sweep: 0, missing: [], hasGrid: false, nextNs: null };
    expect(() => createMissFinder(pattern).complete(cloud, found)).toThrow(
      'expected clouds of at most 10000000 pulses of their sensor, found one of 2 returns over 1',
    );
  });
});
