// Points read by NumPy, PCL, Open3D, CloudCompare, GDAL, copc and hyparquet: as many as the CSV file of the same scan has, at the
// same places and times, of the same classes and objects.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { parquetReadObjects } from 'hyparquet';
import { Las } from 'copc';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran } from '#test/support/commandLine.ts';
import { tableOf } from './tables.ts';

const readers = path.join(import.meta.dirname, 'readers.py');
const formats = ['csv', 'npz', 'pcd', 'ply', 'las', 'parquet'] as const;
const folder = temporaryFolder();
/** Rows of the CSV file with an echo, by the names of its header. */
let rows: Record<string, string>[];

const fileOf = (name: string): string => path.join(folder, name);
const column = (name: string): number[] => rows.map((row) => Number(row[name]));
/** The values whose digits the file has. */
const singles = (name: string): number[] => column(name).map(Math.fround);

beforeAll(async () => {
  const scan = ['scan', 'box', '--sensor', 'vlp-16', '--pose', '0,0,1,20', '--seconds', '0.2'];
  for (const format of formats) {
    await run([...scan, '--out', `cloud.${format}`]);
  }
  const kitti = ['--format', 'semantickitti', '--out', 'sequence'];
  await run([...scan, ...kitti]);
  rows = tableOf(readFileSync(fileOf('cloud.csv'), 'utf8'), ',');
  expect(rows.length).toBeGreaterThan(10_000);
});
async function run(args: string[]): Promise<void> {
  await ran(folder, ...args);
}

type Columns = Record<string, (number | string | null)[]>;

