// A drive with the real worker for a Foxglove client: the topics, schemas and messages of its recording; and slow
// clients, which miss clouds.
import { type Channel, FoxgloveClient, type IWebSocket } from '@foxglove/ws-protocol';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openUnderstory, type Understory } from '#hosts/compose.ts';
import { boxesChannel } from '#hosts/foxglove/boxes.ts';
import { cutOffBytes, lossySocket, fullBytes, largeBytes } from '#hosts/foxglove/lossySocket.ts';
import { type FoxgloveHost, serveFoxglove } from '#hosts/foxglove/serveFoxglove.ts';
import { openRecording } from '#recordings/recordingReader.ts';
import { objectsTopic } from '#recordings/ros/topics.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import type { RecordedObjects } from '#services/ports/recordings.ts';
import { ask } from '#test/support/context.ts';

vi.setConfig({ testTimeout: 600_000 });

let understory: Understory;
let foxglove: FoxgloveHost;
let dataFolder: string;
beforeEach(async () => {
  dataFolder = temporaryFolder();
  understory = await openUnderstory({ dataFolder });
  foxglove = await serveFoxglove(understory, { port: 0, token: 'one' });
});
afterEach(async () => {
  await foxglove.close();
  await understory.dispose();
});

interface Received {
  topic: string;
  timeNs: bigint;
  data: Buffer;
}

