// The loop of a drive: move, scan, read instruments, decide, judge, record, tick by tick. The command
// decided on scan k takes effect in tick k + 2, always; so with the pipeline ticks k + 1 and k + 2 are with
// the worker while tick k is mapped, planned and recorded, and both orders give the same bytes.
import type { Columns } from '#contract/columns.ts';
import type {
  DriveCommand,
  Pose,
  RunEnd,
  RunEvent,
  RunOrder,
  TickRecord,
} from '#contract/host/run.ts';
import type { Mission } from '#contract/documents/scenario.ts';
import type { Autonomy, Located } from '#domain/autonomy/autonomy.ts';
import type { Instruments } from '#domain/truth/instruments.ts';
import { createImu } from '#domain/truth/imu.ts';
import type { MovingObject } from '#contract/host/movingObjects.ts';
import { objectStatesAt } from '#domain/shared/motion/objects.ts';
import type { Judge } from '#domain/truth/judge.ts';
import { compose } from '#domain/shared/pose.ts';
import { commandOf, heldCommand, wheelsFor } from '#domain/autonomy/kinematics.ts';
import {
  commandDelayTicks,
  plannerColumns,
  standstill,
  type CostMapView,
  type SensorScan,
  type TickOutput,
  type WheelCommand,
} from '#domain/autonomy/signals.ts';
import type { SimulatedVehicle } from '#domain/truth/vehicle.ts';
import type { RecordedMotion, RecordedReadings } from '#services/ports/recordings.ts';
import type { PackedRows, ScanWorker } from '#services/ports/workers.ts';
import { carriedBy } from '#domain/scene/vehicleBody.ts';
import { createDustTrail, type DustTrail } from '#domain/shared/motion/dustTrail.ts';
import { hashedColumnsOf } from '#domain/sensor/recordedColumns.ts';
import type { Driver, LateCommand, ObservedTick } from './driver.ts';
import { moveOneTick, poseAt, turningRate, type JudgedMotion, type TickMotion } from './motion.ts';
import type { Pace } from './pace.ts';
import type { DriveRecorder } from './recordDrive.ts';
import type { RunEstimate } from './runEstimate.ts';
import { createDriveMapping } from './driveMapping.ts';
import { senseTick, type SensedScan, type SensedTick, type SensingOptions } from './sensing.ts';
import type { ViewedTick, Viewer } from './views.ts';

export interface DriveParts {
  worker: ScanWorker;
  vehicle: SimulatedVehicle;
  instruments: Instruments;
  autonomy: Pick<Autonomy, 'locate' | 'step' | 'map'>;
  judge: Judge;
  /** Objects that move besides the vehicle. */
  objects: readonly MovingObject[];
  /** null: nothing is recorded. */
  recorder: DriveRecorder | null;
  /** null: nothing is estimated. */
  estimate: Pick<RunEstimate, 'take'> | null;
  viewer: Viewer;
  pace: Pick<Pace, 'pass' | 'pausedSeconds'>;
  /** Decides instead of autonomy; null: autonomy drives. */
  driver: Driver | null;
}

export interface DriveOptions {
  /** Ends the drive after the tick under way. */
  signal: AbortSignal;
  /** The host is gone: the drive ends after the tick under way. */
  hostLost: AbortSignal;
  onRunEvent: (event: RunEvent, columns: Columns) => void | Promise<void>;
}

/** The results of a drive that the loop itself counts. */
export interface DriveResult {
  end: RunEnd;
  ticks: number;
  pulses: number;
  points: number;
  /** Processor time of the worker's writer. */
  writerSeconds: number;
  /** Ticks whose command came late. */
  lateCommands: number;
  /** Motion of the last tick that counts; the vehicle itself may be one tick ahead. */
  last: JudgedMotion;
  /** True distance to the goal at the end. */
  distanceToGoalM: number;
}

/** A tick as it begins, before its scans. */
interface BegunTick {
  motion: JudgedMotion;
  readings: RecordedReadings;
  located: Located;
}

interface TickUnderWay extends BegunTick {
  sensed: Promise<SensedTick>;
}

interface DecidedTick {
  record: TickRecord;
  /** For the tick after the next. */
  wheels: WheelCommand;
  command: DriveCommand;
  /** Null: the command came in time. */
  late: LateCommand | null;
  motion: RecordedMotion;
  readings: RecordedReadings;
  /** null: as before. */
  path: TickOutput['path'];
  map: CostMapView;
}

