// LAS files read back by a small reader written from the specification (ASPRS LAS 1.4 R15).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  beamColumns,
  defaultScanColumns,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import type { Firings } from '#domain/sensor/firings.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import { sampleTable } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

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
  8: { bytes: 8, read: (data, at) => Number(data.readBigInt64LE(at)) },
  9: { bytes: 4, read: (data, at) => data.readFloatLE(at) },
  10: { bytes: 8, read: (data, at) => data.readDoubleLE(at) },
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
    'Understory 1',
    'Understory 2',
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
  const inFields = ['x_m', 'y_m', 'z_m', 'return_no', 'n_returns', 'class_id'];
  expect(extras).toHaveLength(defaultScanColumns.length - inFields.length);
  for (const extra of extras) {
    const name = extra.name === 'relative_intensity' ? 'intensity' : extra.name;
    expect(extra.read(data, at + extra.at)).toBe(
      Number((table as Record<string, ArrayLike<number | bigint>>)[name]?.[row]),
    );
  }
}

/** A table of points without further columns. */
function pointsAt(xM: readonly number[]): ReturnTable {
  const zeros = (): Float32Array<ArrayBuffer> => new Float32Array(xM.length);
  return { x_m: Float32Array.from(xM), y_m: zeros(), z_m: zeros() };
}

async function written(
  columns: readonly ReturnColumnName[],
  table: ReturnTable,
  more: Partial<Parameters<Exporters['create']>[1]> = {},
): Promise<{ bytes: Buffer; leftOut: string[] }> {
  const file = join(temporaryFolder(), 'cloud.las');
  const exporter = await createExporters({ dataFolder: null }).create(file, {
    ...options,
    columns: ['x_m', 'y_m', 'z_m', ...columns],
    ...more,
  });
  await exporter.write(table, table.x_m?.length ?? 0);
  const { leftOut } = await exporter.close();
  return { bytes: readFileSync(file), leftOut };
}

/** Where the points begin. */
function pointsOf(bytes: Buffer): number[] {
  const [at, stride] = [bytes.readUInt32LE(96), bytes.readUInt16LE(105)];
  const points = Number(bytes.readBigUInt64LE(247));
  return Array.from({ length: points }, (_, index) => at + index * stride);
}

test('counts fit their fields, and those beyond are named', async () => {
  const { bytes, leftOut } = await written(['return_no', 'n_returns'], {
    ...pointsAt([1, 2]),
    return_no: Uint8Array.of(2, 16),
    n_returns: Uint8Array.of(3, 16),
  });
  expect(pointsOf(bytes).map((point) => bytes.readUInt8(point + 14))).toEqual([0x32, 0xff]);
  expect(leftOut).toEqual(['numbers of 1 returns beyond the 15th of a pulse']);
});

test.each([
  [[0.5, 0.75], 65535],
  // A retro-reflector, and signals by the radar equation.
  [[159, 0.5, 12.25], 65535 / 256],
  [[3e-4, 2e-6], 65535 * 2 ** 11],
])('the intensities %j are scaled by the factor that the file states', async (values, factor) => {
  const intensity = Float32Array.from(values);
  const { bytes } = await written(['intensity'], { ...pointsAt(values), intensity });
  const stated = recordsOf(bytes).get('Understory 1')?.toString() ?? '';
  expect(Number(/factor = (\S+)/.exec(stated)?.[1])).toBe(factor);
  const [extra] = extrasOf(recordsOf(bytes).get('LASF_Spec 4') ?? Buffer.of());
  for (const [row, at] of pointsOf(bytes).entries()) {
    const relative = intensity[row] ?? NaN;
    expect(extra?.read(bytes, at + extra.at)).toBe(relative);
    // Half a step.
    expect(Math.abs(bytes.readUInt16LE(at + 12) - factor * relative)).toBeLessThanOrEqual(0.5);
  }
});

const beams: readonly ReturnColumnName[] = [...beamColumns, 'azimuth_rad'];
/** Straight down, 30° from it to the left of the sensor, level to its right. */
const beamTable = {
  azimuth_rad: Float32Array.of(0, Math.PI / 2, -Math.PI / 2),
  beam_origin_x_m: Float32Array.of(1, 2, 3),
  beam_origin_y_m: Float32Array.of(4, 5, 6),
  beam_origin_z_m: Float32Array.of(7, 8, 9),
  beam_direction_x: Float32Array.of(0, 0, 0),
  beam_direction_y: Float32Array.of(0, 0.5, -1),
  beam_direction_z: Float32Array.of(-1, -Math.sqrt(0.75), 0),
};

