// Frames against the golden files, in pieces of any size, and bytes that are no frames.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { columnTypes, type ColumnArray, type ColumnType } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  decodeFrame,
  encodeFrame,
  FrameReader,
  maxHeaderBytes,
  maxPayloadBytes,
  preambleBytes,
  type Frame,
} from '#contract/wire/frame.ts';
import { goldenFrames } from './goldenFrames.ts';
import { goldenBytes, goldenManifest } from './writeGolden.ts';

interface ManifestFrame {
  file: string;
  header: Record<string, unknown> & { columns?: unknown };
  columns: { name: string; type: ColumnType; values: (number | string | null)[] }[];
}

const manifest = JSON.parse(readGolden('manifest.json').toString('utf8')) as ManifestFrame[];

it('the golden files are those that writeGolden.ts lays out', () => {
  expect(goldenFrames.map(({ file }) => file)).toEqual(manifest.map(({ file }) => file));
  for (const frame of goldenFrames) {
    expect(readGolden(frame.file).equals(goldenBytes(frame)), frame.file).toBe(true);
  }
  expect(JSON.parse(goldenManifest())).toEqual(manifest);
});

describe.each(manifest)('golden frame $file', (golden) => {
  const bytes = new Uint8Array(readGolden(golden.file));

  it('is read as the manifest says', () => {
    const { header, columns } = decodeFrame(bytes);
    expect(header).toEqual(withoutColumns(golden.header));
    expect(Object.keys(columns)).toEqual(golden.columns.map(({ name }) => name));
    for (const { name, type, values } of golden.columns) {
      expect(columns[name]).toEqual(arrayOf(type, values));
    }
  });

  it('is written byte for byte', () => {
    const header = withoutColumns(golden.header);
    const columns = Object.fromEntries(
      golden.columns.map(({ name, type, values }) => [name, arrayOf(type, values)]),
    );
    const frame = { header, columns } as unknown as Frame;
    expect(Buffer.from(encodeFrame(frame)).equals(bytes)).toBe(true);
  });

  it('is read the same wherever the stream is cut', () => {
    const whole = decodeFrame(bytes);
    for (const pieceBytes of [1, 3, 7, 16, 17]) {
      const reader = new FrameReader();
      const frames: Frame[] = [];
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        expect(frames).toHaveLength(0);
        frames.push(...reader.push(bytes.subarray(at, at + pieceBytes)));
      }
      expect(frames).toEqual([whole]);
      expect(reader.isIdle).toBe(true);
    }
  });
});

