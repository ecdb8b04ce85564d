// Bags of ROS 1 as rosbag writes them (wiki.ros.org/Bags/Format/2.0), messages by the definitions of ROS 1, and frames of
// LZ4 (lz4_Frame_format.md, lz4_Block_format.md). Nothing of the product's own readers is used.
import { ros1 } from '@foxglove/rosmsg-msgs-common';
import { MessageWriter } from '@foxglove/rosmsg-serialization';
import { writeFileSync } from 'node:fs';
import { type Message, startNs } from './foreignFiles.ts';

type Definition = ConstructorParameters<typeof MessageWriter>[0][number];

/** A message in the encoding of ROS 1. */
export function ros1Bytes({ type, message }: Message): Uint8Array {
  const all = ros1 as Record<string, Definition>;
  const found: Definition[] = [];
  const visit = (name: string): void => {
    const definition = all[name];
    if (definition === undefined || found.includes(definition)) return;
    found.push(definition);
    for (const field of definition.definitions) if (field.isComplex === true) visit(field.type);
  };
  visit(type.replace('/msg/', '/'));
  return new MessageWriter(found).writeMessage(message);
}

/** Compression of a bag's chunks. */
export interface BagCompression {
  name: string;
  compress: (content: Buffer) => Uint8Array;
}

export interface BagOptions {
  compression?: BagCompression;
  messagesPerChunk?: number;
  /** As a recorder leaves it that was killed. */
  hasIndex?: boolean;
  /** By ROS 2's: names of types in the connections. */
  typeNames?: Record<string, string>;
}

/** Writes a bag. Messages are in the order given, which need not be that of their times. */
export function writeRos1Bag(
  file: string,
  messages: readonly Message[],
  options: BagOptions = {},
): void {
  const { messagesPerChunk = 5, hasIndex = true, typeNames = {} } = options;
  const { name: compression, compress } = options.compression ?? {
    name: 'none',
    compress: (content: Buffer) => content,
  };
  const topics = [...new Set(messages.map(({ topic }) => topic))];
  const connections = topics.map((topic, conn) => {
    const type = messages.find((message) => message.topic === topic)?.type ?? '';
    const about = fields({
      topic,
      type: typeNames[type] ?? type.replace('/msg/', '/'),
      md5sum: '*',
      message_definition: '# by its name',
    });
    return record({ op: u8(7), conn: u32(conn), topic }, about);
  });
  const head = (indexAt: number, chunks: number): Buffer => {
    const bytes = fields({
      op: u8(3),
      index_pos: u64(BigInt(indexAt)),
      conn_count: u32(indexAt === 0 ? 0 : connections.length),
      chunk_count: u32(chunks),
    });
    return lengthPrefixed(bytes, Buffer.alloc(4096 - 8 - bytes.length, ' '));
  };
  const magic = Buffer.from('#ROSBAG V2.0\n');
  const parts = [magic, head(0, 0)];
  const infos: Buffer[] = [];
  let at = magic.length + 4096;
  for (let from = 0; from < messages.length; from += messagesPerChunk) {
    const chunk = messages.slice(from, from + messagesPerChunk);
    const written = chunkOf(chunk, topics, from === 0 ? connections : []);
    const packed = record(
      { op: u8(5), compression, size: u32(written.content.length) },
      Buffer.from(compress(written.content)),
    );
    infos.push(infoOf(at, chunk, written.entries));
    parts.push(packed, ...written.indices);
    at += [packed, ...written.indices].reduce((sum, { length }) => sum + length, 0);
  }
  if (hasIndex) {
    parts[1] = head(at, infos.length);
    parts.push(...connections, ...infos);
  }
  writeFileSync(file, Buffer.concat(parts));
}

interface Written {
  content: Buffer;
  indices: Buffer[];
  entries: Map<number, Buffer[]>;
}

