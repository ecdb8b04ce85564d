// The rules of an external planner, with a planner in memory and a clock that only waiting moves: what holds while an
// answer is late, when the vehicle stops, and one sentence for each thing that a planner must not do.
import { describe, expect, it } from 'vitest';
import type { RunOrder } from '#contract/host/run.ts';
import { createPeer, type Serve } from '#contract/wire/rpc.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Driver, ObservedTick } from '#services/runProcess/driver.ts';
import { createExternalPlanner } from '#services/runProcess/externalPlanner.ts';
import { memoryChannelPair } from '#test/wire/memoryChannel.ts';

const address = 'tcp://127.0.0.1:7000';
const order = { address, timeoutS: 1, holdS: 0.35 };
const ahead = { speedMPerS: 1, yawRateRadPerS: 0.2 };
const still = { speedMPerS: 0, yawRateRadPerS: 0 };

const compiled = {
  scenario: {
    scene: { origin: [100, 200, 0] },
    navigation: { tickMs: 100, costMap: {} },
    vehicle: { maxSpeedMPerS: 2, maxYawRateDegPerS: 60 },
    mission: { startM: [100, 200], startYawDeg: 90, goalM: [110, 205], timeoutS: 60 },
  },
  sensors: [{ name: 'lidar', mount: { positionM: [0, 0, 2], rotation: [0, 0, 0, 1] } }],
} as unknown as RunOrder['compiled'];

const observed: ObservedTick = {
  timeNs: 1e8,
  estimate: { positionM: [1, 2, 3], rotation: [0, 0, 0, 1] },
  motion: null,
  readings: { imu: [], fixes: [] },
  scans: [
    {
      sensor: 0,
      table: [
        {
          time_ns: BigInt64Array.of(5n),
          return_no: Uint8Array.of(1),
          x_sensor_m: Float32Array.of(4),
          y_sensor_m: Float32Array.of(5),
          z_sensor_m: Float32Array.of(6),
        },
      ],
    },
  ],
};

interface Waiting {
  tick: number;
  answer: (body: unknown) => void;
}

/** A planner that answers on request of the test, and a clock that jumps to the end of each wait that ran out. */
async function openPlanner(serve: Record<string, Serve> = {}, stop = new AbortController().signal) {
  const [near, far] = memoryChannelPair();
  const steps: Waiting[] = [];
  const bodies: unknown[] = [];
  /** Answers that come during the next wait. */
  const during: ((step: Waiting) => void)[] = [];
  createPeer(far, {
    serve: {
      'planner.begin': ({ body }) => {
        bodies.push(body);
        return { body: { protocol: 1 }, columns: {} };
      },
      'planner.step': ({ body, columns }) =>
        new Promise((resolve) => {
          bodies.push({ ...(body as object), columns });
          const { tick } = body as { tick: number };
          const step = { tick, answer: (reply: unknown) => resolve({ body: reply, columns: {} }) };
          steps.push(step);
          during.shift()?.(step);
        }),
      ...serve,
    },
  });
  let nowS = 0;
  let broken: (error: unknown) => void = () => undefined;
  const driver = createExternalPlanner(
    {
      planners: {
        connect: (_address, _signal, onBroken) => {
          broken = onBroken;
          return Promise.resolve(near);
        },
      },
      clock: { nowMs: () => 0, seconds: () => nowS },
      timer: {
        // Why several turns: an answer takes some of them through the memory channel.
        pause: async (seconds, signal) => {
          for (let turn = 0; turn < 20 && !signal.aborted; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve));
          }
          if (!signal.aborted) nowS += seconds;
        },
      },
      version: '9.9.9',
    },
    { compiled },
    order,
    stop,
  );
  await driver.open?.();
  return { driver, steps, bodies, during, far, broken: (error: unknown) => broken(error) };
}

const commandIn = (driver: Driver, tick: number) => driver.command(tick, () => observed);
const answering = (body: unknown) => (step: Waiting) => step.answer(body);

