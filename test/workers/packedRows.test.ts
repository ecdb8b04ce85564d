// Rows packed by the worker are what this process would have packed, to the byte: any columns, any
// number of threads, through the death of the worker. The rows are those of a real scan of grass.
import { McapRecordBuilder } from '@mcap/core';
import { crc32, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { returnColumnNames, type ReturnColumnName, type ReturnTable } from '#contract/columns.ts';
import { cloudPacking, driverPacking } from '#recordings/ros/cloudPacking.ts';
import { coordinateStepM } from '#recordings/ros/driverFields.ts';
import { decodeDriverCloud, driverClouds, encodeDriverCloud } from '#recordings/ros/driverCloud.ts';
import { decodeCloud, encodeCloud } from '#recordings/ros/pointCloud.ts';
import { firstPulseFrom } from '#recordings/ros/pulseNumbers.ts';
import { scanPacked, type PackedScan } from '#services/runProcess/packedScan.ts';
import type { PackedRows, RowPacking, ScanWorker } from '#services/ports/workers.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import { seededRandom } from '#test/recordings/samples.ts';
import { compileScenario, openWorker, onlySensor } from './realWorker.ts';
import { straight } from '#validation/trajectories.ts';

// Not zero: times count from here, pulses from the first that fires.
const fromNs = 7_300_000_000;
const toNs = fromNs + 50e6;
const message = { channelId: 9, sequence: 73, timeNs: toNs, fromNs };

const field = await compileScenario();
const { worker: one } = await openWorker(field, { threads: 1 });
const { worker: two } = await openWorker(field, { threads: 2 });
// Noise, so that clean ranges are worth a field.
const sensor = { ...onlySensor(field), quantisation: { rangeM: 0.004, azimuthRad: 0 } };
const order = { sensor, toNs, trajectory: straight([-1, 0, 1.5], [1, 0, 1.5], 10e9) };

interface Scanned {
  result: PackedScan;
  table: ReturnTable;
  rows: number;
}

async function scan(
  worker: ScanWorker,
  columns: ReturnColumnName[],
  extra: {
    packings?: RowPacking[];
    sample?: { columns: ReturnColumnName[]; maxRows: number };
    hashColumns?: ReturnColumnName[];
    chunkPulses?: number;
    onChunk?: (chunk: number) => void;
  } = {},
): Promise<Scanned> {
  const { packings = [], onChunk, ...request } = extra;
  const tables: ReturnTable[] = [];
  let rows = 0;
  const result = await scanPacked(
    worker,
    { sensor: order.sensor, fromNs, toNs, seed: 1, columns, misses: false, ...request },
    order.trajectory,
    packings,
    {
      onChunk: ({ columns: table, body }) => {
        onChunk?.(tables.length);
        tables.push(table);
        rows += body.rows;
      },
    },
  );
  return { result, rows, table: joinReturns(tables, columns) };
}

/** A frame that was sent. */
function frameOf(packed: PackedRows | undefined): Uint8Array {
  if (packed?.frame instanceof Uint8Array) return packed.frame;
  throw new TypeError('the frame was not sent');
}

/** The rows of the interval with those of misses, as the worker sends them. */
async function rowsWithMisses(columns: ReturnColumnName[]): Promise<Omit<Scanned, 'result'>> {
  const tables: ReturnTable[] = [];
  let rows = 0;
  await two.call(
    'scan',
    { sensor: order.sensor, fromNs, toNs, seed: 1, columns, misses: true },
    order.trajectory,
    {
      onChunk: ({ columns: table, body }) => {
        tables.push(table);
        rows += body.rows;
      },
    },
  );
  return { rows, table: joinReturns(tables, columns) };
}

/** The first pulse of the interval: misses are rows, too. */
async function firstPulseOf(worker: ScanWorker): Promise<bigint> {
  let first: bigint | undefined;
  await worker.call(
    'scan',
    { sensor: order.sensor, fromNs, toNs, seed: 1, columns: ['pulse'], misses: true },
    order.trajectory,
    {
      onChunk: ({ columns }) => {
        first ??= columns.pulse?.[0];
      },
    },
  );
  return first ?? 0n;
}

/** The message record that this process would have written. */
function expectedRecord({ table, rows, result }: Scanned): Uint8Array {
  const firstPulse = BigInt(result.packed[0]?.bases.pulse ?? 0);
  return recordOf(encodeCloud({ fromNs, table, rows, firstPulse }).bytes);
}

function recordOf(bytes: Uint8Array): Uint8Array {
  const builder = new McapRecordBuilder();
  const { channelId, sequence, timeNs } = message;
  const time = BigInt(timeNs);
  builder.writeMessage({ channelId, sequence, logTime: time, publishTime: time, data: bytes });
  return builder.buffer;
}

function subsets(): ReturnColumnName[][] {
  const random = seededRandom(3);
  const some = Array.from({ length: 6 }, () => returnColumnNames.filter(() => random() < 0.4));
  return [returnColumnNames, ...some, ...returnColumnNames.map((name) => [name])];
}

// Why longer than others: every subset of columns is packed here in TypeScript, too.
describe('rows packed by the worker', () => {
  it('equal the rows that this process packs, whatever the columns', async () => {
    for (const columns of subsets()) {
      const scanned = await scan(two, columns, { packings: [cloudPacking(columns)(message)] });
      const [packed] = scanned.result.packed;
      if (packed === undefined) throw new Error('nothing was packed');
      const record = zstdDecompressSync(frameOf(packed));
      const expected = expectedRecord(scanned);
      // Why not toEqual: it would print megabytes.
      expect(Buffer.compare(record, expected), columns.join()).toBe(0);
      expect(packed.uncompressedBytes).toBe(record.length);
      expect(packed.crc32).toBe(crc32(record));
      if (columns.includes('pulse')) {
        expect(packed.bases.pulse).toBe(`${await firstPulseOf(two)}`);
      }
      expect(scanned.rows).toBeGreaterThan(10_000);
    }
  });

  it('are one frame, the same for any threads and chunks, sent or not', async () => {
    const packings = [cloudPacking(returnColumnNames)(message)];
    const frames = [
      await scan(two, [], { packings }),
      await scan(one, ['time_ns'], { packings }),
      await scan(two, returnColumnNames, { packings, chunkPulses: 997 }),
    ].map(({ result }) => frameOf(result.packed[0]));
    expect(frames[0]?.length).toBeGreaterThan(100_000);
    for (const frame of frames) {
      expect(Buffer.compare(frame, frames[0] ?? new Uint8Array())).toBe(0);
    }
  });

  it('come whole when the worker dies in mid-scan', async () => {
    const packings = [cloudPacking(returnColumnNames)(message)];
    const undisturbed = await scan(two, ['x_m'], { packings, chunkPulses: 1500 });
    const { worker } = await openWorker(field, { limits: { backOffMs: 1 } });
    const { pid } = worker;
    const onChunk = (chunk: number): void => {
      if (chunk === 2) process.kill(worker.pid, 'SIGKILL');
    };
    const disturbed = await scan(worker, ['x_m'], { packings, chunkPulses: 1500, onChunk });
    expect(worker.pid).not.toBe(pid);
    expect(disturbed.result.packed).toEqual(undisturbed.result.packed);
    expect(disturbed.result.hash).toBe(undisturbed.result.hash);
  });

  it('have a row for each pulse without a return where that is asked for, and send none', async () => {
    const columns: ReturnColumnName[] = [
      'time_ns',
      'pulse',
      'ring',
      'azimuth_rad',
      'elevation_rad',
    ];
    columns.push('return_no', 'range_m', 'x_m', 'y_m', 'z_m');
    const packings = [cloudPacking(columns, undefined, { misses: true })(message)];
    const { table, result } = await scan(two, columns, { packings });
    const [packed] = result.packed;
    const record = zstdDecompressSync(frameOf(packed));
    // Behind the head of an MCAP message: opcode, length, channel, sequence, two times.
    const cloud = decodeCloud(record.subarray(31), BigInt(packed?.bases.pulse ?? 0));
    const returned = new Set(table.pulse).size;
    expect(table.return_no).not.toContain(0);
    const isMiss = (row: number): boolean => cloud.table.return_no?.[row] === 0;
    const misses = [...(cloud.table.return_no ?? [])].filter((_, row) => isMiss(row)).length;
    expect(misses).toBeGreaterThan(1000);
    expect(misses).toBe(result.pulses - returned);
    // The rows of a scan that sends its misses, directions included.
    const asked = await rowsWithMisses(columns);
    expect(cloud.rows).toBe(asked.rows);
    for (const name of columns) expect(cloud.table[name], name).toEqual(asked.table[name]);
    const firing = order.sensor.banks.flatMap(({ elevationsRad }) => elevationsRad);
    for (const row of [...(cloud.table.ring ?? []).keys()].filter(isMiss).slice(0, 500)) {
      expect(cloud.table.range_m?.[row]).toBeNaN();
      const elevation = cloud.table.elevation_rad?.[row] ?? NaN;
      expect(Math.min(...firing.map((known) => Math.abs(known - elevation)))).toBeLessThan(1e-6);
    }
  });

  it('are refused where they cannot be packed as asked', async () => {
    const late = cloudPacking(['time_ns'])({ ...message, fromNs: toNs + 1 });
    await expect(scan(two, [], { packings: [late] })).rejects.toMatchObject({ code: 'bad-input' });
    const { template, ...around } = cloudPacking(['x_m'])(message);
    const narrow = { ...around, template: { ...template, rowBytes: 3 } };
    const packings = [narrow];
    await expect(scan(two, [], { packings })).rejects.toMatchObject({ code: 'bad-input' });
  });
});

describe('clouds as drivers publish them', () => {
  const drivers = [
    ['velodyne', false],
    ['velodyne', true],
    ['ouster', false],
    ['ouster', true],
    ['livox', false],
    ['livox', true],
    ['robosense', false],
    ['hesai', true],
    ['autoware', false],
    ['autoware', true],
  ] as const;

  it.each(drivers)('of %s, organised: %s, are as packed here', async (driver, organised) => {
    const { compiled } = field;
    const [sensor] = compiled.sensors;
    if (sensor === undefined) throw new Error('the field has no sensor');
    const scenario = { ...compiled.scenario, recording: { organised } };
    const sensors = [{ ...sensor, recipe: order.sensor, driver }];
    const [cloud] = driverClouds({ scenario, sensors });
    if (cloud === undefined) throw new Error('the sensor has no cloud');
    // Beside another, whose bytes it does not change.
    const packings = [driverPacking(cloud)(message), cloudPacking(['x_m', 'pulse'])(message)];
    const scanned = await scan(two, returnColumnNames, { packings });
    const { table, rows, result } = scanned;
    const [packed, beside] = result.packed;
    const bytes = encodeDriverCloud(cloud, { fromNs, table, rows, pulses: result.pulses });
    const record = zstdDecompressSync(frameOf(packed));
    expect(Buffer.compare(record, recordOf(bytes))).toBe(0);
    expect(packed?.crc32).toBe(crc32(record));
    expect(packed?.uncompressedBytes).toBe(record.length);
    expect(beside?.bases.pulse).toBe(`${firstPulseFrom(order.sensor, fromNs)}`);
    const alone = await scan(one, [], { packings: packings.slice(1), chunkPulses: 997 });
    expect(alone.result.packed).toEqual([beside]);

    const points = decodeDriverCloud(bytes, cloud);
    expect(points.rows).toBe(rows);
    if (organised) return;
    expect(points.table.ring).toEqual(table.ring);
    for (const [row, x] of (points.table.x_sensor_m ?? []).entries()) {
      const off = Math.abs(x - (table.x_sensor_m?.[row] ?? NaN));
      if (!(off <= coordinateStepM / 2 && Number.isInteger(x / coordinateStepM))) {
        expect.fail(`point ${row} is off by ${off}`);
      }
    }
    for (const [row, timeNs] of (points.table.time_ns ?? []).entries()) {
      // Velodyne's times are floats of at most 0.05 s.
      const offNs = Math.abs(Number(timeNs - (table.time_ns?.[row] ?? 0n)));
      if (offNs > (driver === 'velodyne' ? 2 : 0)) expect.fail(`time of point ${row}`);
    }
  });
});

describe('a hash', () => {
  it('is over its own columns, whichever are sent and packed', async () => {
    const hashColumns: ReturnColumnName[] = ['range_m', 'object_id'];
    const { result } = await scan(two, hashColumns);
    const packings = [cloudPacking(['x_m'])(message)];
    expect((await scan(two, ['time_ns'], { hashColumns, packings })).result.hash).toBe(result.hash);
    expect((await scan(one, [], { hashColumns })).result.hash).toBe(result.hash);
    expect((await scan(two, ['object_id', 'range_m'])).result.hash).not.toBe(result.hash);
  });
});

describe('a sample', () => {
  it.each([1, 2, 1000, 4097, 1e6])('of at most %i rows is every 2^k-th row', async (maxRows) => {
    const columns: ReturnColumnName[] = ['x_m', 'class_id'];
    const { result, table, rows } = await scan(two, columns, { sample: { columns, maxRows } });
    const step = 2 ** Math.max(0, Math.ceil(Math.log2(rows / maxRows)));
    const expected = [...(table.x_m ?? [])].filter((_, row) => row % step === 0);
    expect([...(result.sample?.x_m ?? [])]).toEqual(expected);
    expect(expected.length).toBeLessThanOrEqual(maxRows);
    expect(result.sample?.class_id).toHaveLength(expected.length);
  });
});