function chunkOf(messages: readonly Message[], topics: string[], first: Buffer[]): Written {
  const parts = [...first];
  let offset = first.reduce((sum, { length }) => sum + length, 0);
  const entries = new Map<number, Buffer[]>();
  for (const message of messages) {
    const conn = topics.indexOf(message.topic);
    const time = timeOf(message);
    const bytes = record({ op: u8(2), conn: u32(conn), time }, Buffer.from(ros1Bytes(message)));
    entries.set(conn, [...(entries.get(conn) ?? []), Buffer.concat([time, u32(offset)])]);
    parts.push(bytes);
    offset += bytes.length;
  }
  const indices = [...entries].map(([conn, own]) =>
    record({ op: u8(4), ver: u32(1), conn: u32(conn), count: u32(own.length) }, Buffer.concat(own)),
  );
  return { content: Buffer.concat(parts), indices, entries };
}

function infoOf(at: number, messages: readonly Message[], entries: Map<number, Buffer[]>): Buffer {
  const ordered = messages.toSorted((a, b) => a.timeNs - b.timeNs);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a chunk has no message');
  const counts = [...entries].map(([conn, own]) => Buffer.concat([u32(conn), u32(own.length)]));
  return record(
    {
      op: u8(6),
      ver: u32(1),
      chunk_pos: u64(BigInt(at)),
      start_time: timeOf(first),
      end_time: timeOf(last),
      count: u32(entries.size),
    },
    Buffer.concat(counts),
  );
}

function timeOf({ timeNs }: Message): Buffer {
  const ns = startNs + BigInt(timeNs);
  return Buffer.concat([u32(Number(ns / 1_000_000_000n)), u32(Number(ns % 1_000_000_000n))]);
}

function record(header: Record<string, Buffer | string>, data: Buffer): Buffer {
  return lengthPrefixed(fields(header), data);
}

function lengthPrefixed(header: Buffer, data: Buffer): Buffer {
  return Buffer.concat([u32(header.length), header, u32(data.length), data]);
}

function fields(header: Record<string, Buffer | string>): Buffer {
  const parts = Object.entries(header).map(([name, value]) => {
    const field = Buffer.concat([Buffer.from(`${name}=`), Buffer.from(value)]);
    return Buffer.concat([u32(field.length), field]);
  });
  return Buffer.concat(parts);
}

function u8(value: number): Buffer {
  return Buffer.of(value);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** Magic number, version 1 with independent blocks of 64 KiB, no checksums but that of the header. */
const frameHead = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
const maxBlockBytes = 65_536;

/** A frame of LZ4. */
export function lz4Frame(content: Uint8Array): Uint8Array {
  const parts: Buffer[] = [Buffer.from(frameHead)];
  for (let from = 0; from < content.length; from += maxBlockBytes) {
    const block = lz4Block(content.subarray(from, from + maxBlockBytes));
    parts.push(u32(block.length), block);
  }
  return Buffer.concat([...parts, u32(0)]);
}

/** Greedy matches of at least 4 bytes; the last 12 bytes are literals, as the format asks for. */
function lz4Block(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const parts: Buffer[] = [];
  const places = new Map<number, number>();
  let literalsFrom = 0;
  for (let at = 0; at < bytes.length - 12;) {
    const key = bytes.readUInt32LE(at);
    const known = places.get(key);
    places.set(key, at);
    if (known === undefined) {
      at += 1;
      continue;
    }
    let length = 4;
    while (at + length < bytes.length - 5 && bytes[known + length] === bytes[at + length]) length++;
    const literals = bytes.subarray(literalsFrom, at);
    const offset = Buffer.of((at - known) & 255, (at - known) >> 8);
    const [short, more] = [Math.min(15, literals.length), Math.min(15, length - 4)];
    parts.push(
      Buffer.of((short << 4) | more),
      extraLength(literals.length),
      literals,
      offset,
      extraLength(length - 4),
    );
    at += length;
    literalsFrom = at;
  }
  const literals = bytes.subarray(literalsFrom);
  const token = Buffer.of(Math.min(15, literals.length) << 4);
  return Buffer.concat([...parts, token, extraLength(literals.length), literals]);
}

function extraLength(length: number): Buffer {
  if (length < 15) return Buffer.alloc(0);
  const rest = length - 15;
  return Buffer.concat([Buffer.alloc(Math.floor(rest / 255), 255), Buffer.of(rest % 255)]);
}
