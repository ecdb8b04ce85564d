// Sources whose headers say more than their bytes hold: each is refused by what it says, before memory is taken for it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { neededBeamColumns } from '#contract/columns.ts';
import { cloudOfMessage, decodeRawCloud } from '#recordings/foreign/cloudMessage.ts';
import { openPointFile } from '#recordings/foreign/points/pointFile.ts';
import { openNpzBeams } from '#recordings/foreign/npzBeams.ts';
import { mcapMessages } from '#recordings/foreign/mcapMessages.ts';
import { npyHeadOf } from '#recordings/npyHead.ts';
import { chunkContent } from '#recordings/mcap/readRecords.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { fileOf, joined, opcodes, recordBytes } from '#test/recordings/mcapRecords.ts';
import { writerOf } from './foreignFiles.ts';

/** Writes an archive with an array for each column that beams need, each with the same header. */
async function writeNpz(file: string, header: string, contentBytes: number): Promise<void> {
  const zip = new ZipFile();
  const head = Buffer.from(`\x93NUMPY\x01\0\0\0${header}\n`, 'latin1');
  head.writeUInt16LE(header.length + 1, 8);
  const array = Buffer.concat([head, Buffer.alloc(contentBytes)]);
  for (const name of neededBeamColumns) zip.addBuffer(array, `${name}.npy`);
  zip.end();
  writeFileSync(file, await buffer(zip.outputStream));
}