/** Drives until the drive ends; the recorder is left open. @throws what worker, recorder or record throw */
export async function drive(
  order: RunOrder,
  mission: Mission,
  parts: DriveParts,
  options: DriveOptions,
): Promise<DriveResult> {
  const { worker, vehicle, judge, recorder, viewer, pace } = parts;
  const { scenario, sensors } = order.compiled;
  const tickNs = scenario.navigation.tickMs * 1e6;
  const lastNs = order.seconds === null ? Infinity : Math.round(order.seconds * 1e9);
  const abandoned = new AbortController();
  const plume = order.compiled.recipe.weather?.plume;
  const sensing: SensingOptions = {
    seed: scenario.seed,
    columns: order.planner === undefined ? null : plannerColumns,
    hashColumns: hashedColumnsOf(order.compiled),
    packingsOf: recorder === null ? null : (scan) => recorder.packings(scan),
    carriedByOf: (sensor) => carriedBy(order.compiled, sensor),
    ...(plume?.raised.byVehicle === true && { raisedDust: dustOf(createDustTrail(plume)) }),
    hasBeams: parts.estimate !== null,
    viewPoints: order.viewPoints,
    signal: abandoned.signal,
  };
  /** Commands decided and not yet begun with: the first is that of tick `begun`. */
  const commands = Array.from({ length: commandDelayTicks }, () => standstill);
  const underWay: TickUnderWay[] = [];
  const read = createReader(parts);
  const mapping = createDriveMapping();
  const decide = createDecider(order, mission, parts);
  let begun = 0;
  let path: TickOutput['path'] = null;
  let pulses = 0;
  let points = 0;
  let writerSeconds = 0;
  let lateCommands = 0;

  try {
    beginTicks();
    for (;;) {
      const begunTick = underWay.shift() as TickUnderWay;
      const { motion } = begunTick;
      const sensed = await begunTick.sensed;
      const { scans } = sensed;
      const decided = await decide(begunTick, sensed);
      commands.push(decided.wheels);
      // Why before the tick is recorded: so the worker never waits for the recording.
      if (order.isPipelined) beginTicks();
      const { end, viewed } = await keep(motion, scans, decided);
      if (end !== null) {
        const { distanceToGoalM } = decided.record;
        const ticks = motion.tick + 1;
        const counts = { ticks, pulses, points, writerSeconds, lateCommands };
        return { end, ...counts, last: motion, distanceToGoalM };
      }
      await pace.pass(motion.toNs, () => viewer.show(viewed, true));
      if (!order.isPipelined) beginTicks();
    }
  } finally {
    abandoned.abort();
    await Promise.allSettled(underWay.map(({ sensed }) => sensed));
  }

  /** Begins every tick whose command is known; without the pipeline, one tick at a time. */
  function beginTicks(): void {
    const most = order.isPipelined ? commandDelayTicks : 1;
    while (underWay.length < most) {
      const command = commands.shift();
      if (command === undefined) throw new Error('a tick began before its command was decided');
      const motion = moveOneTick(begun, tickNs, command, vehicle, judge);
      const tick = read(motion);
      const mapped = mapping.tick(begun, tick.located.mapping);
      const sensed = senseTick(worker, sensors, motion, mapped, sensing);
      // Why: it may fail while the tick before is still being recorded; it is awaited in its turn.
      sensed.catch(() => undefined);
      underWay.push({ ...tick, sensed });
      begun += 1;
    }
  }

  /** Records, reports and shows a tick; `end`: how the drive ends, or null when it continues. */
  async function keep(
    motion: TickMotion,
    scans: SensedScan[],
    decided: DecidedTick,
  ): Promise<{ end: RunEnd | null; viewed: ViewedTick }> {
    const { tick, fromNs, toNs, state, timesNs, poses } = motion;
    const { record, map } = decided;
    const sensorPoses = sensors.map(({ mount }) => compose(state.pose, mount));
    const steps = { timesNs: timesNs.slice(0, -1), poses: poses.slice(0, -1) };
    const objects = objectStatesAt(parts.objects, toNs / 1e9);
    await recorder?.record({ ...decided, fromNs, scans, sensorPoses, steps, objects });
    await parts.estimate?.take(motion, scans);
    for (const { sensor, result } of scans) {
      const { pulses: scanPulses, returns, hash, objects, packed } = result;
      const record = { tick, sensor, fromNs, toNs, pulses: scanPulses, returns, hash };
      pulses += scanPulses;
      points += returns;
      writerSeconds += result.writeSeconds;
      await options.onRunEvent({ kind: 'scan', scan: record, ...checksumsOf(packed) }, objects);
    }
    await options.onRunEvent({ kind: 'tick', tick: record }, {});
    if (decided.late !== null) lateCommands += 1;
    const end = endOf(record);
    path = decided.path ?? path;
    const viewed = { tick: record, scans, map, path, points, end };
    viewer.show(viewed, end !== null);
    return { end, viewed };
  }

  /** The judge says whether the goal was reached; what the vehicle believes only ends the drive. */
  function endOf({ timeNs, distanceToGoalM, activity, speedMPerS }: TickRecord): RunEnd | null {
    if (distanceToGoalM <= mission.goalToleranceM) return 'goal';
    if (activity === 'given-up') return 'stuck';
    if (activity === 'arrived' && speedMPerS === 0) return 'stuck';
    if (timeNs >= lastNs) return 'seconds';
    if (timeNs >= mission.timeoutS * 1e9) return 'timeout';
    if (options.hostLost.aborted) return 'host-lost';
    if (options.signal.aborted) return 'cancelled';
    return null;
  }
}

