// Every kind of message in a recording of a drive, read by eProsima Fast-CDR, as ROS 2's default middleware reads it:
// every value is what our own reader finds, and no byte is left.
import { McapStreamReader } from '@mcap/core';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decodeRos, type RosType } from '#recordings/ros/schemas.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran } from '#test/support/commandLine.ts';

const source = join(import.meta.dirname, 'fastcdr/readMessages.cpp');
const yard = join(import.meta.dirname, 'yard.understory.yaml');

interface Message {
  type: RosType;
  topic: string;
  data: Uint8Array;
}

/** The messages of a short drive with a CRS, an epoch and a planar scanner. */
async function drivenMessages(folder: string): Promise<Message[]> {
  const roof = '  - { name: roof, sensor: vlp-16 }\n';
  const scenario = join(folder, 'yard.understory.yaml');
  const text = readFileSync(yard, 'utf8');
  writeFileSync(scenario, text.replace(roof, `${roof}  - { name: bumper, sensor: tim571 }\n`));
  const epoch = ['--epoch', '2026-11-22T12:00:00Z'];
  const stdout = await ran(
    ...[folder, 'drive', scenario, '--seconds', '1.2', ...epoch, '--out', folder],
  );
  const id = /run (\S+)/.exec(stdout)?.[1] ?? '';
  const stream = new McapStreamReader({
    decompressHandlers: { zstd: (bytes) => zstdDecompressSync(bytes) },
  });
  stream.append(readFileSync(join(folder, 'data/runs', id, 'recording.mcap')));
  const schemas = new Map<number, string>();
  const channels = new Map<number, { topic: string; schemaId: number }>();
  const messages: Message[] = [];
  for (let record = stream.nextRecord(); record !== undefined; record = stream.nextRecord()) {
    if (record.type === 'Schema') schemas.set(record.id, record.name);
    if (record.type === 'Channel') channels.set(record.id, record);
    if (record.type !== 'Message') continue;
    const { topic, schemaId } = channels.get(record.channelId) ?? { topic: '', schemaId: -1 };
    messages.push({ topic, type: schemas.get(schemaId) as RosType, data: record.data.slice() });
  }
  return messages;
}

/** The values of a message in the order of its fields, as readMessages.cpp prints them. */
function valuesOf(value: unknown): (string | number | boolean)[] {
  if (value instanceof Uint8Array) {
    return [`${value.length} bytes, sum ${value.reduce((sum, byte) => sum + byte, 0)}`];
  }
  if (value instanceof Float64Array) return [...value];
  if (value instanceof Float32Array) return [`${value.length} elements`, ...value];
  if (value instanceof Int8Array || Array.isArray(value)) {
    return [`${value.length} elements`, ...Array.from<unknown>(value).flatMap(valuesOf)];
  }
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
  return [value as string | number | boolean];
}

it('reads every message of a drive', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'readMessages');
  execFileSync('c++', ['-std=c++20', '-O1', source, '-o', program, '-lfastcdr']);
  const messages = await drivenMessages(folder);
  expect(new Set(messages.map(({ topic }) => topic))).toEqual(
    new Set([
      ...['/clock', '/tf', '/tf_static', '/odom', '/ground_truth/odom', '/map', '/plan'],
      ...['/understory/tick', '/understory/scan', '/cmd_vel', '/imu/data', '/gps/fix'],
      ...['/roof/points', '/roof/points_truth'],
      ...['/bumper/points', '/bumper/points_truth', '/bumper/scan'],
    ]),
  );
  const input = messages.flatMap(({ type, data }) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return [Buffer.from(`${type}\0`), length, data];
  });
  const output = execFileSync(program, { input: Buffer.concat(input), maxBuffer: 2 ** 28 });
  const read = output
    .toString()
    .split(/^= /m)
    .slice(1)
    .map((part) => part.split('\n').slice(0, -1));
  expect(read).toHaveLength(messages.length);
  for (const [index, { type, topic, data }] of messages.entries()) {
    const [name, ...lines] = read[index] ?? [];
    expect(name).toBe(type);
    // CDR pads a message to nothing: the last value ends it.
    expect(lines.pop(), topic).toBe('0 bytes are left');
    const expected = valuesOf(decodeRos(type, data));
    expect(lines, topic).toHaveLength(expected.length);
    for (const [at, value] of expected.entries()) {
      const line = lines[at] ?? '';
      const found = typeof value === 'number' ? numberOf(line) : line;
      const wanted = typeof value === 'boolean' ? String(value) : value;
      if (found !== wanted) expect.fail(`${topic}, value ${at}: ${String(found)} for ${wanted}`);
    }
  }
});

/** As C prints it. */
function numberOf(text: string): number {
  return text === 'inf' ? Infinity : Number(text);
}
