// LAS files read back by a small reader written from the specification (ASPRS LAS 1.4 R15).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultScanColumns, type ReturnTable } from '#contract/columns.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { sampleTable } from './samples.ts';
import { temporaryFolder } from './temporary.ts';

const classes = ['ground', 'tree', 'lamp post'];
const options = { format: 'las' as const, classes, isReplacing: false };
const pieces = [
  { table: sampleTable(700, { seed: 1, fromNs: 0, misses: true }), rows: 700, sensor: 0 },
  { table: sampleTable(3000, { seed: 2, fromNs: 7e9, noise: true }), rows: 3000, sensor: 1 },
];
const extraTypes: Record<number, { bytes: number; read: (data: Buffer, at: number) => number }> = {
  1: { bytes: 1, read: (data, at) => data.readUInt8(at) },
  3: { bytes: 2, read: (data, at) => data.readUInt16LE(at) },
  5: { bytes: 4, read: (data, at) => data.readUInt32LE(at) },
  7: { bytes: 8, read: (data, at) => Number(data.readBigUInt64LE(at)) },
  9: { bytes: 4, read: (data, at) => data.readFloatLE(at) },
};

function textAt(bytes: Buffer, at: number, room: number): string {
  return bytes.toString('latin1', at, at + room).replace(/\0.*$/s, '');
}

function recordsOf(bytes: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>();
  let at = bytes.readUInt16LE(94);
  for (let index = 0; index < bytes.readUInt32LE(100); index++) {
    const size = bytes.readUInt16LE(at + 20);
    const key = `${textAt(bytes, at + 2, 16)} ${bytes.readUInt16LE(at + 18)}`;
    records.set(key, bytes.subarray(at + 54, at + 54 + size));
    at += 54 + size;
  }
  expect(at).toBe(bytes.readUInt32LE(96));
  return records;
}

/** Names and places of the extra bytes, as the record says; offsets count from a point's start. */
function extrasOf(record: Buffer) {
  let offset = 30;
  return Array.from({ length: record.length / 192 }, (_, index) => {
    const type = extraTypes[record.readUInt8(192 * index + 2)];
    if (type === undefined) throw new Error('a type that no column has');
    offset += type.bytes;
    const name = textAt(record, 192 * index + 4, 32);
    return { name, at: offset - type.bytes, read: type.read };
  });
}

test('LAS 1.4: header, records, and every value of every point', async () => {
  const file = join(temporaryFolder(), 'cloud.las');
  const sensors = ['roof', 'front'];
  const exporter = await createExporters({ dataFolder: null }).create(file, {
    ...options,
    columns: defaultScanColumns,
    sensors,
  });
  for (const { table, rows, sensor } of pieces) await exporter.write(table, rows, sensor);
  const closed = await exporter.close();
  expect(closed).toEqual({
    files: [file],
    points: 3560,
    leftOut: ['140 pulses without an echo'],
  });

  const bytes = readFileSync(file);
  expect(bytes.toString('latin1', 0, 4)).toBe('LASF');
  expect([...bytes.subarray(24, 26)]).toEqual([1, 4]);
  expect(bytes.readUInt16LE(94)).toBe(375);
  expect(bytes.readUInt8(104)).toBe(6);
  expect(Number(bytes.readBigUInt64LE(247))).toBe(3560);
  expect(Number(bytes.readBigUInt64LE(255))).toBe(3560);
  // Point format 6 forbids the old counts, and demands a frame as well-known text.
  expect(bytes.readUInt32LE(107)).toBe(0);
  expect(bytes.readUInt16LE(6) & 16).toBe(16);
  const records = recordsOf(bytes);
  expect([...records.keys()]).toEqual([
    'LASF_Projection 2112',
    'LASF_Spec 0',
    'LASF_Spec 4',
    'LASF_Spec 3',
  ]);
  expect(records.get('LASF_Spec 3')?.toString()).toBe(
    'point source 1: roof\npoint source 2: front\n\0',
  );
  const names = records.get('LASF_Spec 0') ?? Buffer.of();
  expect([2, 5, 66].map((code) => textAt(names, 16 * code + 1, 15))).toEqual(classes);
  const extras = extrasOf(records.get('LASF_Spec 4') ?? Buffer.of());
  const stride = bytes.readUInt16LE(105);
  const data = bytes.subarray(bytes.readUInt32LE(96));
  expect(data).toHaveLength(3560 * stride);

  const least = [Infinity, Infinity, Infinity];
  let at = 0;
  for (const { table, rows, sensor } of pieces) {
    for (let row = 0; row < rows; row++) {
      if (Number.isNaN(table.x_m?.[row])) continue;
      for (const [axis, name] of (['x_m', 'y_m', 'z_m'] as const).entries()) {
        const positionM = data.readInt32LE(at + 4 * axis) * 1e-4;
        expect(Math.abs(positionM - Number(table[name]?.[row]))).toBeLessThanOrEqual(0.5001e-4);
        least[axis] = Math.min(least[axis] ?? 0, positionM);
      }
      expect(data.readUInt8(at + 14)).toBe(0x11);
      expect(data.readUInt8(at + 16)).toBe([2, 5, 66][table.class_id?.[row] ?? 0]);
      expect(data.readUInt16LE(at + 20)).toBe(sensor + 1);
      expect(Math.round(data.readDoubleLE(at + 22) * 1e9)).toBe(Number(table.time_ns?.[row]));
      checkExtras(data, at, extras, table, row);
      at += stride;
    }
  }
  for (const axis of [0, 1, 2]) {
    expect(bytes.readDoubleLE(187 + 16 * axis)).toBeCloseTo(least[axis] ?? NaN, 9);
  }
});

