// Taking the points of a recorded run out: of all its sensors, of one, in chosen columns.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ColumnSetName, ReturnColumnName } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { exportFormats } from '#contract/host/exportFormats.ts';
import { rotate } from '#domain/shared/pose.ts';
import { sampleTick } from '#test/recordings/samples.ts';
import { recordedRun } from '#test/services/recordedRun.ts';
import { callContext } from '#test/support/context.ts';

const rows = 30;

/** Exports three ticks of a run with two sensors as CSV. */
async function exporter(): Promise<
  (sensor?: string, columns?: (ReturnColumnName | ColumnSetName)[]) => Promise<string[][]>
> {
  const { handlers, dataFolder } = await recordedRun({ ticks: 3, rows });
  return async (sensor, columns) => {
    const out = join(dataFolder, 'cloud.csv');
    const request = {
      runId: 'run',
      format: 'csv',
      out,
      isReplacing: true,
      ...(sensor && { sensor }),
      ...(columns && { columns }),
    } as const;
    const { reply } = await handlers['runs.export'](request, callContext);
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(reply.points).toBe(lines.length - 1);
    return lines.map((line) => line.split(','));
  };
}

it('says of each row which sensor it is from, and takes out one alone', async () => {
  const exportRun = await exporter();
  const [head = [], ...all] = await exportRun();
  expect(head.at(-1)).toBe('sensor');
  const from = (name: string): string[][] => all.filter((row) => row.at(-1) === name);
  expect(from('vlp-16')).toHaveLength(3 * rows);
  expect(from('front.scanner')).toHaveLength(3 * 10);
  expect(all).toHaveLength(3 * (rows + 10));
  const [headOfOne = [], ...one] = await exportRun('front.scanner');
  expect(headOfOne).toEqual(head.slice(0, -1));
  expect(one).toEqual(from('front.scanner').map((row) => row.slice(0, -1)));
});

it('takes the points in a box of the world, and none of the misses', async () => {
  const { handlers, dataFolder } = await recordedRun({ ticks: 3, rows });
  const out = join(dataFolder, 'cloud.csv');
  const request = { runId: 'run', format: 'csv', out, isReplacing: true } as const;
  const exported = async (box?: {
    centreM: [number, number, number];
    sizeM: [number, number, number];
    yawDeg: number;
  }): Promise<number[][]> => {
    await handlers['runs.export']({ ...request, ...(box && { box }) }, callContext);
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    const at = ['x_m', 'y_m', 'z_m'].map((name) => (lines[0] ?? '').split(',').indexOf(name));
    return lines.slice(1).map((line) => at.map((column) => Number(line.split(',')[column] || NaN)));
  };
  const all = await exported();
  const xM = all.map(([x = NaN]) => x).filter(Number.isFinite);
  const middleM = [...xM].sort((a, b) => a - b)[xM.length >> 1] ?? 0;
  // A half turn about the vertical is no change for a box.
  const box = { centreM: [middleM - 500, 0, 0], sizeM: [1000, 1e6, 1e6], yawDeg: 180 };
  const inside = await exported(box as never);
  expect(inside).toEqual(all.filter(([x = NaN]) => Math.abs(x - middleM + 500) <= 500));
  expect(inside.length).toBeGreaterThan(0);
  expect(inside.length).toBeLessThan(xM.length);
});

it('refuses a sensor that the run does not have', async () => {
  const exportRun = await exporter();
  const failure = await exportRun('lms-291').catch((error: unknown) => error);
  if (!(failure instanceof UnderstoryError)) throw new Error('expected a failure');
  expect(failure).toMatchObject({ code: 'bad-input', message: "the run has no sensor 'lms-291'" });
  expect(failure.details['problems']).toMatchObject([
    { path: 'sensor', message: "expected one of vlp-16, front.scanner, found 'lms-291'" },
  ]);
});

it('exports the requested columns, and refuses columns that were not recorded', async () => {
  const exportRun = await exporter();
  const [head, ...all] = await exportRun(undefined, ['z_m', 'pulse']);
  expect(head).toEqual(['z_m', 'pulse', 'sensor']);
  expect(all).toHaveLength(3 * (rows + 10));
  // Nothing in this run has noise, a clock of its own or mirrors: what was not recorded of that follows.
  const implied = await exportRun(undefined, [
    'x_m',
    'x_clean_m',
    'time_ns',
    'sensor_time_ns',
    'mirrors',
  ]);
  expect(implied).toHaveLength(1 + all.length);
  for (const [x, cleanX, time, sensorTime, mirrors] of implied.slice(1)) {
    // A pulse without an echo has only its time.
    expect([cleanX, sensorTime, mirrors]).toEqual([x, time, x === '' ? '' : '0']);
  }
  // A set gives its recorded columns.
  const [setHead = []] = await exportRun(undefined, ['truth']);
  expect(setHead).toContain('object_id');
  expect(setHead).not.toContain('normal_x');
  const failure = await exportRun(undefined, ['z_m', 'normal_x']).catch((error: unknown) => error);
  expect((failure as UnderstoryError).code).toBe('bad-input');
  expect((failure as Error).message).toBe('the run has no normal_x');
});