/** Subscribes to everything. */
function connect(received: Received[], channels: Map<number, Channel>): FoxgloveClient {
  const socket = new WebSocket(foxglove.address, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
  const client = new FoxgloveClient({ ws: socket as unknown as IWebSocket });
  const subscribed = new Map<number, Channel>();
  client.on('advertise', (advertised) => {
    for (const channel of advertised) {
      channels.set(channel.id, channel);
      subscribed.set(client.subscribe(channel.id), channel);
    }
  });
  client.on('message', ({ subscriptionId, timestamp, data }) => {
    const topic = subscribed.get(subscriptionId)?.topic ?? '';
    received.push({
      topic,
      timeNs: timestamp,
      data: Buffer.from(data.buffer).subarray(data.byteOffset),
    });
  });
  return client;
}

it.each([
  [['foxglove.websocket.v1'], 'foxglove.websocket.v1'],
  [['foxglove.sdk.v1'], 'foxglove.sdk.v1'],
  [['foxglove.sdk.v1', 'foxglove.websocket.v1'], 'foxglove.sdk.v1'],
])('clients that offer %j are served', async (offered, chosen) => {
  const socket = new WebSocket(foxglove.address, offered);
  const first = await new Promise<string>((resolve, reject) => {
    socket.on('message', (data: Buffer) => resolve(data.toString('utf8')));
    socket.on('error', reject);
  });
  expect(socket.protocol).toBe(chosen);
  expect(JSON.parse(first)).toMatchObject({ op: 'serverInfo', name: 'Understory' });
  socket.close();
});

it('clients that offer another protocol alone are refused', async () => {
  const socket = new WebSocket(foxglove.address, ['rosbridge.v2']);
  const error = await new Promise<Error>((resolve) => socket.on('error', resolve));
  expect(error.message).toContain('no subprotocol');
});

describe('a drive for Foxglove', () => {
  it('has the topics, schemas and messages of its recording', async () => {
    const received: Received[] = [];
    const channels = new Map<number, Channel>();
    const client = connect(received, channels);
    await new Promise<void>((resolve) => client.on('open', resolve));
    const request = { scenario: 'clearing', sensor: 'lms-291', seconds: 1, isPaused: true };
    const { runId } = await ask(understory.handlers, 'drive.start', request);
    // Why paused: the client subscribes once the recording has begun.
    await expect.poll(() => channels.size, { timeout: 300_000 }).toBeGreaterThan(0);
    await expect.poll(() => received.map(({ topic }) => topic)).toContain('/tf_static');
    await ask(understory.handlers, 'drive.control', { runId, isPaused: false });
    await ask(understory.handlers, 'drive.watch', { runId });

    const reader = await openRecording(join(dataFolder, 'runs', runId, 'recording.mcap'));
    const recorded: Received[] = [];
    const topics = new Map(reader.channels.map(({ id, topic }) => [id, topic]));
    for await (const { channelId, logTime, data } of reader.messages()) {
      const topic = topics.get(channelId) ?? '';
      recorded.push({ topic, timeNs: logTime, data: Buffer.from(data) });
    }
    const latched = reader.channels.flatMap(({ topic, isLatched }) => (isLatched ? [topic] : []));
    expect(latched).toEqual(['/tf_static', '/map']);
    await reader.close();
    const known = (
      all: Iterable<{ topic: string; encoding: string; schemaName: string; schema: string }>,
    ) =>
      [...all].map(({ topic, encoding, schemaName, schema }) => [
        topic,
        encoding,
        schemaName,
        schema,
      ]);
    expect(known(channels.values())).toEqual(known(reader.channels));
    // The message that a latched topic sends to each new subscription may come twice.
    const ofTopic = (all: Received[], topic: string): Received[] =>
      latched.includes(topic) ? [] : all.filter((one) => one.topic === topic);
    const last = recorded.at(-1);
    await expect.poll(() => received.at(-1)).toEqual(last);
    for (const topic of new Set(topics.values())) {
      const live = ofTopic(received, topic);
      // The first tick may be over before the client subscribes.
      expect(live, topic).toEqual(ofTopic(recorded, topic).slice(-live.length || Infinity));
    }
    for (const cloud of ['/points', '/points_truth']) {
      const clouds = received.filter(({ topic }) => topic.endsWith(cloud));
      expect(clouds.length, cloud).toBeGreaterThanOrEqual(9);
    }
    client.close();
  });

  it('has the boxes of what moves, as Foxglove draws them', async () => {
    const received: Received[] = [];
    const channels = new Map<number, Channel>();
    const client = connect(received, channels);
    await new Promise<void>((resolve) => client.on('open', resolve));
    const request = { scenario: 'crossing', sensor: 'lms-291', seconds: 0.5, isPaused: true };
    const { runId } = await ask(understory.handlers, 'drive.start', request);
    const topics = (): string[] => received.map(({ topic }) => topic);
    await expect.poll(topics, { timeout: 300_000 }).toContain('/tf_static');
    expect([...channels.values()].find(({ topic }) => topic === boxesChannel.topic)).toMatchObject({
      encoding: 'json',
      schemaName: 'foxglove.SceneUpdate',
    });
    await ask(understory.handlers, 'drive.control', { runId, isPaused: false });
    await ask(understory.handlers, 'drive.watch', { runId });
    const reader = await openRecording(join(dataFolder, 'runs', runId, 'recording.mcap'));
    const recorded: RecordedObjects[] = [];
    for await (const objects of reader.objects()) recorded.push(objects);
    await reader.close();
    const ofTopic = (topic: string): Received[] => received.filter((one) => one.topic === topic);
    // The boxes of a time are sent after its objects.
    const lastNs = recorded.at(-1)?.timeNs;
    await expect.poll(() => Number(ofTopic(boxesChannel.topic).at(-1)?.timeNs)).toBe(lastNs);
    const boxes = ofTopic(boxesChannel.topic);
    expect(boxes.length).toBeGreaterThanOrEqual(4);
    expect(boxes.map(({ timeNs }) => timeNs)).toEqual(
      ofTopic(objectsTopic).map(({ timeNs }) => timeNs),
    );
    const { entities } = JSON.parse(String(boxes.at(-1)?.data)) as {
      entities: { id: string; frame_id: string; cubes: object[]; texts: object[] }[];
    };
    const last = recorded.at(-1)?.objects ?? [];
    expect(entities.map(({ id }) => id)).toEqual(last.map(({ name }) => name));
    for (const [index, { name, class: className, pose, sizeM }] of last.entries()) {
      const [x, y, z] = pose.positionM;
      const [qx, qy, qz, qw] = pose.rotation;
      expect(entities[index]).toMatchObject({
        frame_id: 'map',
        cubes: [
          {
            pose: { position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w: qw } },
            size: { x: sizeM[0], y: sizeM[1], z: sizeM[2] },
          },
        ],
        texts: [{ text: `${name} · ${className}` }],
      });
    }
    client.close();
  });

  it('is for those who have the token, from Foxglove or a program of this machine', async () => {
    const { host, port } = new URL(foxglove.address);
    const open = (address: string, headers: Record<string, string> = {}): Promise<string> => {
      const protocols = [FoxgloveClient.SUPPORTED_SUBPROTOCOL];
      const socket = new WebSocket(address, protocols, { headers });
      return new Promise<string>((resolve) => {
        socket.on('error', ({ message }) => resolve(message));
        socket.on('open', () => {
          socket.terminate();
          resolve('open');
        });
      });
    };
    const other = foxglove.address.replace('127.0.0.1', 'localhost');
    for (const origin of ['https://app.foxglove.dev', 'file://', 'http://localhost:8080']) {
      expect(await open(other, { origin }), origin).toBe('open');
    }
    for (const path of ['', '/', '/?token=', '/?token=two', '/?Token=one', '/one']) {
      expect(await open(`ws://${host}${path}`), path).toContain('403');
    }
    const wrong = [{ origin: 'https://example.com' }, { host: `example.com:${port}` }];
    for (const headers of wrong) expect(await open(foxglove.address, headers)).toContain('403');
  });
});

describe('a slow client', () => {
  it('misses large messages, gets small ones, and is cut off where it reads nothing', () => {
    const sent: number[] = [];
    let isCut = false;
    const slow = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      protocol: '',
      bufferedAmount: 0,
      send: (data: Uint8Array) => sent.push(data.byteLength),
      close: () => undefined,
      terminate: () => (isCut = true),
    });
    const socket = lossySocket(slow as unknown as WebSocket);
    const [cloud, tick] = [new Uint8Array(largeBytes), new Uint8Array(largeBytes - 1)];
    socket.send(cloud);
    slow.bufferedAmount = fullBytes + 1;
    for (const data of [cloud, tick, cloud]) socket.send(data);
    expect(sent).toEqual([largeBytes, largeBytes - 1]);
    expect(socket.dropped).toBe(2);
    slow.bufferedAmount = 0;
    socket.send(cloud);
    expect(sent).toHaveLength(3);
    slow.bufferedAmount = cutOffBytes + 1;
    socket.send(tick);
    expect(isCut).toBe(true);
  });
});
