// Foreign MCAP files and rosbag2 folders by feature: each is read, with all of its beams, or refused in one clear
// sentence. Files by the library of MCAP's authors; features that it does not write, byte by byte.
import { McapWriter } from '@mcap/core';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  dataCrcOf,
  dataOf,
  fileOf,
  type McapRecord,
  mcapMagic,
  opcodes,
} from '#test/recordings/mcapRecords.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { sensorAt } from './firingSensors.ts';
import {
  type Message,
  odometry,
  startNs,
  velodyneCloud,
  writeBag,
  writerOf,
} from './foreignFiles.ts';
import { imported, refusal } from './imported.ts';
import { lz4Frame, ros1Bytes } from './ros1Files.ts';
import { beamsOfRoom } from './room.ts';

const beams = beamsOfRoom(1).filter(({ rangeM }) => Number.isFinite(rangeM));
const poses = Array.from({ length: 20 }, (_, step) => step * 10_000_000).map((timeNs) =>
  odometry(timeNs, sensorAt(timeNs)),
);
const cloud = velodyneCloud(beams, 0);
/** The same beams, later. */
const lateNs = 40_000_000;
const lateBeams = beams.map((beam) => ({ ...beam, timeNs: beam.timeNs + lateNs }));
const late = velodyneCloud(lateBeams, lateNs);
const messages = [...poses, cloud];

type Options = Omit<ConstructorParameters<typeof McapWriter>[0], 'writable'>;

/** The difference of a file from a plain one. */
interface Feature {
  options?: Options;
  profile?: string;
  encoding?: string;
  schemaEncoding?: string;
  /** A schema for each channel; false: 0, no schema. */
  hasSchemas?: boolean;
  messages?: readonly Message[];
  /** Before the first message, and after half of them. */
  also?: (writer: McapWriter) => Promise<unknown>;
  /** Changes the data section. */
  records?: (records: McapRecord[]) => McapRecord[];
  dataCrc?: (records: McapRecord[]) => number;
  bytes?: (file: Uint8Array) => Uint8Array;
}

async function fileWith(feature: Feature): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0n;
  const writer = new McapWriter({
    ...feature.options,
    writable: {
      write: (bytes) => {
        parts.push(bytes.slice());
        size += BigInt(bytes.length);
        return Promise.resolve();
      },
      position: () => size,
    },
  });
  await writer.start({ profile: feature.profile ?? 'ros2', library: 'test' });
  const { encoding = 'cdr', schemaEncoding = 'ros2msg', hasSchemas = true } = feature;
  const channels = new Map<string, number>();
  const sent = feature.messages ?? messages;
  for (const [sequence, { topic, type, timeNs, message }] of sent.entries()) {
    if (sequence === 0 || sequence === sent.length >> 1) await feature.also?.(writer);
    let channelId = channels.get(topic);
    if (channelId === undefined) {
      const name = encoding === 'ros1' ? type.replace('/msg/', '/') : type;
      const schema = { name, encoding: schemaEncoding, data: new Uint8Array() };
      const schemaId = hasSchemas ? await writer.registerSchema(schema) : 0;
      const channel = { schemaId, topic, messageEncoding: encoding, metadata: new Map() };
      channels.set(topic, (channelId = await writer.registerChannel(channel)));
    }
    const time = startNs + BigInt(timeNs);
    const stamps = { sequence, logTime: time, publishTime: time };
    const data =
      encoding === 'ros1'
        ? ros1Bytes({ topic, type, timeNs, message })
        : writerOf(type).writeMessage(message);
    await writer.addMessage({ channelId, ...stamps, data });
  }
  await writer.end();
  const file = new Uint8Array(Buffer.concat(parts));
  const { records, dataCrc, bytes } = feature;
  if (records === undefined && dataCrc === undefined) return bytes?.(file) ?? file;
  const changed = records?.(dataOf(file)) ?? dataOf(file);
  return fileOf(changed, dataCrc?.(changed) ?? 0);
}

async function outcomeOf(feature: Feature): Promise<number | string> {
  const file = join(temporaryFolder(), 'x.mcap');
  writeFileSync(file, await fileWith(feature));
  return outcomeOfSource(file);
}

/** The number of returns, or code and text of the refusal. */
async function outcomeOfSource(source: string): Promise<number | string> {
  const refused = (await refusal(source, { infersMisses: false })) as {
    code: string;
    title: string;
  } | null;
  if (refused !== null) return `${refused.code}: ${refused.title}`;
  return (await imported(source, { infersMisses: false })).reply.returns;
}

