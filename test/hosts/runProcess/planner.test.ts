// Drives by an external planner in real run processes, over real sockets: the same bytes each time where it is prompt,
// verified by their commands where it was late, and closed recordings however it ends.
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { RunView } from '#contract/host/run.ts';
import type { PlannerStep } from '#contract/host/planner.ts';
import { createPeer, type Message } from '#contract/wire/rpc.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { decodeRos } from '#recordings/ros/schemas.ts';
import { lateCommandTopic } from '#services/ports/recordings.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';
import { openHost } from '#test/support/host.ts';
import { digestOf, readRecording } from './realRun.ts';
import { flatGround, scenario } from '#test/support/documents.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Built in no time. */
const yard = scenario({
  ground: flatGround(80),
  walls: [
    { name: 'wall', fromM: [9, -9], toM: [9, 9], heightM: 3, thicknessM: 0.2, material: 'grey' },
  ],
  mission: { startM: [-9, 0], goalM: [0, 20] },
});

type Decide = (step: PlannerStep, columns: Message['columns'], socket: Socket) => unknown;

/** A planner that listens at a socket of its own. */
async function listen(decide: Decide): Promise<{ address: string; ends: unknown[] }> {
  const path = join(temporaryFolder(), 'planner.sock');
  const ends: unknown[] = [];
  const server: Server = createServer((socket) => {
    const peer = createPeer(stdioChannel(socket, socket), {
      serve: {
        'planner.begin': () => ({ body: { protocol: 1 }, columns: {} }),
        'planner.step': async ({ body, columns }) => ({
          body: await decide(body as PlannerStep, columns, socket),
          columns: {},
        }),
      },
    });
    peer.onEvent((_, { body }) => ends.push(body));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return { address: `unix:${path}`, ends };
}

/** Curves ahead, by the time and by what is seen, so that every step shows in the path. */
const curve: Decide = ({ tick }, columns) => ({
  speedMPerS: 1,
  yawRateRadPerS: 0.01 * (tick % 5) + ((columns['0/range_m']?.length ?? 0) % 7) * 0.02,
});

async function openDrives() {
  const { ask } = await openHost();
  const scenario = join(temporaryFolder({ 'yard.understory.yaml': yard }), 'yard.understory.yaml');
  const driveWith = async (planner: object) => {
    const views: RunView[] = [];
    const start = { scenario, sensor: 'lms-291', isPipelined: true, seconds: 1 };
    const { runId } = await ask('drive.start', { ...start, viewPoints: 10, planner } as never);
    const chunk = (body: unknown): Promise<void> => {
      views.push(body as RunView);
      return Promise.resolve();
    };
    const ending = await ask('drive.watch', { runId, maxPoints: 10 }, { chunk });
    const { recordingFile } = await ask('runs.show', { runId });
    return { runId, ending, views, recordingFile };
  };
  const verify = (runId: string): Promise<unknown> => ask('runs.verify', { runId });
  return { ask, driveWith, verify };
}

async function lateTicks(file: string): Promise<number[]> {
  const reader = await createRecordings().open(file);
  const id = reader.channels.find(({ topic }) => topic === lateCommandTopic)?.id;
  expect(id).toBeDefined();
  const ticks: number[] = [];
  for await (const { channelId, data } of reader.messages()) {
    if (channelId === id) ticks.push(tickOf(data));
  }
  await reader.close();
  return ticks;
}

function tickOf(message: Uint8Array): number {
  const { data } = decodeRos<{ data: string }>('std_msgs/msg/String', message);
  return (JSON.parse(data) as { tick: number }).tick;
}

it('gives equal bytes where the planner is prompt, and is verified', async () => {
  const { driveWith, ask } = await openDrives();
  const { address, ends } = await listen(curve);
  const planner = { address, timeoutS: 60, holdS: 1 };
  const first = await driveWith(planner);
  expect(first.ending).toMatchObject({
    state: 'finished',
    end: 'seconds',
    metrics: { lateCommands: 0, ticks: 10 },
  });
  expect(first.views.every(({ control }) => control === 'external')).toBe(true);
  expect(first.views.at(-1)?.tick.speedMPerS).toBeGreaterThan(0.5);
  const again = await driveWith(planner);
  expect(await digestOf(again.recordingFile)).toBe(await digestOf(first.recordingFile));
  expect(ends).toEqual([
    { end: 'seconds', error: null },
    { end: 'seconds', error: null },
  ]);
  expect(await lateTicks(first.recordingFile)).toEqual([]);
  // The recording alone states what drove.
  const file = { file: first.recordingFile };
  expect(await ask('runs.verify', file)).toMatchObject({ equal: true });
});

it('counts and records late answers, and is verified by its commands', async () => {
  const { driveWith, verify } = await openDrives();
  const { address } = await listen(async (step, columns, socket) => {
    const command = curve(step, columns, socket);
    if (step.tick === 6) await new Promise((resolve) => setTimeout(resolve, 700));
    return command;
  });
  const { ending, recordingFile, runId } = await driveWith({ address, timeoutS: 0.5, holdS: 1 });
  const late = ending.metrics?.lateCommands ?? 0;
  expect(late).toBeGreaterThan(0);
  const ticks = await lateTicks(recordingFile);
  expect(ticks).toHaveLength(late);
  expect(ticks).toContain(6);
  expect(await verify(runId)).toMatchObject({ equal: true, compared: 10 });
});

it.each<[string, Decide, string, string]>([
  [
    'goes away',
    (_step, _columns, socket) => {
      socket.destroy();
      return new Promise(() => undefined);
    },
    'io',
    'ended the connection: ',
  ],
  [
    'sends what is no frame',
    (_step, _columns, socket) => {
      socket.write('speed 1 rate 0\r\n\r\n');
      return new Promise(() => undefined);
    },
    'protocol',
    'sent what is no frame: the stream does not hold a frame where one was expected',
  ],
  [
    'sends NaN',
    (_step, _columns, socket) => {
      const json = '{"kind":"reply","id":4,"body":{"speedMPerS":NaN}}';
      const header = json.padEnd(8 * Math.ceil(json.length / 8));
      const preamble = Buffer.alloc(16);
      preamble.write('USF1');
      preamble.writeUInt32LE(header.length, 4);
      socket.write(Buffer.concat([preamble, Buffer.from(header)]));
      return new Promise(() => undefined);
    },
    'protocol',
    'sent what is no frame: the header of a frame is not JSON',
  ],
  [
    'asks for too much',
    () => ({ speedMPerS: 40, yawRateRadPerS: 0 }),
    'protocol',
    'sent a command in tick 2 that cannot be used: speedMPerS: expected at most 2 either way, found 40',
  ],
])(
  'a planner that %s ends the drive with a sentence, and the recording',
  async (_, bad, code, message) => {
    const { driveWith, verify } = await openDrives();
    const { address } = await listen((step, columns, socket) =>
      (step.tick < 2 ? curve : bad)(step, columns, socket),
    );
    const { ending, recordingFile, runId } = await driveWith({ address, timeoutS: 60, holdS: 1 });
    expect(ending).toMatchObject({ state: 'failed', end: null, errorCode: code });
    expect(ending.error).toContain(`the planner at ${address} ${message}`);
    const { isComplete, ticks } = await readRecording(recordingFile);
    expect([isComplete, ticks]).toEqual([true, [0, 1]]);
    if (code === 'io') expect(await verify(runId)).toMatchObject({ equal: true, compared: 2 });
  },
);
