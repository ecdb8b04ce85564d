// A run from its order to its end: worker, scene, recording, drive, metrics. It depends on no process, file or
// clock of its own; hosts/runProcess composes it. Guarantees: however it ends, the recording is closed and the
// worker is gone; nothing it holds grows with the length of the run.
import { expectFreeStarts } from '#services/scans/sceneWork.ts';
import { eachInstanceSlice } from '#services/scans/instancesOf.ts';
import type { Columns } from '#contract/columns.ts';
import { toWire, UnderstoryError } from '#contract/errors.ts';
import type {
  CompiledScenario,
  RunEvent,
  RunOrder,
  RunOutcome,
  RunView,
} from '#contract/host/run.ts';
import type { Mission } from '#contract/documents/scenario.ts';
import type { Isa, Progress } from '#contract/worker/worker.ts';
import { createColumnSlices } from '#domain/shared/columnSlices.ts';
import { driveFromWorld } from '#domain/scene/georeference.ts';
import { radians } from '#domain/shared/numbers.ts';
import { createAutonomy } from '#domain/autonomy/autonomy.ts';
import { createInstruments } from '#domain/truth/instruments.ts';
import { createJudge } from '#domain/truth/judge.ts';
import { mapErrorShare } from '#domain/truth/mapError.ts';
import type { Obstacle } from '#domain/truth/obstacles.ts';
import { createVehicle } from '#domain/truth/vehicle.ts';
import { engineHash } from '#services/engine.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { Clock, Machine, ProcessMeter, Product } from '#services/ports/system.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { createDiskGuard, type DiskGuard } from './diskGuard.ts';
import { recordedColumnsOf } from '#domain/sensor/recordedColumns.ts';
import { drive, type DriveParts, type DriveResult } from './driveLoop.ts';
import { createDurations, type Durations } from './durations.ts';
import { metricsOf, startMeter } from './metrics.ts';
import { createDrivePacker, createDriveRecorder, type DriveRecorder } from './recordDrive.ts';
import { uncontrolled, type RunControls } from './runControls.ts';
import { sceneTruth, type SceneTruth } from './sceneTruth.ts';
import { withRunEstimate, type RunEstimate, type RunEstimatePorts } from './runEstimate.ts';
import { createViewer } from './views.ts';

export interface RunPorts extends Pick<RunEstimatePorts, 'logs' | 'scratch'> {
  /** It may keep its worker and the scene in it for the next run. */
  launcher: WorkerLauncher;
  recordings: Recordings;
  machine: Machine;
  clock: Clock;
  meter: ProcessMeter;
  /** For the head of the recording. */
  product: Product;
  /** Does `work`, which compiles code, once a process; left out: before every run. */
  warmUp?: (work: () => void) => void;
}

export interface RunOptions {
  /** The drive ends after the tick under way, or the building at once. */
  signal: AbortSignal;
  /** The same, because the host is gone. */
  hostLost: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Awaited: a slow consumer slows the run. */
  onRunEvent: (event: RunEvent, columns: Columns) => void | Promise<void>;
  onView: (view: RunView, columns: Columns) => void;
  /** False while the last view is still being sent. */
  isViewReady: () => boolean;
  /** Default: autonomy drives, as fast as it can. */
  controls?: RunControls;
}

/**
 * Executes a run.
 * @throws UnderstoryError 'bad-input' without a mission or sensors, 'scene-too-large', 'cancelled' when
 * stopped before the first tick, 'worker-lost', 'disk-full' or 'io', and what its driver throws; what was recorded by
 * then stays.
 */
export async function executeRun(
  ports: RunPorts,
  order: RunOrder,
  heights: Float32Array,
  options: RunOptions,
): Promise<RunOutcome> {
  const driver = options.controls?.driver;
  missionOf(order.compiled);
  try {
    await driver?.open?.();
    const outcome = await buildAndDrive(ports, order, heights, options);
    driver?.close?.({ end: outcome.end, error: null });
    return outcome;
  } catch (error) {
    driver?.close?.({ end: null, error: toWire(error).message });
    throw error;
  }
}