const all = beams.length;
const bare: Options = {
  useStatistics: false,
  useSummaryOffsets: false,
  repeatSchemas: false,
  repeatChannels: false,
  useMessageIndex: false,
  useChunkIndex: false,
};
const codecs: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  zstd: zstdCompressSync,
  lz4: lz4Frame,
};
const packed = (compression: string, compress = codecs[compression]): Options => ({
  compressChunk: (bytes) => ({ compression, compressedData: compress?.(bytes) ?? bytes }),
});
const chunkCrc =
  (crc: number) =>
  (records: McapRecord[]): McapRecord[] =>
    records.map(({ opcode, content }) => {
      if (opcode === opcodes.chunk) new DataView(content.buffer).setUint32(24, crc, true);
      return { opcode, content };
    });
/** Adds records of this kind before the first, in the middle and at the end. */
const withRecords = (opcode: number) => (records: McapRecord[]) => {
  const extra = { opcode, content: new Uint8Array(77).fill(opcode) };
  const middle = records.length >> 1;
  return [
    ...records.slice(0, 1),
    extra,
    ...records.slice(1, middle),
    extra,
    ...records.slice(middle),
    extra,
  ];
};
const twice = (wanted: number[]) => (records: McapRecord[]) =>
  records.flatMap((record) => (wanted.includes(record.opcode) ? [record, record] : [record]));
const other = async (writer: McapWriter, encoding: string, name: string | null): Promise<void> => {
  const schema = { name: name ?? '', encoding, data: new Uint8Array() };
  const schemaId = name === null ? 0 : await writer.registerSchema(schema);
  const metadata = new Map<string, string>();
  const channel = { schemaId, topic: '/other', messageEncoding: encoding, metadata };
  const channelId = await writer.registerChannel(channel);
  const time = { sequence: 0, logTime: startNs, publishTime: startNs };
  await writer.addMessage({ channelId, ...time, data: new TextEncoder().encode('{"a":1}') });
};

const rows: [feature: string, Feature, expected: number | RegExp][] = [
  ['chunks, none compressed, with summary', {}, all],
  ['no chunks', { options: { useChunks: false } }, all],
  ['many small chunks', { options: { chunkSize: 500 } }, all],
  ['chunks of zstd', { options: packed('zstd') }, all],
  ['chunks of lz4', { options: packed('lz4') }, all],
  [
    'chunks of lz4 that are none',
    { options: packed('lz4', (bytes) => bytes) },
    /^corrupt: .*is damaged/,
  ],
  ['chunks of an unknown compression', { options: packed('x') }, /^unsupported: .*mcap compress/],
  ['no summary', { options: bare }, all],
  ['no summary and no chunks', { options: { ...bare, useChunks: false } }, all],
  ['no message index', { options: { useMessageIndex: false } }, all],
  ['no statistics', { options: { useStatistics: false } }, all],
  ['no summary offsets', { options: { useSummaryOffsets: false } }, all],
  ['CRC 0 of chunks', { records: chunkCrc(0) }, all],
  ['wrong CRC of a chunk', { records: chunkCrc(77) }, /^corrupt: .*is damaged: .*CRC/],
  ['CRC of the data', { dataCrc: dataCrcOf }, all],
  // Read, as by the library of MCAP's authors: chunks have their own.
  ['wrong CRC of the data', { dataCrc: () => 77 }, all],
  [
    'attachments and metadata',
    {
      also: async (writer) => {
        const data = new Uint8Array(999);
        const times = { logTime: 0n, createTime: 0n };
        await writer.addAttachment({ name: 'a', mediaType: 'text/plain', ...times, data });
        await writer.addMetadata({ name: 'b', metadata: new Map([['c', 'd']]) });
      },
    },
    all,
  ],
  ['records of private opcodes', { records: withRecords(0x80) }, all],
  ['records of opcodes that are not known yet', { records: withRecords(0x21) }, all],
  [
    'schemas and channels that are repeated',
    { options: { useChunks: false }, records: twice([opcodes.schema, opcodes.channel]) },
    all,
  ],
  [
    'two channels of a topic',
    {
      messages: [...messages, late],
      also: async (writer) => {
        const schema = { name: cloud.type, encoding: 'ros2msg', data: new Uint8Array() };
        const schemaId = await writer.registerSchema(schema);
        const rest = { topic: cloud.topic, messageEncoding: 'cdr', metadata: new Map() };
        await writer.registerChannel({ schemaId, ...rest });
      },
    },
    2 * all,
  ],
  ['a topic without schema beside', { also: (writer) => other(writer, 'json', null) }, all],
  ['messages of JSON beside', { also: (writer) => other(writer, 'json', 'test.Note') }, all],
  [
    'messages of protobuf beside',
    { also: (writer) => other(writer, 'protobuf', 'test.Note') },
    all,
  ],
  ['nothing but head and end', { messages: [] }, /^bad-input: .*expected clouds of points/],
  ['channels without schemas', { hasSchemas: false }, /^bad-input: .*expected clouds of points/],
  ['profile of none', { profile: '' }, all],
  ['profile of ROS 1 with CDR', { profile: 'ros1' }, all],
  ['messages of ROS 1', { profile: 'ros1', encoding: 'ros1', schemaEncoding: 'ros1msg' }, all],
  [
    'messages of JSON',
    { encoding: 'json' },
    /^unsupported: .*clouds in the encoding 'json': expected cdr/,
  ],
  [
    'messages of protobuf',
    { encoding: 'protobuf' },
    /^unsupported: .*clouds in the encoding 'protobuf': expected cdr/,
  ],
  ['log times out of order', { messages: [cloud, ...poses.toReversed()] }, all],
  [
    'an end within a record',
    { bytes: (file) => file.subarray(0, 3000) },
    /^corrupt: .*was cut off/,
  ],
  ['no footer', { bytes: (file) => file.subarray(0, -37) }, /^corrupt: .*was cut off/],
  ['no magic at the end', { bytes: (file) => file.subarray(0, -8) }, /^corrupt: .*was cut off/],
  ['half a magic at the end', { bytes: (file) => file.subarray(0, -4) }, /^corrupt: .*was cut off/],
  ['the magic alone', { bytes: () => mcapMagic }, /^corrupt: .*was cut off/],
  ['no byte', { bytes: () => new Uint8Array() }, /^corrupt: .*is no MCAP file/],
];