/** The trail of the vehicle, tick by tick. */
function dustOf(trail: DustTrail): (motion: TickMotion) => readonly number[] {
  return ({ fromNs, timesNs, poses }) => {
    for (const [step, timeNs] of timesNs.entries()) {
      trail.moveTo(timeNs, (poses[step] as Pose).positionM);
    }
    return trail.puffsFrom(fromNs);
  };
}

/** Those of the clouds that a recording has as they are. */
function checksumsOf(packed: readonly PackedRows[]): { cloudCrc32s?: number[] } {
  const clouds = packed.filter(({ isRaw }) => isRaw !== true);
  return packed.length === 0 ? {} : { cloudCrc32s: clouds.map(({ crc32 }) => crc32) };
}

/** The readings of a tick that begins, and the estimate that follows from them: returns are mapped by it. */
function createReader({
  instruments,
  autonomy,
}: Pick<DriveParts, 'instruments' | 'autonomy'>): (motion: JudgedMotion) => BegunTick {
  const imu = createImu();
  return (motion) => {
    const { fromNs, toNs } = motion;
    const { gps, compass } = instruments.read(fromNs, toNs, (timeNs) => poseAt(motion, timeNs));
    return {
      motion,
      readings: { imu: imu.read(compass, motion), fixes: gps },
      located: autonomy.locate({ timeNs: toNs, gps, compass }),
    };
  };
}

/** The vehicle's decisions, tick by tick: the command for the tick after the next, and its state. */
function createDecider(
  { compiled: { scenario } }: RunOrder,
  { goalM }: Mission,
  { autonomy, judge, driver }: DriveParts,
): (tick: BegunTick, sensed: SensedTick) => Promise<DecidedTick> {
  return async ({ motion, readings, located }, { scans, sightings }) => {
    const { tick, toNs, state, judged } = motion;
    const observe = (): ObservedTick => {
      const { pose: estimate, motion: moving } = located;
      return { timeNs: toNs, estimate, motion: moving, readings, scans: scans.flatMap(tableOf) };
    };
    const asked = driver && (await driver.command(tick, observe));
    const driven = asked && heldCommand(scenario.vehicle, asked);
    const wheels = driven && { command: wheelsFor(scenario.vehicle, driven) };
    const output = autonomy.step({ timeNs: toNs, located, sightings, ...wheels });
    judge.compare(state.pose, output.estimate);
    const record: TickRecord = {
      tick,
      timeNs: toNs,
      truth: state.pose,
      estimate: output.estimate,
      speedMPerS: state.speedMPerS,
      distanceToGoalM: distanceM(state.pose, goalM),
      collisions: judged.collisions,
      activity: output.activity,
      gpsM: readings.fixes.at(-1)?.positionM ?? null,
    };
    return {
      record,
      wheels: output.command,
      command: driven ?? commandOf(scenario.vehicle, output.command),
      late: asked?.late ?? null,
      motion: { estimate: output.motion, trueAngularRadPerS: turningRate(motion) },
      readings,
      path: output.path,
      map: autonomy.map(),
    };
  };
}

/** The returns of a sensor, as planners get them. */
function tableOf({ sensor, table }: SensedScan): SensorScan[] {
  return table === null ? [] : [{ sensor, table: [table] }];
}

/** Distance in the plane. */
function distanceM({ positionM: [x, y] }: Pose, [toX, toY]: readonly [number, number]): number {
  return Math.hypot(toX - x, toY - y);
}
