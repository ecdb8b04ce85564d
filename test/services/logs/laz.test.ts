// LAZ files give the points and logs of LAS files with the same points, by formats and kinds of compression; damaged
// ones are refused with their place, and nothing is left.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, withRegularFile } from '#files/regularFile.ts';
import { openLazDecoder } from '#recordings/foreign/points/lazDecoder.ts';
import { openPointFile } from '#recordings/foreign/points/pointFile.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { identity, importTo } from './importTo.ts';
import {
  lazSampleFile,
  type LazSample,
  lazSamples,
  sampleOriginM,
  samplePoints,
  writeSampleLas,
} from './lasFiles.ts';
import { tumText } from './pointFiles.ts';

const [east, north, height] = sampleOriginM;

/** A sensor that moves 100 m above the points; formats 0 and 2 have no times, and get one pose a file. */
function trajectoryIn(folder: string, hasTimes: boolean): string {
  const file = join(folder, 'poses.tum');
  const timesNs = hasTimes ? [999e9, 1001e9] : [1000e9];
  const poseAt = (timeNs: number) => {
    const positionM = [east + timeNs / 1e9 - 1000, north, height + 100] as const;
    return { ...identity, positionM: [...positionM] as [number, number, number] };
  };
  writeFileSync(file, tumText(timesNs, poseAt));
  return file;
}

async function valuesOf(path: string): Promise<{ rows: number; fields: Record<string, number[]> }> {
  const layout = await openPointFile(path);
  const names = [...layout.fields.keys()];
  const fields: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  let rows = 0;
  await withRegularFile(path, { maxBytes: anySize }, async (file) => {
    // Pieces end inside of chunks.
    for await (const piece of layout.rows(file, 64)) {
      rows += piece.rows;
      for (const [name, get] of layout.fields) {
        for (let row = 0; row < piece.rows; row += 1) {
          fields[name]?.push(get(piece.view, row * layout.rowBytes));
        }
      }
    }
  });
  return { rows, fields };
}

describe.each(lazSamples)('$name.laz', (sample: LazSample) => {
  it('has the points of the LAS file', async () => {
    const las = join(temporaryFolder(), 'same.las');
    writeSampleLas(las, sample);
    const found = await valuesOf(lazSampleFile(sample));
    expect(found.rows).toBe(samplePoints.length);
    expect(found).toEqual(await valuesOf(las));
    const xM = samplePoints.map(({ positionM }) => positionM[0] - east);
    expect(found.fields['x']?.every((m, row) => Math.abs(m - (xM[row] ?? 0)) < 6e-4)).toBe(true);
    expect(found.fields['classification']).toEqual(samplePoints.map((p) => p.classification));
    expect(found.fields['withheld']?.filter((flag) => flag === 1)).toHaveLength(5);
    expect('gps_time' in found.fields).toBe(![0, 2].includes(sample.format));
    const scaled = samplePoints.map(({ extra }) => (extra?.['Amplitude'] ?? 0) * 0.01 + 5);
    const hasAmplitude = sample.extras.some(({ name }) => name === 'Amplitude');
    expect(found.fields['amplitude']).toEqual(hasAmplitude ? scaled : undefined);
  });

  it('imports to the bytes of the log that the LAS file gives', async () => {
    const folder = temporaryFolder();
    const las = join(folder, 'same.las');
    writeSampleLas(las, sample);
    const trajectory = trajectoryIn(folder, ![0, 2].includes(sample.format));
    const [fromLas, fromLaz] = [join(folder, 'las.log'), join(folder, 'laz.log')];
    const { beams } = await importTo(fromLas, las, { trajectory, crs: 'EPSG:32632' });
    await importTo(fromLaz, lazSampleFile(sample), { trajectory, crs: 'EPSG:32632' });
    expect(beams).toBeGreaterThan(80);
    expect(readFileSync(fromLaz).equals(readFileSync(fromLas))).toBe(true);
  });
});

it('whose points say where their pulses began needs no trajectory', async () => {
  const folder = temporaryFolder();
  const las = join(folder, 'same.las');
  const sample = lazSamples.find(({ name }) => name === 'beams');
  if (sample === undefined) throw new Error('there is no sample with beams');
  writeSampleLas(las, sample);
  const [fromLas, fromLaz] = [join(folder, 'las.log'), join(folder, 'laz.log')];
  const { beams } = await importTo(fromLas, las);
  await importTo(fromLaz, lazSampleFile(sample));
  // Pulses, and points that are withheld.
  expect(beams).toBeGreaterThanOrEqual(Math.ceil(samplePoints.length / 3));
  expect(readFileSync(fromLaz).equals(readFileSync(fromLas))).toBe(true);
});

