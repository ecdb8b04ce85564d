// Files of points in every form of their data: the same values from PCD that LZF compressed, from PLY of either byte order;
// sizes that cannot be are refused before memory is taken.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unpackedLzf } from '#recordings/foreign/points/compressedRows.ts';
import { openPointFile, readPoints } from '#recordings/foreign/points/pointFile.ts';
import { packedLzf, type PointColumn, writePcd, writePly } from '#test/services/logs/pointFiles.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { seededRandom } from './samples.ts';

const random = seededRandom(3);
const columns: PointColumn[] = [
  ['x', 'f4', Array.from({ length: 5000 }, (_, row) => Math.fround(row / 7))],
  ['y', 'f8', Array.from({ length: 5000 }, () => random())],
  ['z', 'f4', Array.from({ length: 5000 }, () => 1.5)],
  ['ring', 'u2', Array.from({ length: 5000 }, (_, row) => row % 16)],
];

async function valuesOf(file: string): Promise<Record<string, number[]>> {
  const layout = await openPointFile(file);
  const values: Record<string, number[]> = {};
  for await (const rows of readPoints(file, layout)) {
    for (const [name] of columns) (values[name] ??= []).push(...(rows.valuesOf(name) ?? []));
  }
  return values;
}

it.each([
  ['PCD that LZF compressed', 'x.pcd', (file: string) => writePcd(file, columns, true)],
  ['PLY of big-endian numbers', 'x.ply', (file: string) => writePly(file, columns, false)],
])('%s has the values that were written', async (_, name, write) => {
  const file = join(temporaryFolder(), name);
  write(file);
  const found = await valuesOf(file);
  for (const [column, , values] of columns) expect(found[column], column).toEqual(values);
});

it('LZF gives back any content', () => {
  for (const content of [
    new Uint8Array(0),
    new Uint8Array(10_000),
    Uint8Array.from({ length: 3000 }, () => 256 * random()),
    Uint8Array.from({ length: 9000 }, (_, at) => (at % 700) % 251),
  ]) {
    const packed = packedLzf(content);
    expect(unpackedLzf(packed, content.length)).toEqual(content);
    expect(unpackedLzf(packed, content.length + 1)).toBeNull();
    if (content.length > 0) expect(unpackedLzf(packed.subarray(0, -1), content.length)).toBeNull();
  }
  expect(unpackedLzf(Uint8Array.of(0x20, 5), 3)).toBeNull();
});

it.each([
  ['more content than its points', 4, 0x7fffffff, 'its compressed data has'],
  ['more packed bytes than the file', 0, 0x0fffffff, 'shorter than its header says'],
  ['fewer packed bytes', 0, 5, 'its compressed data'],
])('compressed PCD that states %s is refused', async (_, at, value, message) => {
  const file = join(temporaryFolder(), 'x.pcd');
  writePcd(file, columns, true);
  const bytes = readFileSync(file);
  const start = bytes.indexOf('binary_compressed\n') + 'binary_compressed\n'.length;
  bytes.writeUInt32LE(value, start + at);
  writeFileSync(file, bytes);
  await expect(valuesOf(file)).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining(message) as string,
  });
});