async function buildAndDrive(
  ports: RunPorts,
  order: RunOrder,
  heights: Float32Array,
  options: RunOptions,
): Promise<RunOutcome> {
  const { compiled, isa, threads, recordingFile } = order;
  const mission = missionOf(compiled);
  const target = recordingFile === null ? null : targetOf(ports, recordingFile, order.seconds);
  target?.disk.check(0, 0);
  const worker = await ports.launcher.open({ isa, threads });
  try {
    const { body: summary } = await worker.call(
      'scene.build',
      {
        recipe: compiled.recipe,
        memoryLimitBytes: memoryLimitBytes(ports.machine.availableMemoryBytes()),
      },
      { heights },
      {
        signal: AbortSignal.any([options.signal, options.hostLost]),
        onProgress: options.onProgress,
      },
    );
    const { isa: usedIsa, threads: usedThreads } = worker.hello;
    const engine = await engineHash(worker.hello, ports.product.simulatingSources);
    await options.onRunEvent(
      { kind: 'scene', summary, isa: usedIsa, threads: usedThreads, engine },
      {},
    );
    const slices = createColumnSlices(summary.instances);
    await eachInstanceSlice(worker, async ({ fromRow, total, columns }) => {
      slices.put(fromRow, columns);
      await options.onRunEvent({ kind: 'instances', fromRow, total }, columns);
    });
    expectFreeStarts(summary, slices.columns, compiled);
    const recorder =
      target !== null
        ? await openRecording(ports, target, order, heights, { isa: usedIsa, engine })
        : order.isPacked === true
          ? createDrivePacker(ports.recordings.packings(compiled), recordedColumnsOf(compiled))
          : null;
    const planning = createDurations();
    const built = { worker, recorder, planning };
    const truth = await sceneTruth(worker, compiled, heights, summary, slices.columns);
    const parts = preparedParts(ports, order, mission, options, { ...built, ...truth });
    const { buildSeconds } = summary;
    const prepared = { buildSeconds, planning, obstacles: truth.obstacles };
    return await driveAndEstimate(ports, order, options, worker, (estimate) =>
      driveAndClose(ports, order, mission, { ...parts, estimate }, options, prepared),
    );
  } finally {
    await worker.dispose();
  }
}

/** Relative to the origin of the scene. */
function missionOf({ scenario, sensors }: CompiledScenario): Mission {
  const { mission } = driveFromWorld(scenario);
  if (mission === undefined || sensors.length === 0) {
    throw new UnderstoryError('bad-input', 'a run needs a mission and at least one sensor');
  }
  return mission;
}

/** Where a run is recorded, and the guard of that disk. */
interface RecordingTarget {
  file: string;
  disk: DiskGuard;
}

function targetOf(
  { machine }: RunPorts,
  file: string,
  seconds: RunOrder['seconds'],
): RecordingTarget {
  return { file, disk: createDiskGuard(file, () => machine.freeDiskBytes(file), seconds) };
}

async function openRecording(
  ports: RunPorts,
  { file, disk }: RecordingTarget,
  { compiled, planner }: RunOrder,
  heights: Float32Array,
  { isa, engine }: { isa: Isa; engine: string },
): Promise<DriveRecorder> {
  const writer = await ports.recordings.create(file, {
    compiled,
    heights,
    classes: compiled.recipe.classes,
    isa,
    understoryVersion: ports.product.version,
    engine,
    hasPlanner: planner !== undefined,
  });
  return createDriveRecorder(writer, recordedColumnsOf(compiled), disk);
}