test('beams have the names of PDAL, and the angle from straight down', async () => {
  const { bytes } = await written(beams, { ...pointsAt([1, 2, 3]), ...beamTable });
  const record = recordsOf(bytes).get('LASF_Spec 4') ?? Buffer.of();
  const names = Array.from({ length: 6 }, (_, index) => textAt(record, 192 * index + 4, 32));
  expect(names).toEqual([
    ...['BeamOriginX', 'BeamOriginY', 'BeamOriginZ'],
    ...['BeamDirectionX', 'BeamDirectionY', 'BeamDirectionZ'],
  ]);
  const points = pointsOf(bytes);
  expect(points.map((at) => bytes.readDoubleLE(at + 30 + 16))).toEqual([7, 8, 9]);
  expect(points.map((at) => bytes.readFloatLE(at + 30 + 28))).toEqual([0, 0.5, -1]);
  // Steps of 0.006°.
  expect(points.map((at) => bytes.readInt16LE(at + 18))).toEqual([0, -5000, 15000]);
});

test('scan angles of a sensor that travels are about its direction of travel', async () => {
  const table = { ...pointsAt([1, 2, 3]), ...beamTable };
  const anglesAlong = async (x: number, y: number): Promise<number[]> => {
    const { bytes } = await written(beams, table, { travelAt: () => [x, y] });
    return pointsOf(bytes).map((at) => bytes.readInt16LE(at + 18));
  };
  // Eastwards, left is the north; westwards, it is right; northwards, both beams lie in the plane of the track.
  expect(await anglesAlong(1, 0)).toEqual([0, -5000, 15000]);
  expect(await anglesAlong(-1, 0)).toEqual([0, 5000, -15000]);
  expect((await anglesAlong(0, 1)).map(Math.abs)).toEqual([0, 0, 0]);
});

test('pulses without an echo are withheld points along their beams', async () => {
  const table = { ...pointsAt([1, NaN, 3]), ...beamTable };
  const { bytes, leftOut } = await written(beams, table, { missRangeM: 50 });
  expect(leftOut).toEqual([]);
  const [, miss = 0, last = 0] = pointsOf(bytes);
  const steps = [0, 4, 8].map((axis) => bytes.readInt32LE(miss + axis) * 1e-4);
  const expected = [2, 5 + 25, 8 - 50 * Math.sqrt(0.75)];
  for (const [axis, at] of steps.entries()) expect(at).toBeCloseTo(expected[axis] ?? NaN, 4);
  // The first of one return, withheld, never classified.
  expect([...bytes.subarray(miss + 14, miss + 17)]).toEqual([0x11, 4, 0]);
  expect(bytes.readUInt8(last + 15)).toBe(0);
  // All points are a first return.
  expect(Number(bytes.readBigUInt64LE(255))).toBe(3);
  // Without beams there is no place for them.
  const without = await written([], pointsAt([NaN]), { missRangeM: 50 });
  expect(without.leftOut).toEqual(['1 pulses without an echo']);
});

test('a class has the code of the scenario; where two share one, class_id stays', async () => {
  const table = { ...pointsAt([1, 2, 3]), class_id: Uint16Array.of(0, 1, 2) };
  const codes = async (lasCodes: Record<string, number>) => {
    const { bytes } = await written(['class_id'], table, { lasCodes });
    const extras = recordsOf(bytes).get('LASF_Spec 4');
    return [pointsOf(bytes).map((at) => bytes.readUInt8(at + 16)), extras?.length ?? 0];
  };
  expect(await codes({ 'lamp post': 14 })).toEqual([[2, 5, 14], 0]);
  expect(await codes({ 'lamp post': 5 })).toEqual([[2, 5, 5], 192]);
});

test('a LAS file without positions, or of a point beyond its reach, is refused', async () => {
  const file = join(temporaryFolder(), 'cloud.las');
  const exporters = createExporters({ dataFolder: null });
  await expect(
    exporters.create(file, { ...options, columns: ['x_m', 'range_m'] }),
  ).rejects.toMatchObject({ code: 'bad-input', details: { problems: [{ path: 'columns' }] } });
  const exporter = await exporters.create(file, { ...options, columns: ['x_m', 'y_m', 'z_m'] });
  const far = { x_m: Float32Array.of(3e5), y_m: Float32Array.of(0), z_m: Float32Array.of(0) };
  await expect(exporter.write(far, 1)).rejects.toMatchObject({
    details: {
      problems: [{ path: 'out', message: expect.stringMatching(/214\.748 km/) as string }],
    },
  });
  await exporter.abort();
});