describe('an MCAP file', () => {
  it.each(rows)('with %s', async (_, feature, expected) => {
    const outcome = await outcomeOf(feature);
    if (typeof expected === 'number') expect(outcome).toBe(expected);
    else expect(outcome).toMatch(expected);
  });
});

// ---- layouts of clouds

type Datatype = 2 | 4 | 5 | 6 | 7 | 8;
const bytesOf: Record<Datatype, number> = { 2: 1, 4: 2, 5: 4, 6: 4, 7: 4, 8: 8 };

interface Layout {
  /** Name, datatype of PointField, value by point and axis. */
  fields: [name: string, datatype: Datatype, value: (row: number) => number][];
  /** Bytes before each field, after each point, and after each row. */
  gaps?: [field: number, point: number, row: number];
  height?: number;
  isBigEndian?: boolean;
}

const source = cloud.message as { data: Uint8Array; width: number; point_step: number };
const plain = new DataView(source.data.buffer);
const axis = (at: 0 | 1 | 2) => (row: number) =>
  plain.getFloat32(row * source.point_step + 4 * at, true);
const timeS = (row: number): number => plain.getFloat32(row * source.point_step + 18, true);
const xyz = (datatype: 7 | 8): Layout['fields'] => [
  ['x', datatype, axis(0)],
  ['y', datatype, axis(1)],
  ['z', datatype, axis(2)],
];
const points = source.width;

function cloudOf({ fields, gaps = [0, 0, 0], height = 1, isBigEndian = false }: Layout): Message {
  let step = 0;
  const described = fields.map(([name, datatype]) => {
    step += gaps[0];
    const offset = step;
    step += bytesOf[datatype];
    return { name, offset, datatype, count: 1 };
  });
  step += gaps[1];
  const width = points / height;
  const rowStep = width * step + gaps[2];
  const view = new DataView(new ArrayBuffer(rowStep * height));
  for (let point = 0; point < points; point += 1) {
    const at = Math.floor(point / width) * rowStep + (point % width) * step;
    for (const [index, { offset, datatype }] of described.entries()) {
      const value = fields[index]?.[2](point) ?? 0;
      if (datatype === 2) view.setUint8(at + offset, value);
      else if (datatype === 4) view.setUint16(at + offset, value, !isBigEndian);
      else if (datatype === 5) view.setInt32(at + offset, value, !isBigEndian);
      else if (datatype === 6) view.setUint32(at + offset, value, !isBigEndian);
      else if (datatype === 7) view.setFloat32(at + offset, value, !isBigEndian);
      else view.setFloat64(at + offset, value, !isBigEndian);
    }
  }
  const message = {
    ...(cloud.message as object),
    height,
    width,
    fields: described,
    is_bigendian: isBigEndian,
    point_step: step,
    row_step: rowStep,
    data: new Uint8Array(view.buffer),
  };
  return { ...cloud, message };
}