function preparedParts(
  ports: RunPorts,
  order: RunOrder,
  mission: Mission,
  options: RunOptions,
  built: {
    worker: ScanWorker;
    recorder: DriveRecorder | null;
    planning: Durations;
  } & SceneTruth,
): Omit<DriveParts, 'estimate'> {
  const { scenario, sensors } = order.compiled;
  const { vehicle, seed } = scenario;
  const { navigation } = driveFromWorld(scenario);
  const { worker, recorder, planning, terrain, obstacles, cover, objects, body } = built;
  const { pace, driver } = options.controls ?? uncontrolled;
  const judge = createJudge({ vehicle, obstacles, cover });
  const autonomy = createAutonomy({
    vehicle,
    mission,
    navigation,
    sensors,
    body,
    measurePlan: (plan) => measured(ports.clock, planning, plan),
  });
  if (ports.warmUp === undefined) autonomy.warmUp();
  else ports.warmUp(() => autonomy.warmUp());
  return {
    worker,
    recorder,
    judge,
    objects,
    vehicle: createVehicle({
      vehicle,
      start: { positionM: mission.startM, yawRad: radians(mission.startYawDeg) },
      terrain,
      isBlocked: (pose) => judge.isBlocked(pose),
    }),
    instruments: createInstruments({ vehicle, seed }),
    autonomy,
    pace,
    driver,
    viewer: createViewer({
      clock: ports.clock,
      pace,
      control: order.control ?? 'autonomy',
      viewPoints: order.viewPoints,
      isReady: options.isViewReady,
      onView: options.onView,
    }),
  };
}

/** Adds the metrics of the scenario's estimate to those of a drive that ended by itself. A check of a run needs none. */
async function driveAndEstimate(
  ports: RunPorts,
  { compiled, isPacked }: RunOrder,
  { signal, hostLost, onProgress }: RunOptions,
  worker: ScanWorker,
  driveWith: (estimate: RunEstimate | null) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  if (isPacked === true) return driveWith(null);
  return withRunEstimate(ports, compiled, async (estimate) => {
    const outcome = await driveWith(estimate);
    if (estimate === null || ['cancelled', 'host-lost'].includes(outcome.end)) return outcome;
    const options = { signal: AbortSignal.any([signal, hostLost]), onProgress };
    return {
      ...outcome,
      metrics: { ...outcome.metrics, ...(await estimate.metrics(worker, options)) },
    };
  });
}

/** Values from before the drive that its end needs. */
interface Prepared {
  buildSeconds: number;
  planning: Durations;
  obstacles: Obstacle[];
}

async function driveAndClose(
  ports: RunPorts,
  order: RunOrder,
  mission: Mission,
  parts: DriveParts,
  options: RunOptions,
  { buildSeconds, planning, obstacles }: Prepared,
): Promise<RunOutcome> {
  const { clock, meter } = ports;
  const useSince = startMeter(meter, parts.worker);
  const startS = clock.seconds();
  let result: DriveResult;
  try {
    result = await drive(order, mission, parts, options);
  } catch (error) {
    // Why: the first failure is the one to report; closing keeps what was recorded before it.
    await parts.recorder?.close().catch(() => undefined);
    throw error;
  }
  await parts.recorder?.close();
  const wallSeconds = clock.seconds() - startS - parts.pace.pausedSeconds();
  const use = useSince();
  const peakRssBytes = meter.peakRssBytes(meter.ownPid) + parts.worker.peakRssBytes;
  const map = parts.autonomy.map();
  const measured = {
    ...use,
    wallSeconds,
    buildSeconds,
    peakRssBytes,
    planning,
    mapErrorShare: mapErrorShare(map.geometry, map.cost, obstacles),
  };
  const metrics = metricsOf(result, mission, parts.judge, measured);
  const { lateCommands } = result;
  const hasPlanner = order.planner !== undefined;
  return { end: result.end, metrics: hasPlanner ? { ...metrics, lateCommands } : metrics };
}

function measured<T>(clock: Clock, durations: Durations, work: () => T): T {
  const startS = clock.seconds();
  const result = work();
  durations.add(clock.seconds() - startS);
  return result;
}
