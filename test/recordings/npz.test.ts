// Arrays for NumPy, read back by a reader written from the format's description, and unpacked by another library.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unzipSync } from 'fflate';
import { columnTypes, type ColumnType, type ReturnColumnName } from '#contract/columns.ts';
import { encodeNpy, npyHeader } from '#recordings/export/npy.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { openNpz } from '#recordings/export/npz.ts';
import { readNpy } from './readNpy.ts';
import { sampleClasses, sampleTable } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

test('every type of column comes back from an NPY file', () => {
  for (const type of Object.keys(columnTypes) as ColumnType[]) {
    const isBig = type === 'u64' || type === 'i64';
    const values = isBig
      ? columnTypes[type].from([1n, 2n, 300n])
      : columnTypes[type].from([1, 2, 3]);
    const read = readNpy(encodeNpy(type, [3], values));
    expect(read.shape).toEqual([3]);
    expect(read.values).toEqual(Array.from(values, Number));
  }
});

test('an NPY file has the shape that it says, or is refused', () => {
  const values = Float32Array.from({ length: 6 }, (_, i) => i / 3);
  expect(readNpy(encodeNpy('f32', [2, 3], values))).toMatchObject({ descr: '<f4', shape: [2, 3] });
  expect(() => encodeNpy('f32', [2, 4], values)).toThrow(RangeError);
  // Its data begins on a multiple of 64 however long the shape is.
  expect(npyHeader('u64', [2 ** 40, 2 ** 40]).length % 64).toBe(0);
});

test('an NPZ file holds what was appended, in pieces, side by side', async () => {
  const file = join(temporaryFolder(), 'arrays.npz');
  const npz = await openNpz(file);
  await npz.add('pulse', { type: 'u64' });
  await npz.add('bins', { type: 'f32', rowShape: [4] });
  const bins: number[] = [];
  for (let piece = 0; piece < 50; piece += 1) {
    const rows = Float32Array.from({ length: 4 * 700 }, (_, i) => Math.fround(Math.sin(i + piece)));
    bins.push(...rows);
    await npz.append('bins', rows);
    await npz.append(
      'pulse',
      BigUint64Array.from({ length: 700 }, (_, i) => BigInt(piece * 700 + i)),
    );
  }
  expect(existsSync(file)).toBe(false);
  await npz.close();
  expect(readdirSync(dirname(file))).toEqual(['arrays.npz']);
  const members = unzipSync(readFileSync(file));
  expect(Object.keys(members)).toEqual(['pulse.npy', 'bins.npy']);
  const read = readNpy(members['bins.npy'] ?? new Uint8Array());
  expect(read.shape).toEqual([35_000, 4]);
  expect(read.values).toEqual(bins);
  const pulses = readNpy(members['pulse.npy'] ?? new Uint8Array());
  expect(pulses.shape).toEqual([35_000]);
  expect(pulses.values.at(-1)).toBe(34_999);
});

test('the entries of an NPZ file say their sizes and checksums where readers look for them', async () => {
  const file = join(temporaryFolder(), 'one.npz');
  const npz = await openNpz(file);
  await npz.add('empty', { type: 'f64' });
  await npz.close();
  const bytes = readFileSync(file);
  const directory = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  const [crc, packed, size] = [16, 20, 24].map((at) => bytes.readUInt32LE(directory + at));
  const dataAt = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  const content = inflateRawSync(bytes.subarray(dataAt, dataAt + (packed ?? 0)));
  expect(content.length).toBe(size);
  expect(content.equals(npyHeader('f64', [0]))).toBe(true);
  // CRC-32 by its definition (PKWARE's application note): reflected polynomial 0xEDB88320.
  let expected = 0xffffffff;
  for (const byte of content) {
    expected ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      expected = (expected >>> 1) ^ (0xedb88320 & -(expected & 1));
  }
  expect(crc).toBe(~expected >>> 0);
});

test('a cancelled NPZ file leaves only the earlier file', async () => {
  const file = join(temporaryFolder(), 'arrays.npz');
  writeFileSync(file, 'before');
  const npz = await openNpz(file);
  await npz.add('a', { type: 'u8' });
  await npz.append('a', Uint8Array.of(1, 2, 3));
  await npz.abort();
  expect(readdirSync(dirname(file))).toEqual(['arrays.npz']);
  expect(readFileSync(file, 'utf8')).toBe('before');
});

test('returns as NPZ: every column as it is, with the names of classes and sensors', async () => {
  const file = join(temporaryFolder(), 'cloud.npz');
  const columns: ReturnColumnName[] = ['time_ns', 'pulse', 'x_m', 'class_id'];
  const options = { columns, classes: sampleClasses, sensors: ['roof', 'größer'] };
  const exporters = createExporters({ dataFolder: null });
  const create = () => exporters.create(file, { ...options, format: 'npz', isReplacing: true });
  const exporter = await create();
  const table = sampleTable(300, { seed: 4, fromNs: 9e9, misses: true });
  await exporter.write(table, 300, 0);
  await exporter.write(table, 200, 1);
  expect(await exporter.close()).toEqual({ files: [file], points: 500, leftOut: [] });
  const given = await create();
  await given.write(table, 300, 0);
  await given.abort();
  expect(readdirSync(dirname(file))).toEqual(['cloud.npz']);

  const members = unzipSync(readFileSync(file));
  const read = (name: string) => readNpy(members[`${name}.npy`] ?? new Uint8Array());
  for (const name of columns) {
    const values = Array.from(table[name] ?? [], Number);
    expect(read(name).values, name).toEqual([...values, ...values.slice(0, 200)]);
  }
  expect(read('time_ns').descr).toBe('<i8');
  expect(read('sensor').values).toEqual([
    ...Array<number>(300).fill(0),
    ...Array<number>(200).fill(1),
  ]);
  expect(textsOf(members['classes.npy'])).toEqual(sampleClasses);
  expect(textsOf(members['sensors.npy'])).toEqual(['roof', 'größer']);
});

/** An array of texts: UTF-32, filled up with zeros. */
function textsOf(file = new Uint8Array()): string[] {
  const bytes = Buffer.from(file);
  const dataAt = 10 + bytes.readUInt16LE(8);
  const header = bytes.toString('latin1', 10, dataAt);
  const [, letters, count] = /'<U(\d+)'.*\((\d+),\)/.exec(header)?.map(Number) ?? [];
  return Array.from({ length: count ?? 0 }, (_, row) => {
    const codes = Array.from({ length: letters ?? 0 }, (_, at) =>
      bytes.readUInt32LE(dataAt + 4 * (row * (letters ?? 0) + at)),
    );
    return String.fromCodePoint(...codes.filter((code) => code > 0));
  });
}
