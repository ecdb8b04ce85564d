// Conditions of rosbag2 for an MCAP file that it plays. Sources: rosbag2_cpp readers/sequential_reader.cpp (one
// serialization format for all topics), rosbag2_storage_mcap mcap_storage.cpp (schema, statistics, offered_qos_profiles),
// rosbag2_storage qos.cpp (fields of a profile), and MCAP's registry (profile `ros2`).
import { McapIndexedReader, McapStreamReader } from '@mcap/core';
import { parse as parseDefinition } from '@foxglove/rosmsg';
import { FileHandleReadable } from '@mcap/nodejs';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createRecordings } from '#recordings/recordings.ts';
import { recordSample, sampleHeader } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const decompressHandlers = { zstd: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

async function recorded(): Promise<string> {
  const file = join(temporaryFolder(), 'run.mcap');
  const writer = await createRecordings().create(file, sampleHeader());
  await recordSample(writer, 3, { rows: 50, flush: true });
  await writer.close();
  return file;
}

async function openIndexed(file: string): Promise<McapIndexedReader> {
  const handle = await open(file);
  onTestFinished(() => handle.close());
  const readable = new FileHandleReadable(handle);
  return McapIndexedReader.Initialize({ readable, decompressHandlers });
}

/** A profile as rosbag2's YAML::convert<rclcpp::QoS>::decode reads it. */
interface Profile {
  history: number;
  depth: number;
  reliability: number;
  durability: number;
  liveliness: number;
  avoid_ros_namespace_conventions: boolean;
}

test('all channels have one encoding, and schemas in the language of ROS 2 messages', async () => {
  const reader = await openIndexed(await recorded());
  expect(reader.header.profile).toBe('ros2');
  expect(reader.header.library).toBe('understory 0.1.0');
  const channels = [...reader.channelsById.values()];
  expect(new Set(channels.map(({ messageEncoding }) => messageEncoding))).toEqual(new Set(['cdr']));
  for (const { schemaId, topic } of channels) {
    const schema = reader.schemasById.get(schemaId);
    expect(schema?.encoding, topic).toBe('ros2msg');
    expect(schema?.name, topic).toMatch(/^[a-z][a-z0-9_]*\/msg\/[A-Z][A-Za-z0-9]*$/);
    expect(topic).toMatch(/^(\/[A-Za-z_][A-Za-z0-9_]*)+$/);
    const definitions = parseDefinition(new TextDecoder().decode(schema?.data), { ros2: true });
    expect(definitions.length, topic).toBeGreaterThan(0);
  }
});

test('every channel offers a quality of service that rosbag2 reads', async () => {
  const reader = await openIndexed(await recorded());
  const infinite = 2n ** 63n - 1n; // RMW_DURATION_INFINITE in nanoseconds
  const found = new Map<string, Profile>();
  for (const { topic, metadata } of reader.channelsById.values()) {
    const text = metadata.get('offered_qos_profiles') ?? '';
    const profiles = parseYaml(text) as Profile[];
    expect(profiles, topic).toHaveLength(1);
    const [profile] = profiles as [Profile];
    expect(profile).toMatchObject({ history: 1, liveliness: 1 }); // keep last, automatic
    expect(profile.avoid_ros_namespace_conventions).toBe(false);
    expect(profile.depth).toBeGreaterThan(0);
    for (const name of ['deadline', 'lifespan', 'liveliness_lease_duration']) {
      const { sec, nsec } = Reflect.get(profile, name) as { sec: number; nsec: number };
      expect(BigInt(sec) * 10n ** 9n + BigInt(nsec), `${topic} ${name}`).toBe(infinite);
    }
    found.set(topic, profile);
  }
  const of = (topic: string): object => {
    const { reliability, durability } = found.get(topic) ?? { reliability: 0, durability: 0 };
    return { reliability, durability };
  };
  // rmw/types.h: reliable 1, best effort 2; transient local 1, volatile 2.
  for (const latched of ['/tf_static', '/map']) {
    expect(of(latched)).toEqual({ reliability: 1, durability: 1 });
  }
  for (const cloud of ['/vlp_16/points', '/vlp_16/points_truth']) {
    expect(of(cloud)).toEqual({ reliability: 2, durability: 2 });
  }
  expect(of('/tf')).toEqual({ reliability: 1, durability: 2 });
});

test('log times never go back, in the order of the file', async () => {
  const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  stream.append(readFileSync(await recorded()));
  let last = 0n;
  let messages = 0;
  for (let record = stream.nextRecord(); record !== undefined; record = stream.nextRecord()) {
    // A record `rosbag2` would state another version of its metadata, with another form of the profiles.
    expect(record.type).not.toBe('Metadata');
    if (record.type !== 'Message') continue;
    expect(record.logTime).toBeGreaterThanOrEqual(last);
    expect(record.publishTime).toBe(record.logTime);
    last = record.logTime;
    messages += 1;
  }
  expect(messages).toBeGreaterThan(20);
});

test('the summary has what rosbag2 lists: statistics, chunks and messages of each topic', async () => {
  const reader = await openIndexed(await recorded());
  const { statistics, chunkIndexes } = reader;
  expect(statistics?.messageStartTime).toBe(0n);
  expect(statistics?.messageEndTime).toBe(300_000_000n);
  expect(statistics?.chunkCount).toBe(chunkIndexes.length);
  const counted = [...(statistics?.channelMessageCounts.values() ?? [])];
  expect(counted.reduce((sum, count) => sum + count, 0n)).toBe(statistics?.messageCount);
});
