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
  RunMetrics,
  RunOrder,
  RunOutcome,
  RunView,
} from '#contract/host/run.ts';
import type { Mission } from '#contract/documents/scenario.ts';
import type { Isa, Progress, SceneSummary } from '#contract/worker/worker.ts';
import { createColumnSlices } from '#domain/shared/columnSlices.ts';
import { driveFromWorld } from '#domain/scene/georeference.ts';
import { radians } from '#domain/shared/numbers.ts';
import { createAutonomy } from '#domain/autonomy/autonomy.ts';
import type { BodyBox } from '#domain/autonomy/registration.ts';
import { createInstruments } from '#domain/truth/instruments.ts';
import { createJudge, type Judge } from '#domain/truth/judge.ts';
import type { MovingObject } from '#contract/host/movingObjects.ts';
import { bodyBoxFrom, movingObjectsFrom } from '#domain/truth/movingObjects.ts';
import { mapErrorShare } from '#domain/truth/mapError.ts';
import {
  coverFrom,
  isLearned,
  learnedObstacles,
  obstaclesFrom,
  withLearnedCover,
  type GroundCover,
  type Obstacle,
} from '#domain/truth/obstacles.ts';
import { learnedTerrain, terrainOf, type Terrain } from '#domain/truth/terrain.ts';
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
import { createDrivePacker, createDriveRecorder, type DriveRecorder } from './recordDrive.ts';
import { uncontrolled, type RunControls } from './runControls.ts';
import { createViewer } from './views.ts';

export interface RunPorts {
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
    const truth = await truthOf(worker, compiled, heights, summary, slices.columns);
    const parts = preparedParts(ports, order, mission, options, { ...built, ...truth });
    const { buildSeconds } = summary;
    return await driveAndClose(ports, order, mission, parts, options, {
      buildSeconds,
      planning,
      obstacles: truth.obstacles,
    });
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

/** Terrain and obstacles for the vehicle: of the scene, and of the surfaces of its learned models. */
interface SceneTruth {
  terrain: Terrain;
  obstacles: Obstacle[];
  cover: GroundCover;
  objects: MovingObject[];
  body: BodyBox | null;
}

async function truthOf(
  worker: ScanWorker,
  { recipe }: CompiledScenario,
  heights: Float32Array,
  summary: SceneSummary,
  instances: Columns,
): Promise<SceneTruth> {
  const terrain = terrainOf(recipe, heights);
  const obstacles = obstaclesFrom(summary, instances, recipe, terrain);
  const cover = coverFrom(summary, instances, recipe);
  const objects = movingObjectsFrom(summary, instances, recipe);
  const body = bodyBoxFrom(summary, instances, recipe);
  if (!recipe.models.some(isLearned)) return { terrain, obstacles, cover, objects, body };
  const ground = await worker.call('scene.ground', {}, {});
  const { columns, rows, originM, stepM } = ground.body;
  const values = ground.columns;
  const field = {
    columns,
    rows,
    originM,
    stepM: [stepM, stepM],
    heightsM: values.height_m,
  } as const;
  return {
    terrain: columns > 0 ? learnedTerrain(field, terrain) : terrain,
    obstacles: [...obstacles, ...learnedObstacles(values, recipe)],
    cover: withLearnedCover(cover, values, stepM),
    objects,
    body,
  };
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
): DriveParts {
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
  const coreSecondsSince = startCoreMeter(meter, parts.worker);
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
  const coreSeconds = coreSecondsSince();
  const peakRssBytes = meter.peakRssBytes(meter.ownPid) + parts.worker.peakRssBytes;
  const map = parts.autonomy.map();
  const measured = {
    wallSeconds,
    coreSeconds,
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

/** Core-seconds of this process and the worker from here on; null where the worker was started again. */
function startCoreMeter(meter: ProcessMeter, worker: ScanWorker): () => number | null {
  const { pid } = worker;
  const now = (): number => meter.cpuSeconds(meter.ownPid) + meter.cpuSeconds(pid);
  const start = now();
  return () => {
    const passed = now() - start;
    return worker.pid === pid && Number.isFinite(passed) ? passed : null;
  };
}

function measured<T>(clock: Clock, durations: Durations, work: () => T): T {
  const startS = clock.seconds();
  const result = work();
  durations.add(clock.seconds() - startS);
  return result;
}

function metricsOf(
  { end, ticks, pulses, points, last, distanceToGoalM }: DriveResult,
  mission: Mission,
  judge: Judge,
  measured: {
    wallSeconds: number;
    coreSeconds: number | null;
    buildSeconds: number;
    peakRssBytes: number;
    planning: Durations;
    mapErrorShare: number | null;
  },
): RunMetrics {
  const { pathLengthM, groundCoverLengthM, clearanceM } = last.judged;
  const { collisions, movingCollisions, collidedWith } = last.judged;
  const { wallSeconds, coreSeconds, buildSeconds, peakRssBytes } = measured;
  const planning = measured.planning.metrics();
  const [[startX, startY], [goalX, goalY]] = [mission.startM, mission.goalM];
  const simSeconds = last.toNs / 1e9;
  return {
    simSeconds,
    wallSeconds,
    realTimeFactor: simSeconds / wallSeconds,
    buildSeconds,
    ticks,
    pulses,
    points,
    goalReached: end === 'goal',
    distanceToGoalM,
    collisions,
    movingCollisions,
    collidedWith,
    pathLengthM,
    clearanceM,
    mapErrorShare: measured.mapErrorShare,
    shortestLengthM: Math.hypot(goalX - startX, goalY - startY),
    energyJ: last.state.energyJ,
    groundCoverLengthM,
    meanPositionErrorM: judge.metrics().meanPositionErrorM,
    peakRssMB: peakRssBytes / 1e6,
    coreSeconds,
    plans: planning.count,
    planMedianMs: planning.medianMs,
    planP95Ms: planning.p95Ms,
    planMostMs: planning.maxMs,
  };
}
