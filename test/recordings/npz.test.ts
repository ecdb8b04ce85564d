// Arrays for NumPy, read back by a reader written from the format's description, and unpacked by another library.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unzipSync } from 'fflate';
import { columnTypes, type ColumnType } from '#contract/columns.ts';
import { encodeNpy, npyHeader } from '#recordings/export/npy.ts';
import { openNpz } from '#recordings/export/npz.ts';
import { readNpy } from './readNpy.ts';
import { temporaryFolder } from './temporary.ts';

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

test('an NPZ file that is given up leaves nothing behind but what was there before', async () => {
  const file = join(temporaryFolder(), 'arrays.npz');
  writeFileSync(file, 'before');
  const npz = await openNpz(file);
  await npz.add('a', { type: 'u8' });
  await npz.append('a', Uint8Array.of(1, 2, 3));
  await npz.abort();
  expect(readdirSync(dirname(file))).toEqual(['arrays.npz']);
  expect(readFileSync(file, 'utf8')).toBe('before');
});