const startS = Number(startNs) / 1e9;
const ns = (row: number): number => Math.round(timeS(row) * 1e9);
const layouts: [name: string, Layout][] = [
  ['x, y and z of single precision', { fields: xyz(7) }],
  ['x, y and z of double precision', { fields: xyz(8) }],
  ['big-endian values', { fields: [...xyz(7), ['ring', 4, () => 3]], isBigEndian: true }],
  ['gaps between fields and points', { fields: xyz(7), gaps: [4, 12, 0] }],
  ['gaps after rows', { fields: xyz(7), gaps: [0, 0, 20] }],
  ['two rows', { fields: xyz(7), height: points % 2 === 0 ? 2 : 1 }],
  ...([2, 4, 7] as const).map((datatype): [string, Layout] => {
    const fields: Layout['fields'] = [...xyz(7), ['intensity', datatype, (row) => row % 200]];
    return [`intensity of datatype ${datatype}`, { fields }];
  }),
  ['time of Velodyne (f32, s)', { fields: [...xyz(7), ['time', 7, timeS]] }],
  ['t of Ouster (u32, ns)', { fields: [...xyz(7), ['t', 6, ns]] }],
  [
    'timestamp of Hesai (f64, s)',
    { fields: [...xyz(7), ['timestamp', 8, (row) => startS + timeS(row)]] },
  ],
  [
    'timestamp of Livox (f64, ns)',
    { fields: [...xyz(7), ['timestamp', 8, (row) => Number(startNs) + ns(row)]] },
  ],
  ['offset_time of Livox (u32, ns)', { fields: [...xyz(7), ['offset_time', 6, ns]] }],
  ['time_stamp of Autoware (u32, ns)', { fields: [...xyz(7), ['time_stamp', 6, ns]] }],
];

describe('a PointCloud2', () => {
  it.each(layouts)('with %s', async (_, layout) => {
    const file = join(temporaryFolder(), 'x.mcap');
    writeFileSync(file, await fileWith({ messages: [...poses, cloudOf(layout)] }));
    const { beams: found } = await imported(file, { infersMisses: false });
    expect(found).toHaveLength(points);
    const ranges = (values: number[]): number[] => values.toSorted((a, b) => a - b);
    const expected = ranges(
      Array.from({ length: points }, (_, row) =>
        Math.hypot(axis(0)(row), axis(1)(row), axis(2)(row)),
      ),
    );
    const worstM = ranges(found.map(({ rangeM }) => rangeM)).reduce(
      (worst, rangeM, row) => Math.max(worst, Math.abs(rangeM - (expected[row] ?? NaN))),
      0,
    );
    // Single precision at 20 m.
    expect(worstM).toBeLessThan(2e-6);
    const hasTimes = layout.fields.some(([name]) => /^t$|time/.test(name));
    const lastNs = found.reduce((last, { timeNs }) => (timeNs > last ? timeNs : last), 0n);
    const dueNs = hasTimes ? Math.max(...Array.from({ length: points }, (_, row) => ns(row))) : 0;
    // Double precision of seconds since 1970 has steps of 238 ns.
    expect(Math.abs(Number(lastNs - startNs) - dueNs)).toBeLessThan(300);
  });
});

describe('a folder of rosbag2', () => {
  const metadata = 'rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: mcap\n';

  async function folderOf(files: Record<string, Feature>): Promise<string> {
    const folder = join(temporaryFolder(), 'bag');
    mkdirSync(folder);
    writeFileSync(join(folder, 'metadata.yaml'), metadata);
    for (const [name, feature] of Object.entries(files)) {
      writeFileSync(join(folder, name), await fileWith(feature));
    }
    return folder;
  }

  it('with one file', async () => {
    expect(await outcomeOfSource(await folderOf({ 'bag_0.mcap': {} }))).toBe(all);
  });

  it('with its parts in the order of their numbers', async () => {
    const folder = await folderOf({
      'bag_10.mcap': { messages: [late] },
      'bag_9.mcap': { messages: [cloud] },
      'bag_0.mcap': { messages: poses },
    });
    expect(await outcomeOfSource(folder)).toBe(2 * all);
  });

  it('with a part that was cut off is refused by its name', async () => {
    const folder = await folderOf({
      'bag_0.mcap': {},
      'bag_1.mcap': { bytes: (file) => file.subarray(0, 2000) },
    });
    expect(await outcomeOfSource(folder)).toMatch(/^corrupt: .*bag_1\.mcap was cut off/);
  });

  it('of SQLite, as a folder and as its file', async () => {
    const folder = join(temporaryFolder(), 'bag');
    const file = writeBag(folder, messages);
    expect(await outcomeOfSource(folder)).toBe(all);
    expect(await outcomeOfSource(file)).toBe(all);
  });

  it('without files is refused', async () => {
    expect(await outcomeOfSource(await folderOf({}))).toMatch(/^bad-input: .*rosbag2/);
  });
});