function checkExtras(
  data: Buffer,
  at: number,
  extras: ReturnType<typeof extrasOf>,
  table: ReturnTable,
  row: number,
): void {
  const inFields = ['time_ns', 'x_m', 'y_m', 'z_m'];
  expect(extras).toHaveLength(defaultScanColumns.length - inFields.length);
  for (const extra of extras) {
    const name = extra.name === 'relative_intensity' ? 'intensity' : extra.name;
    expect(extra.read(data, at + extra.at)).toBe(
      Number((table as Record<string, ArrayLike<number | bigint>>)[name]?.[row]),
    );
  }
}

test('intensity, counts and angles fit their fields, whatever the values', async () => {
  const file = join(temporaryFolder(), 'cloud.las');
  const columns = [
    'x_m',
    'y_m',
    'z_m',
    'intensity',
    'return_no',
    'n_returns',
    'azimuth_rad',
  ] as const;
  const exporter = await createExporters({ dataFolder: null }).create(file, {
    ...options,
    columns: [...columns],
  });
  await exporter.write(
    {
      x_m: Float32Array.of(1, 2),
      y_m: Float32Array.of(0, 0),
      z_m: Float32Array.of(0, 0),
      intensity: Float32Array.of(0.5, 3),
      return_no: Uint8Array.of(2, 16),
      n_returns: Uint8Array.of(3, 16),
      azimuth_rad: Float32Array.of(Math.PI / 2, (3 * Math.PI) / 2),
    },
    2,
  );
  await exporter.close();
  const bytes = readFileSync(file);
  const at = bytes.readUInt32LE(96);
  const second = at + bytes.readUInt16LE(105);
  expect([at, second].map((point) => bytes.readUInt16LE(point + 12))).toEqual([32768, 65535]);
  expect([at, second].map((point) => bytes.readUInt8(point + 14))).toEqual([0x32, 0xff]);
  expect([at, second].map((point) => bytes.readInt16LE(point + 18))).toEqual([15000, -15000]);
});

test('a LAS file without positions, or of a point beyond its reach, is refused', async () => {
  const file = join(temporaryFolder(), 'cloud.las');
  const exporters = createExporters({ dataFolder: null });
  await expect(
    exporters.create(file, { ...options, columns: ['x_m', 'range_m'] }),
  ).rejects.toMatchObject({ code: 'bad-input', details: { problems: [{ path: 'columns' }] } });
  const exporter = await exporters.create(file, { ...options, columns: ['x_m', 'y_m', 'z_m'] });
  const far = { x_m: Float32Array.of(3e5), y_m: Float32Array.of(0), z_m: Float32Array.of(0) };
  await expect(exporter.write(far, 1)).rejects.toThrow(/214.* km/);
  await exporter.abort();
});