/** A sample with changed bytes, and what its import ends with. */
async function damagedBy(
  name: string,
  change: (bytes: Buffer, view: DataView) => Buffer | undefined,
): Promise<{ code: string; message: string; byte: unknown }> {
  const folder = temporaryFolder();
  const bytes = readFileSync(lazSampleFile({ name }));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const file = join(folder, 'x.laz');
  writeFileSync(file, change(bytes, view) ?? bytes);
  const out = join(folder, 'x.log');
  const error: unknown = await importTo(out, file, {
    trajectory: trajectoryIn(folder, true),
  }).catch((thrown: unknown) => thrown);
  expect(existsSync(out)).toBe(false);
  expect(error).toBeInstanceOf(UnderstoryError);
  const { code, message, details } = error as UnderstoryError;
  expect(message).toContain(file);
  return { code, message, byte: details['byte'] };
}

/** Places in the samples: the record of LASzip comes first. */
const lasHeadBytes = { short: 227, long: 375 };
const recordAt = (head: number): number => head + 54;
const startOf = (view: DataView): number => view.getUint32(96, true);
const tableOf = (view: DataView): number => Number(view.getBigInt64(startOf(view), true));

describe('a damaged LAZ file', () => {
  type Change = (bytes: Buffer, view: DataView) => Buffer | undefined | void;
  const cases: [string, string, string, Change][] = [
    ['cut in a chunk', 'format-3', 'its table of chunks is at byte', (b) => b.subarray(0, 1500)],
    ['cut in its table', 'format-3', 'its table of chunks', (b) => b.subarray(0, b.length - 6)],
    ['with more points', 'format-3', 'has 3 chunks, not 7', (_, v) => v.setUint32(107, 650, true)],
    [
      'with far more points than chunks',
      'format-6',
      'has 3 chunks, not',
      (_, v) => v.setBigUint64(247, 2n ** 40n, true),
    ],
    [
      'with more points than integers',
      'format-6',
      'it has 18446744073709552000 points',
      (_, v) => v.setBigUint64(247, 2n ** 64n - 1n, true),
    ],
    [
      'with other points than its table',
      'variable',
      'has 250 points, not 251',
      (_, v) => v.setBigUint64(247, 251n, true),
    ],
    [
      'with a table beyond its end',
      'format-3',
      'its table of chunks is at byte 99999999',
      (_, v) => v.setBigInt64(startOf(v), 99_999_999n, true),
    ],
    [
      'with a table before its points',
      'format-3',
      'its table of chunks is at byte 12',
      (_, v) => v.setBigInt64(startOf(v), 12n, true),
    ],
    [
      'with a table at a negative place',
      'format-3',
      'its table of chunks is at byte -5',
      (_, v) => v.setBigInt64(startOf(v), -5n, true),
    ],
    [
      'with endless chunks',
      'variable',
      'has 4294967295 chunks',
      (_, v) => v.setUint32(tableOf(v) + 4, 0xffffffff, true),
    ],
    [
      'with less in its chunks than they have',
      'format-3',
      'ends beyond byte',
      (b, v) => {
        const table = tableOf(v);
        v.setBigInt64(startOf(v), BigInt(table - 1), true);
        return Buffer.concat([b.subarray(0, table - 1), b.subarray(table)]);
      },
    ],
    [
      'with an unknown table',
      'format-3',
      'has version 9',
      (_, v) => v.setUint32(tableOf(v), 9, true),
    ],
    [
      'without a record of LASzip',
      'format-3',
      'it has no record of LASzip',
      (b) => void b.fill(0x41, lasHeadBytes.short + 2, lasHeadBytes.short + 10),
    ],
    [
      'with items of another size',
      'format-3',
      'are no point of format 3 with 34 bytes',
      (_, v) => v.setUint16(recordAt(lasHeadBytes.short) + 34 + 2, 21, true),
    ],
    [
      'with longer points than its items',
      'format-6',
      'are no point of format 6 with 31 bytes',
      (_, v) => v.setUint16(105, 31, true),
    ],
    [
      'with chunks of no points',
      'format-3',
      'its chunks have no points',
      (_, v) => v.setUint32(recordAt(lasHeadBytes.short) + 12, 0, true),
    ],
    [
      'with a stream that no coder writes',
      'format-3',
      'a chunk has no stream',
      (b, v) => void b.fill(0xff, startOf(v) + 8 + 34, startOf(v) + 8 + 38),
    ],
    [
      'with a layer that no coder writes',
      'format-6',
      'bytes is not in its chunk',
      (b, v) => void b.fill(0xff, startOf(v) + 8 + 30 + 40, startOf(v) + 8 + 30 + 44),
    ],
    [
      'with a layer that is longer than its chunk',
      'format-10',
      'a stream of 2147483647 bytes is not in its chunk',
      (_, v) => v.setUint32(startOf(v) + 8 + 69 + 4, 0x7fffffff, true),
    ],
    [
      'with another number of points in a chunk',
      'format-6',
      'a chunk of 100 points counts 99',
      (_, v) => v.setUint32(startOf(v) + 8 + 30, 99, true),
    ],
    [
      'without chunks, with more points than its bytes hold',
      'format-1',
      'a chunk of 4000000000 points has',
      (_, v) => {
        v.setUint16(recordAt(lasHeadBytes.short), 1, true);
        v.setUint32(107, 4_000_000_000, true);
      },
    ],
  ];

  it.each(cases)('%s is refused (%s)', async (_, name, message, change) => {
    const found = await damagedBy(name, (bytes, view) => change(bytes, view) ?? undefined);
    expect(found).toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(message) as string,
    });
  });

  it('is refused with the byte of the chunk, after those before it', async () => {
    const second = await damagedBy('format-6', (bytes, view) => {
      const first = startOf(view) + 8;
      const sizes = Array.from({ length: 9 }, (_, i) => view.getUint32(first + 34 + 4 * i, true));
      const next = first + 34 + 36 + sizes.reduce((sum, size) => sum + size, 0);
      expect(view.getUint32(next + 30, true)).toBe(100);
      view.setUint32(next + 30, 7, true);
      return bytes;
    });
    expect(second.message).toContain('counts 7');
    expect(second.byte).toBeGreaterThan(375 + 100);
    expect(second.message).toContain(`(byte ${String(second.byte)})`);
  });
});

