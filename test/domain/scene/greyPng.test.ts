// Rows of a picture as the library that wrote it has them, however the bytes are cut; every filter of PNG.
import { encode, decode } from 'fast-png';
import { deflateSync, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createGreyRows, pngHeadBytes, readGreyHead } from '#domain/scene/greyPng.ts';
import { seededRandom } from '#test/recordings/samples.ts';

const [columns, rows] = [37, 23];
const random = seededRandom(5);
const samples = Uint16Array.from({ length: columns * rows }, () => random() * 65536);
const whole = encode({ width: columns, height: rows, data: samples, channels: 1, depth: 16 });

function rowsOf(inflated: Uint8Array, pieceBytes: number): { isWhole: boolean; values: number[] } {
  const values: number[] = [];
  const taken = createGreyRows({ columns, rows }, (row, found) => {
    expect(row * columns).toBe(values.length);
    values.push(...found);
  });
  let isWhole = true;
  for (let at = 0; at < inflated.length; at += pieceBytes) {
    isWhole &&= taken.push(inflated.subarray(at, at + pieceBytes));
  }
  return { isWhole, values };
}

/** Image data with this filter in every row (PNG, 9.2), written from the definition. */
function filtered(filter: number): Uint8Array {
  const rowBytes = 2 * columns;
  const raw = new Uint8Array(rows * rowBytes);
  const view = new DataView(raw.buffer);
  samples.forEach((value, at) => view.setUint16(2 * at, value));
  const at = (row: number, byte: number): number =>
    row < 0 || byte < 0 ? 0 : (raw[row * rowBytes + byte] ?? 0);
  const bytes = new Uint8Array(rows * (rowBytes + 1));
  for (let row = 0; row < rows; row += 1) {
    bytes[row * (rowBytes + 1)] = filter;
    for (let byte = 0; byte < rowBytes; byte += 1) {
      const [a, b, c] = [at(row, byte - 2), at(row - 1, byte), at(row - 1, byte - 2)] as const;
      const p = a + b - c;
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)] as const;
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const predicted = [0, a, b, Math.floor((a + b) / 2), paeth][filter] ?? 0;
      bytes[row * (rowBytes + 1) + 1 + byte] = at(row, byte) - predicted;
    }
  }
  return bytes;
}

it.each([0, 1, 2, 3, 4])('takes filter %i back, in pieces of any size', (filter) => {
  const inflated = inflateSync(deflateSync(filtered(filter)));
  for (const pieceBytes of [1, 7, 75, 76, 10_000]) {
    const { isWhole, values } = rowsOf(inflated, pieceBytes);
    expect(isWhole).toBe(true);
    expect(values).toEqual([...samples]);
  }
});

it('refuses a filter that there is not, and bytes after the last row', () => {
  expect(rowsOf(filtered(0).fill(5, 0, 1), 100).isWhole).toBe(false);
  expect(rowsOf(new Uint8Array(rows * (2 * columns + 1) + 1), 100).isWhole).toBe(false);
});

it('computes the decoded size from the head', () => {
  expect(readGreyHead(whole.subarray(0, pngHeadBytes))).toEqual({ columns, rows });
  expect(decode(whole).data).toEqual(samples);
  const changed = (at: number, value: number): unknown => {
    const head = whole.slice(0, pngHeadBytes);
    new DataView(head.buffer).setUint8(at, value);
    return readGreyHead(head);
  };
  expect(changed(0, 0)).toContain('expected a PNG');
  expect(changed(16, 1)).toContain('expected at most 16384 × 16384 samples, found 16777253');
  expect(changed(24, 8)).toContain('found 8 bits and 1 channels');
  expect(changed(28, 1)).toContain('without interlacing');
  expect(readGreyHead(whole.subarray(0, 20))).toContain('expected a PNG');
});
