// The short form of `npm run interop`: what `scan --out` writes along a trajectory, read in each format.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { Las } from 'copc';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran } from '#test/support/commandLine.ts';

type Row = Record<string, string>;

/** Moves along x, turns left, and pitches. */
const path = `0 0 0 1 0 0 0 1
0.1 0.5 0 1 0 0.02 0.1 0.994787
0.2 1 0.1 1.1 0 0.04 0.2 0.978980
`;

function rowsOf(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

const folder = temporaryFolder();
/** Rows of the CSV file, misses included. */
let all: Row[];
let rows: Row[];

const axes = ['x', 'y', 'z'] as const;

async function scanTo(out: string, ...more: string[]): Promise<Record<string, unknown>> {
  const sensor = ['--sensor', 'vlp-16', '--trajectory', 'path.tum'];
  const args = ['scan', 'box', ...sensor, '--out', out, ...more, '--json'];
  const stdout = await ran(folder, ...args);
  return JSON.parse(stdout) as Record<string, unknown>;
}

beforeAll(async () => {
  writeFileSync(join(folder, 'path.tum'), path);
  await scanTo('cloud.csv', '--misses', '--columns', 'default,beam,material_id');
  all = rowsOf(join(folder, 'cloud.csv'));
  rows = all.filter((row) => row['x_m'] !== '');
  expect(rows.length).toBeGreaterThan(10_000);
  expect(all.length).toBeGreaterThan(rows.length + 1000);
});

const number = (row: Row | undefined, name: string): number => Number(row?.[name]);

describe('a scan along a trajectory', () => {
  it('says where each pulse began and its direction, of misses too', () => {
    for (const row of all) {
      const direction = axes.map((axis) => number(row, `beam_direction_${axis}`));
      expect(Math.hypot(...direction)).toBeCloseTo(1, 6);
      if (row['x_m'] === '') continue;
      for (const [index, axis] of axes.entries()) {
        const end =
          number(row, `beam_origin_${axis}_m`) + number(row, 'range_m') * (direction[index] ?? NaN);
        // Single precision of three numbers at 50 m.
        expect(end).toBeCloseTo(number(row, `${axis}_m`), 4);
      }
    }
    // Half a metre in 0.1 s.
    expect(number(all.at(-1), 'beam_origin_x_m')).toBeCloseTo(1, 2);
    const half = all.find((row) => number(row, 'time_ns') > 0.1e9);
    expect(number(half, 'beam_origin_x_m')).toBeCloseTo(0.5, 3);
  });

  it('names its objects and materials', () => {
    expect(readdirSync(folder)).toContain('cloud.csv.objects.csv');
    const objects = rowsOf(join(folder, 'cloud.csv.objects.csv'));
    const named = new Map(objects.map(({ id, class: name }) => [id, name]));
    const ofRows = new Set(rows.map((row) => row['object_id']));
    expect(new Set(named.keys())).toEqual(ofRows);
    for (const row of rows) expect(named.get(row['object_id'] ?? '')).toBe(row['class']);
    const wall = objects.find(({ name }) => name === 'wall');
    expect([number(wall, 'x_m'), number(wall, 'y_m')]).toEqual([0, 10.1]);
    const materials = rowsOf(join(folder, 'cloud.csv.materials.csv'));
    expect(materials.map(({ name }) => name)).toEqual(['ground', 'box', 'wall', 'sphere']);
  });

  it('as LAS: places, times, classes, beams, and withheld points for misses', async () => {
    await scanTo('cloud.las', '--misses');
    const bytes = readFileSync(join(folder, 'cloud.las'));
    const get = (from: number, to: number): Promise<Uint8Array> =>
      Promise.resolve(bytes.subarray(from, to));
    const header = Las.Header.parse(bytes);
    const record = Las.Vlr.find(await Las.Vlr.walk(get, header), 'LASF_Spec', 4);
    if (record === undefined) throw new Error('there are no extra bytes');
    const extras = Las.ExtraBytes.parse(Buffer.from(await Las.Vlr.fetch(get, record)));
    const view = Las.View.create(bytes.subarray(header.pointDataOffset), header, extras);
    expect(view.pointCount).toBe(all.length);
    const codes: Record<string, number> = { ground: 2, wall: 6, box: 66, sphere: 67, '': 0 };
    const value = new Map(
      ['X', 'Y', 'Z', 'GpsTime', 'Classification', 'Withheld', 'ReturnNumber', 'BeamOriginX'].map(
        (name) => [name, view.getter(name)],
      ),
    );
    const of = (name: string, row: number): number => value.get(name)?.(row) ?? NaN;
    for (const [index, row] of all.entries()) {
      const isMiss = row['x_m'] === '';
      expect(of('Withheld', index)).toBe(isMiss ? 1 : 0);
      expect(of('ReturnNumber', index)).toBe(1);
      expect(of('Classification', index)).toBe(codes[row['class'] ?? '']);
      expect(Math.round(of('GpsTime', index) * 1e9)).toBe(number(row, 'time_ns'));
      expect(of('BeamOriginX', index)).toBe(Math.fround(number(row, 'beam_origin_x_m')));
      for (const axis of axes) {
        const at = isMiss
          ? number(row, `beam_origin_${axis}_m`) + 100 * number(row, `beam_direction_${axis}`)
          : number(row, `${axis}_m`);
        // Steps of 0.1 mm; misses lie at the largest range of the sensor.
        expect(Math.abs(of(axis.toUpperCase(), index) - at)).toBeLessThan(0.6e-4);
      }
    }
  });

  it('as Parquet', async () => {
    await scanTo('cloud.parquet');
    const bytes = readFileSync(join(folder, 'cloud.parquet'));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
    const read: Record<string, unknown>[] = await parquetReadObjects({ file, compressors });
    expect(read.map((row) => row['time_ns'])).toEqual(
      rows.map((row) => BigInt(row['time_ns'] ?? '')),
    );
    expect(read.map((row) => row['z_m'])).toEqual(
      rows.map((row) => Math.fround(number(row, 'z_m'))),
    );
  });

  it("in the sensor's frame, where the range is the distance", async () => {
    const { leftOut } = await scanTo(
      'sensor.csv',
      '--frame',
      'sensor',
      '--columns',
      'default,beam',
    );
    expect(leftOut).toHaveLength(6);
    for (const [index, row] of rowsOf(join(folder, 'sensor.csv')).entries()) {
      const distance = Math.hypot(...axes.map((axis) => number(row, `${axis}_m`)));
      expect(distance).toBeCloseTo(number(row, 'range_m'), 4);
      expect(row['time_ns']).toBe(rows[index]?.['time_ns']);
    }
  });

  it('as a SemanticKITTI sequence: a frame a turn, whose points lie where the scan has them', async () => {
    await scanTo('sequence', '--format', 'semantickitti');
    const text = (name: string): string => readFileSync(join(folder, 'sequence', name), 'utf8');
    const frames = readdirSync(join(folder, 'sequence', 'velodyne'));
    expect(frames).toEqual(['000000.bin', '000001.bin']);
    expect(text('times.txt').trim().split('\n').map(Number)).toEqual([0, 0.1]);
    // The first frame's pose is at its end: its points, turned and moved by it, are the scan's.
    const matrix = text('world_from_first.txt').split(' ').map(Number);
    const bin = readFileSync(join(folder, 'sequence/velodyne/000000.bin'));
    const labels = readFileSync(join(folder, 'sequence/labels/000000.label'));
    const first = rows.slice(0, bin.length / 16);
    // Within a firing, whose lasers follow one another.
    expect(Math.abs(number(first.at(-1), 'time_ns') - 0.1e9)).toBeLessThan(56e3);
    for (const [index, row] of first.entries()) {
      const point = [0, 4, 8].map((at) => bin.readFloatLE(16 * index + at));
      for (const [line, axis] of axes.entries()) {
        const [a = 0, b = 0, c = 0, d = 0] = matrix.slice(4 * line, 4 * line + 4);
        const world = a * (point[0] ?? 0) + b * (point[1] ?? 0) + c * (point[2] ?? 0) + d;
        expect(world).toBeCloseTo(number(row, `${axis}_m`), 4);
      }
      expect(labels.readUInt32LE(4 * index) >>> 16).toBe(number(row, 'object_id'));
    }
  });
});
