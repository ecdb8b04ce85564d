// Bags of planar scanners: LaserScan, as the drivers of SICK and Hokuyo publish it.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { beamStates } from '#contract/log/log.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { type Message, stampOf, tf, writeMcap } from './foreignFiles.ts';
import { imported } from './imported.ts';

const columns = 271;
const scanNs = 25_000_000;
const scans = 6;
const sinceNs = (index: number): number => Math.round((index * scanNs) / 1440);
const angleRad = (index: number): number => ((index - 135) * Math.PI) / 180;
/** Round walls with a gap, a reading too near, and an invalid one. */
const rangeM = (index: number): number => {
  if (index > 100 && index < 120) return Infinity;
  return index === 5 ? 0.01 : index === 6 ? NaN : 4 + index / 100;
};
const returned = Array.from({ length: columns }, (_, index) => index).filter(
  (index) => index !== 5 && index !== 6 && !(index > 100 && index < 120),
);

/** Along x at 1 m/s, half a metre high. */
const poseAt = (timeNs: number): Pose => {
  return { positionM: [timeNs / 1e9, 0, 0.5], rotation: [0, 0, 0, 1] };
};

function scan(number: number): Message {
  const timeNs = number * scanNs;
  const ranges = Float32Array.from({ length: columns }, (_, index) => rangeM(index));
  const message = {
    header: { stamp: stampOf(timeNs), frame_id: 'laser' },
    angle_min: angleRad(0),
    angle_max: angleRad(columns - 1),
    angle_increment: Math.PI / 180,
    time_increment: scanNs / 1440 / 1e9,
    scan_time: scanNs / 1e9,
    range_min: 0.1,
    range_max: 30,
    ranges,
    intensities: ranges.map((_, index) => index),
  };
  return { topic: '/scan', type: 'sensor_msgs/msg/LaserScan', timeNs, message };
}

it('are read pulse by pulse, in the plane of the scanner', async () => {
  const file = join(temporaryFolder(), 'x.mcap');
  const poses = Array.from({ length: 40 }, (_, step) =>
    tf('odom', 'laser', step * 5e6, poseAt(step * 5e6)),
  );
  await writeMcap(file, [...poses, ...Array.from({ length: scans }, (_, number) => scan(number))]);
  const { reply, beams } = await imported(file);
  expect(reply).toMatchObject({ returns: scans * returned.length, lasers: 1 });
  const hits = beams.filter(({ state }) => state === beamStates.returned);
  for (const [row, beam] of hits.entries()) {
    const [number, index] = [
      Math.floor(row / returned.length),
      returned[row % returned.length] ?? 0,
    ];
    // Ranges, angles and times are single precision.
    expect(Math.abs(beam.rangeM - rangeM(index))).toBeLessThan(1e-6);
    expect(beam.intensity).toBe(index);
    expect(beam.origin[0]).toBeCloseTo((number * scanNs + sinceNs(index)) / 1e9, 6);
    expect(beam.direction[0]).toBeCloseTo(Math.cos(angleRad(index)), 5);
    expect(beam.direction[1]).toBeCloseTo(Math.sin(angleRad(index)), 5);
    expect(beam.direction[2]).toBeCloseTo(0, 6);
  }
  const still = await imported(file, { timeField: 'none' });
  expect(still.reply.derived).toContain('time');
});
