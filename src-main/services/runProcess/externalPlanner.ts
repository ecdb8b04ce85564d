// Driving by an external planner: each tick is sent to it, and its command awaited for a limited wall time. In lockstep
// the simulation waits, so that a planner that answers in time gives the same run every time. Guarantees: one step at
// most is under way, so that a slow planner gets the newest tick and never a queue.
import {
  throwIfCancelled,
  toWire,
  UnderstoryError,
  type ErrorCode,
  type WireError,
} from '#contract/errors.ts';
import { parseWith, type Parsed, type Problem } from '#contract/documents/problems.ts';
import {
  plannerCommandSchema,
  plannerEndEvent,
  plannerHelloSchema,
  plannerMethods,
  plannerProtocol,
  type PlannerBegin,
  type PlannerEnd,
  type PlannerStep,
} from '#contract/host/planner.ts';
import type { Columns } from '#contract/columns.ts';
import type { DriveCommand, PlannerOrder, RunOrder } from '#contract/host/run.ts';
import type { Mission, Vehicle } from '#contract/documents/scenario.ts';
import { createPeer, type Peer } from '#contract/wire/rpc.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { maxYawRate } from '#domain/autonomy/kinematics.ts';
import { plannerColumns } from '#domain/autonomy/signals.ts';
import { driveFromWorld } from '#domain/scene/georeference.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { Planners } from '#services/ports/planners.ts';
import type { Clock, Timer } from '#services/ports/system.ts';
import type { DecidedCommand, Driver, ObservedTick } from './driver.ts';

export interface PlannerPorts {
  planners: Planners;
  clock: Clock;
  timer: Timer;
  /** Understory's version. */
  version: string;
}

/** An answer may be late by so much wall time; then the planner counts as gone. */
const silentS = 30;
/** Beyond the vehicle's limits: what another machine's rounding may add. */
const roundingShare = 1e-6;

/** Why no null: a planner may answer null. */
const overdue = Symbol('overdue');

const stopped: DriveCommand = { speedMPerS: 0, yawRateRadPerS: 0 };

interface Step {
  tick: number;
  answer: Promise<DriveCommand>;
  /** Wall time for which its answer has been awaited. */
  waitedS: number;
}

/**
 * The planner of an order. Its errors name it: 'io' where it is gone or silent, 'protocol' where it breaks the protocol,
 * fails, or sends a command that the vehicle cannot follow. @param stop ends all waiting
 */
export function createExternalPlanner(
  ports: PlannerPorts,
  { compiled }: Pick<RunOrder, 'compiled'>,
  order: PlannerOrder,
  stop: AbortSignal,
): Driver {
  const { clock, timer } = ports;
  const { address, timeoutS, holdS } = order;
  const { vehicle, navigation } = compiled.scenario;
  const tickS = navigation.tickMs / 1000;
  const mission = driveFromWorld(compiled.scenario).mission as Mission;
  let peer: Peer | null = null;
  let closedBecause: { code: ErrorCode; reason: string } | null = null;
  let underWay: Step | null = null;
  let newest: { tick: number; command: DriveCommand } | null = null;
  let lateCommands = 0;

  return {
    async open() {
      let broken: WireError | null = null;
      const channel = await ports.planners.connect(address, stop, (error) => {
        broken = toWire(error);
      });
      channel.onClose((reason) => {
        closedBecause ??= closingOf(broken, reason);
      });
      peer = createPeer(channel, { lostCode: 'io' });
      const begin = beginOf(compiled, mission, order, ports.version);
      const hello = await within(call(plannerMethods.begin, begin, {}), silentS);
      throwIfCancelled(stop);
      if (hello === overdue) throw failure('io', `did not answer within ${silentS} s`);
      const { value, problems } = parseWith(plannerHelloSchema, hello);
      if (value === null) throw failure('protocol', unusable('greeting', problems));
      if (value.protocol === plannerProtocol) return;
      const both = `version ${value.protocol} of the protocol, this Understory version ${plannerProtocol}`;
      throw failure('protocol', `speaks ${both}`);
    },
    async command(tick, observe) {
      const untilS = clock.seconds() + timeoutS;
      while (!stop.aborted) {
        underWay ??= send(tick, observe());
        const fromS = clock.seconds();
        const answer = await within(underWay.answer, Math.max(0, untilS - fromS));
        if (answer === overdue) {
          underWay.waitedS += clock.seconds() - fromS;
          break;
        }
        newest = { tick: underWay.tick, command: answer };
        underWay = null;
        if (newest.tick === tick) return answer;
      }
      return late(tick);
    },
    close({ end, error }) {
      const ended: PlannerEnd = { end, error };
      peer?.emit(plannerEndEvent, ended);
      peer?.close();
    },
  };

  /** The command of a tick without an answer. */
  function late(tick: number): DecidedCommand {
    // Why: a drive that is being stopped does not wait, and then no answer is late.
    const waitedS = underWay?.waitedS ?? 0;
    if (!stop.aborted && waitedS > timeoutS + silentS) {
      throw failure('io', `has not answered for ${Math.floor(waitedS)} s`);
    }
    const held = newest !== null && (tick - newest.tick) * tickS <= holdS + 1e-9 ? newest : null;
    const command = held?.command ?? stopped;
    if (stop.aborted) return command;
    lateCommands += 1;
    return { ...command, late: { heldFromTick: held?.tick ?? null } };
  }

  function send(tick: number, observed: ObservedTick): Step {
    const { body, columns } = stepOf(tick, observed, mission, lateCommands);
    const answer = call(plannerMethods.step, body, columns).then((reply) => {
      const { value, problems } = commandOf(reply, vehicle);
      if (value !== null) return value;
      throw failure('protocol', unusable(`command in tick ${tick}`, problems));
    });
    // Why: it may fail between two ticks; then the next one reports it.
    answer.catch(() => undefined);
    return { tick, answer, waitedS: 0 };
  }

  async function call(method: string, body: object, columns: Columns): Promise<unknown> {
    try {
      return (await (peer as Peer).call(method, body, { columns })).body;
    } catch (error) {
      if (closedBecause !== null) throw failure(closedBecause.code, closedBecause.reason);
      throw failure('protocol', `failed: ${toWire(error).message}`);
    }
  }

  /** `overdue` where the time has passed, or the drive is stopped. */
  async function within<T>(work: Promise<T>, seconds: number): Promise<T | typeof overdue> {
    const waiting = new AbortController();
    const onStop = (): void => waiting.abort();
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop, { once: true });
    try {
      const pause = timer.pause(seconds, waiting.signal).then((): typeof overdue => overdue);
      return await Promise.race([work, pause]);
    } finally {
      stop.removeEventListener('abort', onStop);
      waiting.abort();
    }
  }

  function failure(code: ErrorCode, reason: string): UnderstoryError {
    return new UnderstoryError(code, `the planner at ${address} ${reason}`, { address });
  }
}