describe('an archive of NumPy', () => {
  it.each([
    ['<f4', '(3,)', 'x.npz is damaged: its array'],
    ['<f4', '(1,)', 'x.npz is damaged: its array'],
    ['<f8', '(2,)', 'x.npz is damaged: its array'],
    ['<f4', '(99999999999,)', 'x.npz is damaged: its array'],
    ['<f4', '(2, 999999999, 999999999)', 'of shape (2, 999999999, 999999999)'],
    ['<f4', '(-2,)', 'of shape (-2,)'],
    ['<f4', '(1e99,)', 'of shape (1e99,)'],
    ['<U9', '(2,)', 'x.npz is damaged: its array'],
  ])('of %s %s with 8 bytes of values is refused', async (type, shape, message) => {
    const file = join(temporaryFolder(), 'x.npz');
    const head = (of: string): string =>
      `{'descr': '${type}', 'fortran_order': False, 'shape': ${of}, }`;
    await writeNpz(file, head(shape), 8);
    await expect(openNpzBeams(file)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(message) as string,
    });
    if (type !== '<f4') return;
    await writeNpz(file, head('(2,)'), 8);
    expect(await openNpzBeams(file)).toMatchObject({ rows: 2 });
  });

  it.each([['<U0'], ['<U'], ['|O']])('with texts of type %s is refused', (type) => {
    const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (4000000000,), }\n`;
    const head = Buffer.concat([Buffer.alloc(10), Buffer.from(text)]);
    head.writeUInt16LE(text.length, 8);
    expect(() => npyHeadOf(head, (reason) => new Error(reason))).toThrow(`of type ${type}`);
  });
});

describe('a message', () => {
  const point = { name: 'x', offset: 0, datatype: 7, count: 1 };
  const cloud = {
    header: { stamp: { sec: 1, nanosec: 0 }, frame_id: 'l' },
    height: 1,
    width: 2,
    is_bigendian: false,
    point_step: 4,
    row_step: 8,
    is_dense: true,
    fields: [point],
    data: new Uint8Array(8),
  };
  const encoded = (change: object): Uint8Array =>
    writerOf('sensor_msgs/msg/PointCloud2').writeMessage({ ...cloud, ...change });
  /** Within memory that continues, as the messages of a chunk are. */
  const amongOthers = (message: Uint8Array): Uint8Array => {
    const memory = new Uint8Array(message.length + 100_000);
    memory.set(message);
    return memory.subarray(0, message.length);
  };
  /** CDR: 4 bytes of encapsulation, the stamp (2 × 4), the name (length, 'l', NUL, padding), height and width. */
  const fieldsAt = 4 + 8 + 8 + 8;

  it.each([
    ['more data', (bytes: Uint8Array) => bytes.length - 8 - 5, 50_000],
    ['endless data', (bytes: Uint8Array) => bytes.length - 8 - 5, 0xffffffff],
    ['more fields', () => fieldsAt, 3],
    ['endless fields', () => fieldsAt, 0xffffffff],
    ['a longer name of a field', () => fieldsAt + 4, 50_000],
    ['a longer name of its frame', () => 12, 50_000],
  ])('that says that it has %s than it holds is refused', (_, place, count) => {
    const bytes = encoded({});
    expect(decodeRawCloud(amongOthers(bytes)).data).toHaveLength(8);
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(place(bytes), count, true);
    expect(() => decodeRawCloud(amongOthers(bytes))).toThrow('no sensor_msgs/PointCloud2');
  });

  it.each([
    ['more rows', { height: 0xffffffff }],
    ['more columns', { width: 0xffffffff, row_step: 0xffffffff }],
    ['wider points', { fields: [{ ...point, offset: 1 }] }],
  ])('with %s than its data is refused', (_, change) => {
    expect(() => decodeRawCloud(encoded(change))).toThrow('not as long as its fields say');
  });

  it('with points of no bytes is refused, however many there are', () => {
    const none = { point_step: 0, row_step: 0, height: 0xffffffff, width: 0xffffffff };
    const bytes = encoded({ ...none, fields: [], data: new Uint8Array(0) });
    expect(() => cloudOfMessage(bytes, 0, 0n, {})).toThrow("no field 'x'");
  });
});

describe('a chunk of MCAP', () => {
  const content = new Uint8Array(2 ** 26 + 2 ** 22);
  const packed = zstdCompressSync(content);
  /** mcap.dev/spec: times, size, CRC, compression, records. */
  const chunk = (stated: number): Uint8Array => {
    const head = new DataView(new ArrayBuffer(8 + 8 + 8 + 4 + 4 + 4 + 8));
    head.setBigUint64(16, BigInt(stated), true);
    head.setUint32(24, crc32(content), true);
    head.setUint32(28, 4, true);
    head.setUint32(32, 0x6474737a, true);
    head.setBigUint64(36, BigInt(packed.length), true);
    return joined(new Uint8Array(head.buffer), packed);
  };
  const record = (stated: number) => ({ opcode: opcodes.chunk, content: chunk(stated) });

  it('that says that it holds far more than it takes in the file is refused', async () => {
    expect(256 * packed.length).toBeLessThan(2 ** 22);
    const file = join(temporaryFolder(), 'x.mcap');
    for (const stated of [content.length, Number.MAX_SAFE_INTEGER]) {
      writeFileSync(file, fileOf([record(stated)]));
      const messages = mcapMessages(file, new AbortController().signal, () => undefined);
      await expect(messages.next()).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringContaining(`found ${stated} in ${packed.length}`) as string,
      });
      const raw = { opcode: opcodes.chunk, offset: 8, bytes: recordBytes(record(stated)) };
      expect(await chunkContent(raw)).toBeNull();
    }
  });

  it('that holds more than it says is refused', async () => {
    const raw = { opcode: opcodes.chunk, offset: 8, bytes: recordBytes(record(1000)) };
    expect(await chunkContent(raw)).toBeNull();
  });
});

describe('a file of points', () => {
  const pcd = (points: number, count: number, data: string): string =>
    `VERSION .7\nFIELDS x y z n\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 ${count}\n` +
    `WIDTH ${points}\nHEIGHT 1\nPOINTS ${points}\nDATA ${data}\n`;

  it.each([
    ['x.pcd', 'more points', pcd(4e9, 1, 'binary') + 'x'.repeat(64), 'shorter than its header'],
    ['x.pcd', 'more lines', pcd(4e9, 1, 'ascii') + '0 0 0 0\n', 'shorter than its header'],
    ['x.pcd', 'more numbers', pcd(1, 2000, 'ascii') + '0 0 0 0\n', 'shorter than its header'],
    ['x.pcd', 'wide points', pcd(0, 4e9, 'ascii'), 'its points have'],
    [
      'x.ply',
      'more vertices',
      'ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n' +
        'property float x\nproperty float y\nproperty float z\nend_header\n0000',
      'shorter than its header',
    ],
    ['x.las', 'a longer header', `LASF${'\0'.repeat(20)}\x01\x04${'\0'.repeat(214)}`, 'no header'],
  ])('%s with %s than it holds is refused', async (name, _, text, message) => {
    const file = join(temporaryFolder(), name);
    writeFileSync(file, text, 'latin1');
    await expect(openPointFile(file)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(message) as string,
    });
  });
});