describe('compression that laz-perf does not know', () => {
  const short = recordAt(lasHeadBytes.short);
  it.each([
    ['POINT10 version 1 of LASzip in point format 3', 'format-3', short + 34 + 4, 1],
    ['RGB12 version 1 of LASzip in point format 3', 'format-3', short + 34 + 16, 1],
    ['POINT14 version 4 of LASzip in point format 7', 'format-7', recordAt(375) + 34 + 4, 4],
    ['compressor 3, coder 0 of LASzip 3.4 for point format 3', 'format-3', short, 3],
    ['compressor 2, coder 0 of LASzip 3.4 for point format 7', 'format-7', recordAt(375), 2],
    ['point format 139', 'format-3', 104, 0x80 | 11],
    ['point format 195', 'format-3', 104, 0xc0 | 3],
  ])('is refused: %s', async (message, name, at, value) => {
    const found = await damagedBy(name, (bytes) => {
      bytes[at] = value;
      return bytes;
    });
    expect(found).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('other kinds of LAZ', () => {
  const rewritten = (name: string, change: (bytes: Buffer, view: DataView) => Buffer): string => {
    const file = join(temporaryFolder(), 'x.laz');
    const bytes = readFileSync(lazSampleFile({ name }));
    writeFileSync(file, change(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length)));
    return file;
  };

  it('are one stream without chunks', async () => {
    const file = rewritten('format-1', (bytes, view) => {
      view.setUint16(recordAt(lasHeadBytes.short), 1, true);
      const start = startOf(view);
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 8, tableOf(view))]);
    });
    expect(await valuesOf(file)).toEqual(await valuesOf(lazSampleFile({ name: 'format-1' })));
  });

  it('have the place of their table at their end, as written in one go', async () => {
    const file = rewritten('format-3', (bytes, view) => {
      const place = Buffer.from(bytes.subarray(startOf(view), startOf(view) + 8));
      view.setBigInt64(startOf(view), -1n, true);
      return Buffer.concat([bytes, place]);
    });
    expect(await valuesOf(file)).toEqual(await valuesOf(lazSampleFile({ name: 'format-3' })));
  });
});

describe('the decompressor', () => {
  it('ends alone when it traps, and leaves the handlers of the process as they were', async () => {
    const count = (): number[] =>
      ['uncaughtException', 'unhandledRejection'].map((event) => process.listenerCount(event));
    const before = count();
    const [broken, sound] = [await openLazDecoder(), await openLazDecoder()];
    expect(count()).toEqual(before);
    // Format 4 has no decompressor: a null pointer.
    broken.begin(new Uint8Array(100).fill(1), 4, 57);
    expect(() => broken.take(new Uint8Array(57 * 1000))).toThrow();
    const [first] = samplePoints;
    const bytes = readFileSync(lazSampleFile({ name: 'format-0' }));
    const start = bytes.readUInt32LE(96) + 8;
    sound.begin(bytes.subarray(start, start + 400), 0, 20);
    const point = new Uint8Array(20);
    sound.take(point);
    expect(new DataView(point.buffer).getUint16(12, true)).toBe(first?.intensity);
  });
});