/** Code and predicate for a planner whose connection has closed. */
function closingOf(broken: WireError | null, reason: string): { code: ErrorCode; reason: string } {
  if (broken === null) return { code: 'io', reason: `ended the connection: ${reason}` };
  const { code, message } = broken;
  const what = code === 'protocol' ? 'sent what is no frame' : 'lost the connection';
  return { code, reason: `${what}: ${message}` };
}

function beginOf(
  { scenario, sensors }: RunOrder['compiled'],
  mission: Mission,
  { timeoutS, holdS }: PlannerOrder,
  version: string,
): PlannerBegin {
  const { vehicle, navigation, scene } = scenario;
  const { lengthM, widthM, heightM, trackWidthM, maxSpeedMPerS, maxAccelerationMPerS2 } = vehicle;
  const body = { lengthM, widthM, heightM, trackWidthM };
  const maxYawRateRadPerS = maxYawRate(vehicle);
  return {
    protocol: plannerProtocol,
    version,
    tickMs: navigation.tickMs,
    timeoutS,
    holdS,
    originM: originOf(scene),
    startM: mission.startM,
    startYawRad: radians(mission.startYawDeg),
    goalM: mission.goalM,
    goalToleranceM: mission.goalToleranceM,
    missionTimeoutS: mission.timeoutS,
    vehicle: { ...body, maxSpeedMPerS, maxYawRateRadPerS, maxAccelerationMPerS2 },
    sensors: sensors.map(({ name, mount }) => ({ name, mount })),
    columns: [...plannerColumns],
  };
}

/** The command of a reply; what is wrong with it where it is none that the vehicle can follow. */
function commandOf(reply: unknown, vehicle: Vehicle): Parsed<DriveCommand> {
  const parsed = parseWith(plannerCommandSchema, reply);
  if (parsed.value === null) return parsed;
  const { value } = parsed;
  const bounds = { speedMPerS: vehicle.maxSpeedMPerS, yawRateRadPerS: maxYawRate(vehicle) };
  for (const path of ['speedMPerS', 'yawRateRadPerS'] as const) {
    if (Math.abs(value[path]) <= bounds[path] * (1 + roundingShare)) continue;
    const message = `expected at most ${bounds[path]} either way, found ${value[path]}`;
    return { value: null, problems: [{ path, code: 'out-of-range', message }] };
  }
  return parsed;
}

/** A predicate about the planner. */
function unusable(what: string, problems: readonly Problem[]): string {
  const found = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return `sent a ${what} that cannot be used: ${found}`;
}

/** Body and columns of a step; rows of a sensor are those of its tables, one after another. */
function stepOf(
  tick: number,
  { timeNs, estimate, motion, readings, scans }: ObservedTick,
  { goalM }: Mission,
  lateCommands: number,
): { body: PlannerStep; columns: Columns } {
  const columns: Columns = {};
  for (const { sensor, table } of scans) {
    for (const name of plannerColumns) {
      // Why one: senseTick joins the chunks of a scan.
      const column = table[0]?.[name];
      if (column !== undefined) columns[`${sensor}/${name}`] = column;
    }
  }
  const body: PlannerStep = {
    tick,
    timeNs,
    pose: estimate,
    twist: motion && {
      linearMPerS: motion.linearMPerS,
      angularRadPerS: motion.angularRadPerS,
    },
    poseCovariance: motion?.poseCovariance ?? null,
    twistCovariance: motion?.twistCovariance ?? null,
    goalM,
    fixes: readings.fixes,
    imu: readings.imu,
    lateCommands,
  };
  return { body, columns };
}