it("gives points in the sensor's frame, and names what has no place in it", async () => {
  const { handlers, dataFolder } = await recordedRun({ ticks: 1, rows });
  const out = join(dataFolder, 'cloud.csv');
  const columns: ReturnColumnName[] = [
    'x_m',
    'y_m',
    'z_m',
    'range_m',
    'azimuth_rad',
    'elevation_rad',
    'beam_direction_x',
  ];
  const { reply } = await handlers['runs.export'](
    { runId: 'run', format: 'csv', out, isReplacing: false, frame: 'sensor', columns },
    callContext,
  );
  expect(reply.leftOut).toEqual(['beam_direction_x']);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n').slice(1);
  expect(lines).toHaveLength(rows + 10);
  for (const line of lines) {
    const [x, y, z, range = 0, azimuth = 0, elevation = 0] = line.split(',').map(Number);
    // Single precision at 50 m: 2 µm.
    expect(x).toBeCloseTo(range * Math.cos(elevation) * Math.cos(azimuth), 4);
    expect(y).toBeCloseTo(range * Math.cos(elevation) * Math.sin(azimuth), 4);
    expect(z).toBeCloseTo(range * Math.sin(elevation), 4);
  }
});

it('gives the beams of a run by the recorded poses, each to its point', async () => {
  const { handlers, dataFolder } = await recordedRun({ ticks: 1, rows });
  const out = join(dataFolder, 'cloud.csv');
  const request = {
    runId: 'run',
    format: 'csv',
    out,
    isReplacing: false,
    sensor: 'vlp-16',
  } as const;
  await handlers['runs.export'](
    {
      ...request,
      columns: ['beam', 'azimuth_rad', 'elevation_rad', 'range_m', 'x_m', 'y_m', 'z_m'],
    },
    callContext,
  );
  // One tick has one pose.
  const pose = sampleTick(0).sensorPoses[0];
  if (pose === undefined) throw new Error('a tick without a pose');
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n').slice(1);
  for (const line of lines) {
    const numbers = line.split(',').map(Number);
    const [azimuth = 0, elevation = 0] = numbers.slice(6);
    const level = Math.cos(elevation);
    const direction = rotate(pose.rotation, [
      level * Math.cos(azimuth),
      level * Math.sin(azimuth),
      Math.sin(elevation),
    ]);
    const [range = NaN, ...point] = numbers.slice(8);
    for (const [axis, value] of direction.entries()) {
      expect(numbers[3 + axis]).toBeCloseTo(value, 5);
      const end = (numbers[axis] ?? NaN) + range * value;
      if (!Number.isNaN(range)) expect(end).toBeCloseTo(point[axis] ?? NaN, 4);
    }
  }
});

it.each(exportFormats)(
  'leaves a file that is there as it was, unasked and cancelled: %s',
  async (format) => {
    const { handlers, dataFolder } = await recordedRun({ ticks: 3, rows });
    const out = join(dataFolder, `cloud.${format}`);
    writeFileSync(out, 'as it was');
    const filesBefore = readdirSync(dataFolder).sort();
    const request = { runId: 'run', format, out } as const;
    const controller = new AbortController();
    const cancelling = {
      signal: controller.signal,
      // In the midst of it: after the first scan.
      progress: () => controller.abort(),
      chunk: () => Promise.resolve(),
    };
    const refused = handlers['runs.export']({ ...request, isReplacing: false }, cancelling);
    await expect(refused).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: 'out', code: 'exists' }], existing: { bytes: 9 } },
    });
    const cancelled = handlers['runs.export']({ ...request, isReplacing: true }, cancelling);
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(readFileSync(out, 'utf8')).toBe('as it was');
    expect(readdirSync(dataFolder).sort()).toEqual(filesBefore);
  },
);

it('names the folder that is missing, at the field of the file', async () => {
  const { handlers, dataFolder } = await recordedRun({ ticks: 1, rows });
  const out = join(dataFolder, 'missing', 'deeper', 'cloud.csv');
  const request = { runId: 'run', format: 'csv', out, isReplacing: false } as const;
  const message = `there is no folder '${join(dataFolder, 'missing')}': make it, or choose another`;
  await expect(handlers['runs.export'](request, callContext)).rejects.toMatchObject({
    code: 'not-found',
    message,
    details: { problems: [{ path: 'out', message }] },
  });
});
