// Errors of poses in the logs of the mobile experiment: beams leave from the true path, and are written with the
// reported one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { rotate } from '#domain/shared/pose.ts';
import { reportedTrajectory, trajectoryPoseAt } from '#domain/trajectory/trajectory.ts';
import { withPoseNoise, type PoseNoise } from '#domain/trajectory/poseNoise.ts';
import { withBench, type ValidationBench } from '#validation/bench.ts';
import { recordLog } from '#validation/learned/logs.ts';
import { straight } from '#validation/trajectories.ts';
import { unattended, validationPorts } from './validationPorts.ts';

const toNs = 0.4e9;
const trajectory = straight([0, 0, 2], [1, 0, 2], toNs);
const poseNoise: PoseNoise = { position: { sigma: 0.02, correlationS: 1 } };
const folder = mkdtempSync(join(tmpdir(), 'understory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Place = [xM: number, yM: number, zM: number];

interface Beam {
  timeNs: number;
  isReturn: boolean;
  originM: Place;
  direction: Place;
  endM: Place;
}

const headingNoise: PoseNoise = { attitude: { sigma: [0, 0, 0.01], correlationS: 1 } };

const logs: Record<'exact' | 'noisy' | 'again' | 'other' | 'samePoses' | 'turned', Beam[]> = {
  exact: [],
  noisy: [],
  again: [],
  other: [],
  samePoses: [],
  turned: [],
};

beforeAll(async () => {
  await withBench(validationPorts(), unattended.signal, async (bench) => {
    const material = { lambertian: { reflectance: 0.5 } };
    const ground: SceneInput['ground'] = {
      kind: 'plane',
      sizeM: [400, 400],
      material: 'lambertian',
    };
    await bench.build(await bench.scene({ materials: material, ground }, 1));
    logs.exact = await recorded(bench, 'exact', 7);
    logs.noisy = await recorded(bench, 'noisy', 7, poseNoise);
    logs.again = await recorded(bench, 'again', 7, poseNoise);
    logs.other = await recorded(bench, 'other', 8, poseNoise);
    logs.samePoses = await recorded(bench, 'samePoses', 8, poseNoise, 7);
    logs.turned = await recorded(bench, 'turned', 7, headingNoise);
  });
});

async function recorded(
  bench: ValidationBench,
  name: string,
  seed: number,
  noise?: PoseNoise,
  poseSeed = seed,
): Promise<Beam[]> {
  const file = join(folder, `${name}.log`);
  const sensor = await bench.sensor('vlp-16');
  const classes = ['', 'ground'];
  const order = { file, sensor, trajectory, toNs, seed, classes, volumes: new Set<number>() };
  await recordLog(bench, { ...order, poseSeed, ...(noise && { poseNoise: noise }) });
  const reader = await bench.logs.open(file);
  const beams: Beam[] = [];
  for await (const { table, beams: rows } of reader.tables()) {
    for (let row = 0; row < rows; row += 1) {
      const column = (values: ArrayLike<number>): number => values[row] ?? NaN;
      const originM: Place = [
        column(table.origin_x_m),
        column(table.origin_y_m),
        column(table.origin_z_m),
      ];
      const rangeM = column(table.range_m);
      const direction: Place = [
        column(table.direction_x),
        column(table.direction_y),
        column(table.direction_z),
      ];
      beams.push({
        timeNs: Number(table.time_ns[row]),
        isReturn: !Number.isNaN(rangeM),
        originM,
        direction,
        endM: [
          originM[0] + rangeM * direction[0],
          originM[1] + rangeM * direction[1],
          originM[2] + rangeM * direction[2],
        ],
      });
    }
  }
  await reader.close();
  return beams;
}

it('writes the true poses where there is no error', () => {
  expect(logs.exact.some(({ isReturn }) => isReturn)).toBe(true);
  expect(logs.exact.some(({ isReturn }) => !isReturn)).toBe(true);
  for (const { timeNs, originM } of logs.exact) {
    expectNear(originM, trajectoryPoseAt(trajectory, timeNs).positionM, 1e-4);
  }
});

it('writes the reported poses, with and without a return, and moves the points by the error', () => {
  const leg = { name: '', fromNs: 0, toNs, trajectory };
  const reported = reportedTrajectory(withPoseNoise(leg, poseNoise, 7, 0));
  expect(logs.noisy).toHaveLength(logs.exact.length);
  for (const [row, { timeNs, isReturn, originM, endM }] of logs.noisy.entries()) {
    const exact = logs.exact[row];
    if (exact === undefined) throw new RangeError('the logs have different beams');
    expect(isReturn).toBe(exact.isReturn);
    expectNear(originM, trajectoryPoseAt(reported, timeNs).positionM, 1e-4);
    if (!isReturn) continue;
    const moved = [0, 1, 2].map((axis) => (endM[axis] ?? 0) - (exact.endM[axis] ?? 0));
    const error = [0, 1, 2].map((axis) => (originM[axis] ?? 0) - (exact.originM[axis] ?? 0));
    expectNear(moved, error, 2e-4);
  }
});

it('turns beams with and without a return by the error of the heading', () => {
  const leg = { name: '', fromNs: 0, toNs, trajectory };
  const reported = reportedTrajectory(withPoseNoise(leg, headingNoise, 7, 0));
  expect(logs.turned).toHaveLength(logs.exact.length);
  for (const [row, { timeNs, direction, originM }] of logs.turned.entries()) {
    const exact = logs.exact[row];
    if (exact === undefined) throw new RangeError('the logs have different beams');
    expectNear(originM, exact.originM, 1e-4);
    const expected = rotate(trajectoryPoseAt(reported, timeNs).rotation, exact.direction);
    expectNear(direction, expected, 1e-6);
  }
});

it('has poses of their own seed', () => {
  const originsOf = (beams: Beam[]) => beams.map(({ originM }) => originM);
  expect(originsOf(logs.samePoses)).toEqual(originsOf(logs.noisy));
  expect(logs.samePoses).not.toEqual(logs.noisy);
});

it('draws the error by the seed', () => {
  expect(logs.again).toEqual(logs.noisy);
  expect(logs.other.map(({ originM }) => originM)).not.toEqual(
    logs.noisy.map(({ originM }) => originM),
  );
});

function expectNear(found: readonly number[], expected: readonly number[], withinM: number): void {
  const offsets = found.map((value, axis) => Math.abs(value - (expected[axis] ?? NaN)));
  // Why one comparison: an assertion for each number would take longer than the scans.
  if (!offsets.every((offset) => offset <= withinM)) expect(found).toEqual(expected);
}