async function failureOf(work: () => unknown): Promise<{ code: string; message: string }> {
  try {
    await work();
  } catch (error) {
    if (error instanceof UnderstoryError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it did not fail');
}

describe('a planner that answers in time', () => {
  it('is told the mission and each tick, and is obeyed', async () => {
    const { driver, during, bodies } = await openPlanner();
    during.push(answering(ahead));
    expect(await commandIn(driver, 0)).toEqual(ahead);
    expect(bodies[0]).toMatchObject({
      protocol: 1,
      version: '9.9.9',
      tickMs: 100,
      originM: [100, 200, 0],
      startM: [0, 0],
      startYawRad: Math.PI / 2,
      goalM: [10, 5],
      vehicle: { maxSpeedMPerS: 2, maxYawRateRadPerS: Math.PI / 3 },
      sensors: [{ name: 'lidar' }],
    });
    expect(bodies[1]).toMatchObject({
      tick: 0,
      pose: observed.estimate,
      twist: null,
      goalM: [10, 5],
      lateCommands: 0,
    });
    const { columns } = bodies[1] as { columns: object };
    expect(columns).toEqual({
      '0/time_ns': BigInt64Array.of(5n),
      '0/return_no': Uint8Array.of(1),
      '0/x_sensor_m': Float32Array.of(4),
      '0/y_sensor_m': Float32Array.of(5),
      '0/z_sensor_m': Float32Array.of(6),
    });
  });

  it('may use all of its limits, rounding included', async () => {
    const { driver, during } = await openPlanner();
    const most = { speedMPerS: -2, yawRateRadPerS: Math.PI / 3 + 1e-9 };
    during.push(answering(most));
    expect(await commandIn(driver, 0)).toEqual(most);
  });
});

describe('a planner that is late', () => {
  it('is not sent another tick: its last command holds, then the vehicle stops', async () => {
    const { driver, during, steps } = await openPlanner();
    during.push(answering(ahead));
    await commandIn(driver, 0);
    // 0.35 s: three ticks after that of the answer.
    for (const tick of [1, 2, 3]) {
      expect(await commandIn(driver, tick)).toEqual({ ...ahead, late: { heldFromTick: 0 } });
    }
    expect(await commandIn(driver, 4)).toEqual({ ...still, late: { heldFromTick: null } });
    expect(steps.map(({ tick }) => tick)).toEqual([0, 1]);
  });

  it('gets the newest tick as soon as it has answered an old one', async () => {
    const { driver, during, steps, bodies } = await openPlanner();
    for (const tick of [0, 1, 2]) {
      expect(await commandIn(driver, tick)).toEqual({ ...still, late: { heldFromTick: null } });
    }
    steps[0]?.answer(ahead);
    during.push(answering({ ...ahead, speedMPerS: 0.5 }));
    expect(await commandIn(driver, 3)).toEqual({ ...ahead, speedMPerS: 0.5 });
    expect(steps.map(({ tick }) => tick)).toEqual([0, 3]);
    expect(bodies.at(-1)).toMatchObject({ lateCommands: 3 });
    // An answer to an old tick holds where none to the newest comes.
    await commandIn(driver, 4);
    steps[2]?.answer({ ...ahead, speedMPerS: -1 });
    expect(await commandIn(driver, 5)).toEqual({
      speedMPerS: -1,
      yawRateRadPerS: 0.2,
      late: { heldFromTick: 4 },
    });
  });

  it('by half a minute ends the drive', async () => {
    const { driver } = await openPlanner();
    for (let tick = 0; tick <= 30; tick += 1) await commandIn(driver, tick);
    expect(await failureOf(() => commandIn(driver, 31))).toEqual({
      code: 'io',
      message: `the planner at ${address} has not answered for 32 s`,
    });
  });

  it('is not waited for by a drive that is stopped, and nothing is late then', async () => {
    const stopping = new AbortController();
    const { driver, during } = await openPlanner({}, stopping.signal);
    during.push(answering(ahead));
    await commandIn(driver, 0);
    during.push(() => stopping.abort());
    expect(await commandIn(driver, 1)).toEqual(ahead);
  });
});

describe('a planner that breaks the rules', () => {
  const step = `the planner at ${address} sent a command in tick 0 that cannot be used: `;
  it.each([
    [
      { speedMPerS: null, yawRateRadPerS: 0 },
      'speedMPerS: expected a number, found an empty value',
    ],
    [{ speedMPerS: 1 }, 'yawRateRadPerS: expected a number, found nothing'],
    [{ ...still, brake: true }, 'brake: '],
    [{ ...still, speedMPerS: 2.1 }, 'speedMPerS: expected at most 2 either way, found 2.1'],
    [{ ...still, yawRateRadPerS: -9 }, 'yawRateRadPerS: expected at most 1.047'],
    ['go', '(document): '],
  ])('by the command %j ends the drive', async (reply, reason) => {
    const { driver, during } = await openPlanner();
    during.push(answering(reply));
    const { code, message } = await failureOf(() => commandIn(driver, 0));
    expect(code).toBe('protocol');
    expect(message.startsWith(step + reason), message).toBe(true);
    expect(message).not.toContain('\n');
  });

  it('by another version, or another greeting, is refused before the drive', async () => {
    const hello = (body: object | null): Record<string, Serve> => ({
      'planner.begin': () => ({ body, columns: {} }),
    });
    expect(await failureOf(() => openPlanner(hello({ protocol: 2 })))).toEqual({
      code: 'protocol',
      message: `the planner at ${address} speaks version 2 of the protocol, this Understory version 1`,
    });
    const { message } = await failureOf(() => openPlanner(hello({ version: 1 })));
    expect(message).toContain('sent a greeting that cannot be used: protocol: ');
    expect(await failureOf(() => openPlanner(hello(null)))).toEqual({
      code: 'protocol',
      message: `the planner at ${address} sent a greeting that cannot be used: (document): expected a mapping, found an empty value`,
    });
  });

  it('by an error of its own ends the drive with its words', async () => {
    const { driver } = await openPlanner({
      'planner.step': () => {
        throw new Error('ZeroDivisionError: division by zero');
      },
    });
    expect(await failureOf(() => commandIn(driver, 0))).toEqual({
      code: 'protocol',
      message: `the planner at ${address} failed: ZeroDivisionError: division by zero`,
    });
  });

  it('by leaving ends the drive, whenever it leaves', async () => {
    const { driver, during, far } = await openPlanner();
    during.push(() => far.close());
    const gone = {
      code: 'io',
      message: `the planner at ${address} ended the connection: the other side is gone`,
    };
    expect(await failureOf(() => commandIn(driver, 0))).toEqual(gone);
    const other = await openPlanner();
    other.far.close();
    expect(await failureOf(() => commandIn(other.driver, 0))).toEqual(gone);
  });

  it('by bytes that are no frame ends the drive', async () => {
    const { driver, far, broken } = await openPlanner();
    broken(new UnderstoryError('protocol', 'the header of a frame is not JSON'));
    far.close();
    expect(await failureOf(() => commandIn(driver, 0))).toEqual({
      code: 'protocol',
      message: `the planner at ${address} sent what is no frame: the header of a frame is not JSON`,
    });
  });
});