test('times of a known instant are adjusted standard GPS times', async () => {
  const written = async (epochS?: number): Promise<Buffer> => {
    const file = join(temporaryFolder(), 'cloud.las');
    const { columns, table } = { columns: defaultScanColumns, table: pieces[1]?.table ?? {} };
    const exporter = await createExporters({ dataFolder: null }).create(file, {
      ...options,
      columns,
      ...(epochS !== undefined && { epochS }),
    });
    await exporter.write(table, 3000);
    await exporter.close();
    return readFileSync(file);
  };
  const timeOf = (bytes: Buffer): number => bytes.readDoubleLE(bytes.readUInt32LE(96) + 22);
  const simulated = await written();
  expect(simulated.readUInt16LE(6) & 1).toBe(0);
  // 2023-11-14 22:13:20 UTC is second 252,818 of GPS week 2288 (Tuesday); 18 leap seconds. Doubles of this size are exact to 60 ns.
  const known = await written(1_700_000_000);
  expect(known.readUInt16LE(6) & 1).toBe(1);
  const gpsS = 2288 * 604_800 + 252_818;
  expect(timeOf(known) - timeOf(simulated)).toBeCloseTo(gpsS - 1e9, 6);
  // 2000-01-01 12:00:00 UTC: 13 leap seconds.
  const early = await written(946_728_000);
  expect(timeOf(early) - timeOf(simulated)).toBeCloseTo(946_728_000 - 315_964_800 + 13 - 1e9, 6);
});

describe('pulses of one firing', () => {
  /** Two lasers that fire together, then a third; two returns of the first laser. */
  const three: Firings = {
    placeOf: (pulse) => [0, 1, 0][pulse % 3] ?? 0,
    pulses: 2,
    gapNs: 500,
    lasers: 3,
  };
  const times = {
    ...pointsAt([1, 1.5, 2, 3, 4]),
    time_ns: BigInt64Array.of(1000n, 1000n, 1000n, 1500n, 2000n),
    pulse: BigUint64Array.of(3n, 3n, 4n, 5n, 7n),
    ring: Uint16Array.of(0, 0, 2, 1, 2),
    return_no: Uint8Array.of(1, 2, 1, 1, 1),
    n_returns: Uint8Array.of(2, 2, 1, 1, 1),
  };
  const columns = ['time_ns', 'pulse', 'ring', 'return_no', 'n_returns'] as const;
  const timesOf = (bytes: Buffer): number[] =>
    pointsOf(bytes).map((at) => bytes.readDoubleLE(at + 22));

  test('have times of their own, which their returns share, and the exact one beside', async () => {
    const { bytes } = await written(columns, times, { firings: [three] });
    // The first laser of the second firing has no return: the other keeps its place.
    const ns = timesOf(bytes).map((timeS) => Math.round(timeS * 1e9));
    expect(ns).toEqual([1000, 1000, 1100, 1500, 2100]);
    expect(pointsOf(bytes).map((at) => bytes.readUInt8(at + 17))).toEqual([0, 0, 2, 1, 2]);
    const [exact] = extrasOf(recordsOf(bytes).get('LASF_Spec 4') ?? Buffer.of());
    expect(exact?.name).toBe('time_ns');
    const stated = pointsOf(bytes).map((at) => exact?.read(bytes, at + exact.at));
    expect(stated).toEqual([1000, 1000, 1000, 1500, 2000]);
    expect(recordsOf(bytes).get('Understory 2')?.toString()).toContain('+ 100 ns *');
  });

  test('fit between firings, and into more lasers than user data has none', async () => {
    const many = { ...three, gapNs: 90, lasers: 300 };
    const { bytes } = await written(columns, times, { firings: [many] });
    expect(timesOf(bytes).map((timeS) => Math.round(timeS * 1e9))[2]).toBe(1045);
    expect(pointsOf(bytes).map((at) => bytes.readUInt8(at + 17))).toEqual([0, 0, 0, 0, 0]);
    expect(recordsOf(bytes).get('Understory 2')?.toString()).not.toContain('user_data');
  });

  test.each([
    ['2026-07-01', 100],
    // From 2^29 s of adjusted time on a double distinguishes 119 ns.
    ['2030-07-01', 200],
  ])('are distinct in the GPS time of %s: steps of %i ns', async (day, stepNs) => {
    const lasers = 128;
    const row = Array.from({ length: lasers }, (_, laser) => laser);
    const table = {
      ...pointsAt(row),
      time_ns: BigInt64Array.from(row, () => 48_828n),
      pulse: BigUint64Array.from(row, BigInt),
      ring: Uint16Array.from(row),
    };
    const firings = [
      { placeOf: (pulse: number) => pulse % lasers, pulses: lasers, gapNs: 48_828, lasers },
    ];
    const { bytes } = await written(['time_ns', 'pulse', 'ring'], table, {
      firings,
      epochS: Date.parse(day) / 1000,
    });
    const found = timesOf(bytes);
    expect(new Set(found).size).toBe(lasers);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(recordsOf(bytes).get('Understory 2')?.toString()).toContain(`+ ${stepNs} ns *`);
  });
});