describe('frame reader', () => {
  const small = encodeFrame({ header: { kind: 'event', id: 0, body: [1, 2] }, columns: {} });

  it('reads many frames from one piece, and one that lies across two', () => {
    const three = Buffer.concat([small, small, small]);
    const reader = new FrameReader();
    expect(reader.push(three.subarray(0, small.length * 2 + 5))).toHaveLength(2);
    expect(reader.isIdle).toBe(false);
    expect(reader.push(three.subarray(small.length * 2 + 5))).toHaveLength(1);
    expect(reader.isIdle).toBe(true);
  });

  it('refuses junk where a frame should begin', () => {
    expectProtocolError(() => new FrameReader().push(Buffer.from('Segmentation fault\n')));
    const reader = new FrameReader();
    expect(reader.push(small)).toHaveLength(1);
    expectProtocolError(() => reader.push(Buffer.from('printf to the wrong stream')));
  });

  it.each([
    ['header', preamble(maxHeaderBytes + 8, 0n)],
    ['payload', preamble(8, BigInt(maxPayloadBytes) + 8n)],
    ['payload beyond 2^53', preamble(8, 2n ** 63n)],
    ['unpadded header', preamble(9, 0n)],
    ['unpadded payload', preamble(8, 4n)],
  ])('refuses an over-long or odd %s before it allocates', (_, bytes) => {
    expectProtocolError(() => new FrameReader().push(bytes));
  });

  it('waits for the rest of a truncated header, and does not take it for a frame', () => {
    const reader = new FrameReader();
    expect(reader.push(small.subarray(0, preambleBytes + 4))).toHaveLength(0);
    expect(reader.isIdle).toBe(false);
    expectProtocolError(() => decodeFrame(small.subarray(0, small.length - 1)));
  });

  it('refuses a header that is not JSON', () => {
    expectProtocolError(() => decodeFrame(withHeader('{"kind":"call","id":', 0)));
    expectProtocolError(() => decodeFrame(withHeader('', 0)));
  });

  it.each([
    ['null', 'expected a mapping, found an empty value'],
    ['[]', 'expected a mapping, found a list of 0'],
    ['7', 'expected a mapping, found 7'],
    [
      '{"id":1}',
      'kind: expected one of call, cancel, ack, progress, chunk, reply, error, event, found nothing',
    ],
    [
      '{"kind":"shout","id":1}',
      "kind: expected one of call, cancel, ack, progress, chunk, reply, error, event, found 'shout'",
    ],
    ['{"kind":"call"}', 'id: expected a whole number of at least 0, found nothing'],
    ['{"kind":"call","id":-1}', 'id: expected a whole number of at least 0, found -1'],
    ['{"kind":"call","id":1e300}', 'id: expected a whole number of at least 0, found 1e+300'],
    ['{"kind":"call","id":1,"method":[]}', 'method: expected text, found a list of 0'],
    ['{"kind":"ack","id":1,"seq":"0"}', "seq: expected a whole number of at least 0, found '0'"],
    ['{"kind":"error","id":1,"error":5}', 'error: expected a mapping, found 5'],
    [
      '{"kind":"error","id":1,"error":{"code":"io"}}',
      'error.message: expected text, found nothing',
    ],
    ['{"kind":"event","id":0,"columns":5}', 'columns: expected a list, found 5'],
    [
      '{"kind":"event","id":0,"columns":[null]}',
      'columns[0]: expected a mapping, found an empty value',
    ],
    [
      '{"kind":"event","id":0,"columns":[{"type":"u8","count":1}]}',
      'columns[0].name: expected text, found nothing',
    ],
    [
      '{"kind":"event","id":0,"columns":[{"name":"x","type":"constructor","count":1}]}',
      "columns[0].type: expected one of u8, u16, u32, i32, u64, i64, f32, f64, found 'constructor'",
    ],
  ])('refuses the header %s', (json, problem) => {
    const message = `the header of a frame is wrong: ${problem}`;
    const error = expect.objectContaining({ code: 'protocol', message }) as Error;
    expect(() => decodeFrame(withHeader(json, 0))).toThrow(error);
    expect(() => new FrameReader().push(withHeader(json, 0))).toThrow(error);
  });

  it.each([
    ['overruns its payload', { name: 'x_m', type: 'f64', count: 2 }],
    ['has a negative count', { name: 'x_m', type: 'f64', count: -1 }],
    ['has an unknown type', { name: 'x_m', type: 'f16', count: 1 }],
    ['has a count beyond any array', { name: 'x_m', type: 'f64', count: 1e300 }],
    ['has part of an element', { name: 'x_m', type: 'f32', count: 0.5 }],
  ])('refuses a column that %s', (_, column) => {
    const header = JSON.stringify({ kind: 'event', id: 0, columns: [column] });
    expectProtocolError(() => decodeFrame(withHeader(header, 8)));
  });

  it('views columns in place, aligned to 8 bytes', () => {
    const ring = Uint16Array.of(1, 2, 3);
    const time_ns = BigInt64Array.of(-5n);
    const { columns } = decodeFrame(
      encodeFrame({ header: { kind: 'event', id: 0 }, columns: { ring, time_ns } }),
    );
    expect(columns.ring?.buffer).toBe(columns.time_ns?.buffer);
    expect((columns.time_ns?.byteOffset ?? 1) % 8).toBe(0);
  });
});

/** The header as a frame has it: the columns' own headers follow from the columns. */
function withoutColumns(header: ManifestFrame['header']): Record<string, unknown> {
  const rest: Record<string, unknown> = { ...header };
  delete rest.columns;
  return rest;
}

function readGolden(file: string): Buffer {
  return readFileSync(new URL(`golden/${file}`, import.meta.url));
}

function arrayOf(type: ColumnType, values: (number | string | null)[]): ColumnArray {
  const numbers = values.map((value) => (value === null ? Number.NaN : Number(value)));
  if (type === 'u64') return BigUint64Array.from(numbers, BigInt);
  if (type === 'i64') return BigInt64Array.from(numbers, BigInt);
  return columnTypes[type].from(numbers);
}

function preamble(headerBytes: number, payloadBytes: bigint): Buffer {
  const bytes = Buffer.alloc(preambleBytes);
  bytes.write('USF1', 'latin1');
  bytes.writeUInt32LE(headerBytes, 4);
  bytes.writeBigUInt64LE(payloadBytes, 8);
  return bytes;
}

function withHeader(json: string, payloadBytes: number): Buffer {
  const header = Buffer.from(json.padEnd(Math.max(8, Math.ceil(json.length / 8) * 8)));
  return Buffer.concat([
    preamble(header.length, BigInt(payloadBytes)),
    header,
    Buffer.alloc(payloadBytes),
  ]);
}

function expectProtocolError(act: () => unknown): void {
  expect(act).toThrow(UnderstoryError);
  expect(act).toThrow(expect.objectContaining({ code: 'protocol' }));
}