/** Debian's Python: NumPy and Open3D are of its packages. */
function python(reader: string, name: string): Columns {
  const text = execFileSync('/usr/bin/python3', [readers, reader, fileOf(name)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  return JSON.parse(text) as Columns;
}

/** All within `tolerance` of the CSV file's, in its order. */
function expectColumn(
  found: readonly (number | string | null)[] | undefined,
  expected: readonly number[],
  tolerance: number,
): void {
  expect(found).toHaveLength(expected.length);
  let largest = 0;
  for (const [row, value] of expected.entries()) {
    largest = Math.max(largest, Math.abs(Number(found?.[row]) - value));
  }
  expect(largest).toBeLessThanOrEqual(tolerance);
}

const positions = { x: 'x_m', y: 'y_m', z: 'z_m' };
const classes = ['ground', 'wall', 'box', 'sphere', 'noise'];
const classIds = (): number[] => rows.map((row) => classes.indexOf(row['class'] ?? ''));

it('NumPy reads the archive of arrays', () => {
  const arrays = python('numpy', 'cloud.npz');
  for (const name of Object.values(positions)) expectColumn(arrays[name], singles(name), 0);
  expectColumn(arrays['time_ns'], column('time_ns'), 0);
  expectColumn(arrays['object_id'], column('object_id'), 0);
  const named = arrays['class_id']?.map((id) => arrays['classes']?.[Number(id)]);
  expect(named).toEqual(rows.map((row) => row['class']));
});

it('hyparquet reads the Parquet file', async () => {
  const bytes = readFileSync(fileOf('cloud.parquet'));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  const points = await parquetReadObjects({ file, compressors });
  const of = (name: string): number[] => points.map((point) => Number(point[name]));
  for (const name of Object.values(positions)) expectColumn(of(name), singles(name), 0);
  for (const name of ['time_ns', 'pulse', 'object_id', 'ring', 'return_no']) {
    expectColumn(of(name), column(name), 0);
  }
  expectColumn(of('intensity'), singles('intensity'), 0);
});

it('NumPy reads the SemanticKITTI sequence as its own tools do', () => {
  const points = python('kitti', 'sequence');
  // Turned into the frame of the sensor and back in single precision: 1e-5 at 50 m.
  for (const [name, csv] of Object.entries(positions))
    expectColumn(points[name], column(csv), 2e-5);
  expectColumn(points['instance'], column('object_id'), 0);
  expectColumn(
    points['class'],
    classIds().map((id) => id + 1),
    0,
  );
  expectColumn(points['intensity'], column('intensity'), 1e-7);
  expect(points['times']).toEqual([0, 0.1]);
  // A frame a turn, to a firing.
  const second = points['frame']?.indexOf(1) ?? NaN;
  expect(Math.abs(Number(rows[second]?.['time_ns']) - 1e8)).toBeLessThan(56e3);
});

describe('PCL', () => {
  /** Rows of a PCD file as text, which PCL has written. */
  function ascii(binary: string): Record<string, string>[] {
    execFileSync('pcl_convert_pcd_ascii_binary', [fileOf(binary), fileOf('ascii.pcd'), '0', '12']);
    const text = readFileSync(fileOf('ascii.pcd'), 'utf8');
    const head = /^FIELDS (.*)$/m.exec(text)?.[1] ?? '';
    return tableOf(`${head}\n${text.slice(text.indexOf('DATA ascii') + 11)}`, ' ');
  }

  it.each(['pcd', 'ply'])('reads %s', (format) => {
    if (format === 'ply') {
      execFileSync('pcl_ply2pcd', [fileOf('cloud.ply'), fileOf('of-ply.pcd')]);
    }
    const points = ascii(format === 'ply' ? 'of-ply.pcd' : 'cloud.pcd');
    const of = (name: string): string[] => points.map((point) => point[name] ?? '');
    // Twelve digits.
    for (const [name, csv] of Object.entries(positions)) expectColumn(of(name), column(csv), 1e-6);
    expectColumn(of('class_id'), classIds(), 0);
    expectColumn(of('object_id'), column('object_id'), 0);
    expectColumn(of('time_ns'), column('time_ns'), 0.5);
  });

  it('knows the pose of the sensor', () => {
    ascii('cloud.pcd');
    const viewpoint = /^VIEWPOINT (.*)$/m.exec(readFileSync(fileOf('ascii.pcd'), 'utf8'))?.[1];
    const numbers = viewpoint?.split(' ').map(Number) ?? [];
    const half = (10 * Math.PI) / 180;
    for (const [index, value] of [0, 0, 1, Math.cos(half), 0, 0, Math.sin(half)].entries()) {
      expect(numbers[index]).toBeCloseTo(value, 5);
    }
  });
});

it('Open3D reads every property of the PLY file', () => {
  const points = python('open3d', 'cloud.ply');
  for (const [name, csv] of Object.entries(positions)) expectColumn(points[name], singles(csv), 0);
  expectColumn(points['class_id'], classIds(), 0);
  expectColumn(points['object_id'], column('object_id'), 0);
  expectColumn(points['ring'], column('ring'), 0);
  expectColumn(points['time_ns'], column('time_ns'), 0);
});

it('CloudCompare reads the PLY file', () => {
  const args = ['-SILENT', '-AUTO_SAVE', 'OFF', '-C_EXPORT_FMT', 'ASC', '-PREC', '6'];
  const work = ['-O', fileOf('cloud.ply'), '-SAVE_CLOUDS', 'FILE', fileOf('cloud.asc')];
  execFileSync('CloudCompare', [...args, ...work], {
    env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
    stdio: 'ignore',
  });
  const points = readFileSync(fileOf('cloud.asc'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('/'))
    .map((line) => line.split(' '));
  for (const [axis, csv] of Object.values(positions).entries()) {
    expectColumn(
      points.map((point) => point[axis] ?? ''),
      column(csv),
      1e-5,
    );
  }
});

describe('LAS', () => {
  it('copc reads the points, with intensity, class, time and beams', async () => {
    const bytes = readFileSync(fileOf('cloud.las'));
    const get = (from: number, to: number): Promise<Uint8Array> =>
      Promise.resolve(bytes.subarray(from, to));
    const header = Las.Header.parse(bytes);
    const records = await Las.Vlr.walk(get, header);
    const recordOf = async (user: string, id: number): Promise<Uint8Array> => {
      const found = Las.Vlr.find(records, user, id);
      if (found === undefined) throw new Error(`no record ${user} ${id}`);
      return Las.Vlr.fetch(get, found);
    };
    const extras = Las.ExtraBytes.parse(Buffer.from(await recordOf('LASF_Spec', 4)));
    const data = bytes.subarray(header.pointDataOffset);
    const view = Las.View.create(data, header, extras);
    expect(view.pointCount).toBe(rows.length);
    const of = (name: string): number[] => {
      const value = view.getter(name);
      return Array.from({ length: view.pointCount }, (_, row) => value(row));
    };
    // Steps of 0.1 mm.
    for (const [name, csv] of Object.entries(positions)) {
      expectColumn(of(name.toUpperCase()), column(csv), 0.51e-4);
    }
    expectColumn(
      of('GpsTime').map((time) => time * 1e9),
      column('time_ns'),
      0.5,
    );
    const codes: Record<string, number> = { ground: 2, wall: 6, box: 66, sphere: 67 };
    expect(of('Classification')).toEqual(rows.map((row) => codes[row['class'] ?? '']));
    expectColumn(of('ReturnNumber'), column('return_no'), 0);
    expectColumn(of('relative_intensity'), column('intensity'), 1e-7);
    const stated = Buffer.from(await recordOf('Understory', 1)).toString();
    const factor = Number(/factor = (\S+)/.exec(stated)?.[1]);
    const scaled = column('intensity').map((value) => factor * value);
    expectColumn(of('Intensity'), scaled, 0.51);
    // Where beams end: origin + range · direction.
    const [range] = [column('range_m')];
    for (const [name, csv] of Object.entries(positions)) {
      const origin = of(`BeamOrigin${name.toUpperCase()}`);
      const direction = of(`BeamDirection${name.toUpperCase()}`);
      const ends = origin.map((from, row) => from + (range[row] ?? NaN) * (direction[row] ?? NaN));
      expectColumn(ends, column(csv), 2e-5);
    }
  });

  it('GDAL takes the coordinate system', () => {
    const bytes = readFileSync(fileOf('cloud.las'));
    const text = bytes.toString('latin1');
    const wkt = /(?:LOCAL_CS|PROJCS|COMPD_CS|PROJCRS|ENGCRS)\[[^\0]*/.exec(text)?.[0] ?? '';
    const described = execFileSync('gdalsrsinfo', ['-o', 'wkt2', wkt], { encoding: 'utf8' });
    expect(described).toMatch(/ENGCRS|PROJCRS|COMPOUNDCRS/);
  });
});
