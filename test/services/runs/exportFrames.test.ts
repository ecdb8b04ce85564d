// A run as a SemanticKITTI sequence, read as the format's own tools do: points, labels, poses, times, label map.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Handlers } from '#services/handlers.ts';
import { rotate } from '#domain/shared/pose.ts';
import { sampleClasses, sampleScan, sampleTick } from '#test/recordings/samples.ts';
import { recordedRun } from '../recordedRun.ts';
import { callContext } from '#test/support/context.ts';

const ticks = 3;
const rows = 40;

function exportTo(handlers: Handlers<'runs'>, out: string, more: object = {}) {
  const request = { runId: 'run', format: 'semantickitti', sensor: 'vlp-16', out } as const;
  return handlers['runs.export']({ ...request, isReplacing: false, ...more }, callContext);
}

type Row = number[];

/** 3 × 4 numbers of a line as a function of points. */
function transform(line: string): (point: Row) => Row {
  const numbers = line.trim().split(' ').map(Number);
  expect(numbers).toHaveLength(12);
  return ([x = 0, y = 0, z = 0]) =>
    [0, 4, 8].map((at) => {
      const [a = 0, b = 0, c = 0, d = 0] = numbers.slice(at, at + 4);
      return a * x + b * y + c * z + d;
    });
}

it('gives back every point in the world, with class and object', async () => {
  const { handlers, dataFolder } = await recordedRun({ ticks, rows });
  const out = join(dataFolder, '00');
  const { reply } = await exportTo(handlers, out);
  // Every fifth row of the second scan is a pulse without an echo.
  expect(reply).toMatchObject({ files: [out], points: ticks * rows - rows / 5 });
  expect(reply.leftOut[0]).toBe(`${rows / 5} pulses without an echo`);
  expect(readdirSync(join(out, 'velodyne'))).toEqual(['000000.bin', '000001.bin', '000002.bin']);
  const text = (name: string): string => readFileSync(join(out, name), 'utf8');
  expect(text('times.txt').trim().split('\n').map(Number)).toEqual([0, 0.1, 0.2]);
  const poses = text('poses.txt').trim().split('\n').map(transform);
  const worldFromFirst = transform(text('world_from_first.txt'));
  const cameraFromSensor = transform(/^Tr: (.*)$/m.exec(text('calib.txt'))?.[1] ?? '');
  const sensorFromCamera = ([x = 0, y = 0, z = 0]: Row): Row => [z, -x, -y];
  expect(sensorFromCamera(cameraFromSensor([1, 2, 3]))).toEqual([1, 2, 3]);
  let beyond = 0;
  for (let tick = 0; tick < ticks; tick += 1) {
    const bin = readFileSync(join(out, `velodyne/00000${tick}.bin`));
    const labels = readFileSync(join(out, `labels/00000${tick}.label`));
    const { table } = sampleScan(tick, 0, rows);
    const pose = sampleTick(tick).sensorPoses[0];
    if (pose === undefined) throw new Error('a tick without a pose');
    let point = 0;
    for (let row = 0; row < rows; row += 1) {
      const world = [table.x_m?.[row], table.y_m?.[row], table.z_m?.[row]].map(Number);
      if (Number.isNaN(world[0])) continue;
      const at = [0, 4, 8].map((axis) => bin.readFloatLE(16 * point + axis));
      const inFirst = sensorFromCamera(poses[tick]?.(cameraFromSensor(at)) ?? []);
      const back = [worldFromFirst(inFirst), rotate(pose.rotation, at as [number, number, number])];
      // Single precision at 200 m: 8 µm, times the rotation.
      for (const axis of [0, 1, 2] as const) {
        expect(back[0]?.[axis]).toBeCloseTo(world[axis] ?? NaN, 4);
        expect((back[1]?.[axis] ?? NaN) + pose.positionM[axis]).toBeCloseTo(world[axis] ?? NaN, 4);
      }
      expect(bin.readFloatLE(16 * point + 12)).toBe(table.intensity?.[row]);
      const label = labels.readUInt32LE(4 * point);
      expect(label & 0xffff).toBe((table.class_id?.[row] ?? NaN) + 1);
      const id = table.object_id?.[row] ?? NaN;
      expect(label >>> 16).toBe(id > 65535 ? 0 : id);
      beyond += id > 65535 ? 1 : 0;
      point += 1;
    }
    expect([bin.length, labels.length]).toEqual([16 * point, 4 * point]);
  }
  expect(reply.leftOut[1]).toContain(`instances of ${beyond} points`);
  const map = parse(text('semantic-kitti.yaml')) as Record<string, Record<number, unknown>>;
  expect(Object.values(map['labels'] ?? {})).toEqual(['unlabeled', ...sampleClasses]);
  expect(map['color_map']?.[1]).toHaveLength(3);
  expect(map['learning_map']).toEqual({ 0: 0, 1: 1, 2: 2, 3: 3 });
});

it('asks for the sensor where there are several, and spares what is there', async () => {
  const { handlers, dataFolder } = await recordedRun({ ticks: 1, rows });
  const out = join(dataFolder, '00');
  const unnamed = handlers['runs.export'](
    { runId: 'run', format: 'semantickitti', out, isReplacing: false },
    callContext,
  );
  await expect(unnamed).rejects.toMatchObject({ details: { problems: [{ path: 'sensor' }] } });
  mkdirSync(out);
  await exportTo(handlers, out);
  await expect(exportTo(handlers, out)).rejects.toMatchObject({
    details: { problems: [{ path: 'out', code: 'exists' }] },
  });
  await exportTo(handlers, out, { isReplacing: true });
  writeFileSync(join(out, 'notes.txt'), 'mine');
  await expect(exportTo(handlers, out, { isReplacing: true })).rejects.toThrow(/other contents/);
  expect(readFileSync(join(out, 'notes.txt'), 'utf8')).toBe('mine');
});
