// The estimate of a scenario (contract/documents/estimate.ts) in a run: the beams of its sensors in logs that are gone
// afterwards, and the errors of the estimators against the exact leaf area of the same voxels, as metrics.
import type { Estimate } from '#contract/documents/estimate.ts';
import type { EstimatorErrors } from '#contract/host/estimateMethods.ts';
import type { CompiledScenario, CompiledSensor } from '#contract/host/run.ts';
import type { EstimateMetrics } from '#contract/host/runMetrics.ts';
import type { LogReturns, LogTable } from '#contract/log/log.ts';
import { originOf, toWorld, type OriginM } from '#contract/worldOrigin.ts';
import { beamsOfReturns } from '#domain/log/beamsOfReturns.ts';
import { simulatedHead, volumeClasses } from '#domain/log/simulatedLog.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { sensorPoseAt } from '#domain/trajectory/trajectory.ts';
import { requestedSpace, type Box } from '#domain/vegetation/requestedSpace.ts';
import { estimateVoxels, expectTruthFits, leafAreaTruth } from '#services/logs/estimateVoxels.ts';
import type { ScratchFiles } from '#services/ports/files.ts';
import type { Logs, LogWriter } from '#services/ports/logs.ts';
import type { Machine, Product } from '#services/ports/system.ts';
import type { ScanWorker, WorkerCallOptions } from '#services/ports/workers.ts';
import { sensorTrajectory, type TickMotion } from './motion.ts';
import type { SensedScan } from './sensing.ts';

export interface RunEstimatePorts {
  logs: Pick<Logs, 'create'>;
  /** Where logs may be written. */
  scratch: ScratchFiles;
  machine: Pick<Machine, 'availableMemoryBytes'>;
  product: Pick<Product, 'version'>;
}

export interface RunEstimate {
  /** Keeps the beams of a tick; those of scans with `beams`. */
  take(motion: TickMotion, scans: readonly SensedScan[]): Promise<void>;
  /** After the last tick. @throws 'bad-input' at estimate.… for voxels that cannot be; 'scene-too-large', 'cancelled' */
  metrics(worker: ScanWorker, options: WorkerCallOptions): Promise<EstimateMetrics>;
}

/** Calls `work` with the estimate of a scenario; null: it has none. Its files are gone afterwards. */
export function withRunEstimate<T>(
  ports: RunEstimatePorts,
  compiled: CompiledScenario,
  work: (estimate: RunEstimate | null) => Promise<T>,
): Promise<T> {
  const { estimate } = compiled.scenario;
  if (estimate === undefined) return work(null);
  return withFiles(ports.scratch, compiled.sensors.length, async (files) => {
    const logs = await beamLogs(ports, compiled, files);
    try {
      return await work({
        take: (motion, scans) => logs.write(motion, scans),
        async metrics(worker, options) {
          await logs.close();
          const originM = originOf(compiled.scenario.scene);
          return metricsOf(ports, { worker, files, estimate, originM }, options);
        },
      });
    } finally {
      await logs.abort();
    }
  });
}

/** As many free paths as there are sensors: each log has one. */
function withFiles<T>(
  scratch: ScratchFiles,
  count: number,
  work: (files: string[]) => Promise<T>,
  files: string[] = [],
): Promise<T> {
  if (files.length === count) return work(files);
  return scratch.use('log', (file) => withFiles(scratch, count, work, [...files, file]));
}

/** A log for each sensor; `abort` removes those that are not closed. */
async function beamLogs(
  { logs, product }: RunEstimatePorts,
  compiled: CompiledScenario,
  files: readonly string[],
) {
  const volumes = volumeClasses(compiled);
  const open: LogWriter[] = [];
  for (const [index, sensor] of compiled.sensors.entries()) {
    const head = simulatedHead(compiled, sensor, {
      source: 'run',
      understoryVersion: product.version,
      classes: compiled.recipe.classes,
      misses: 'recorded',
      returns: returnsOf(sensor),
      cuts: { azimuthDeg: null, rangeM: null, bodyM: null },
      crs: undefined,
    });
    open.push(await logs.create(files[index] ?? '', head, { isReplacing: true }));
  }
  const writers = [...open];
  return {
    async write(motion: TickMotion, scans: readonly SensedScan[]): Promise<void> {
      for (const { sensor, beams } of scans) {
        const { table, count } = beamsOf(motion, compiled, sensor, beams, volumes);
        await writers[sensor]?.write(table, count);
      }
    },
    async close(): Promise<void> {
      for (const writer of writers) {
        await writer.close();
        open.splice(open.indexOf(writer), 1);
      }
    },
    async abort(): Promise<void> {
      for (const writer of open.splice(0)) await writer.abort();
    },
  };
}

/** All of a pulse by their shares of the beam; the one of a sensor that reports no more counts as the whole beam. */
function returnsOf({ recipe }: CompiledSensor): LogReturns {
  return recipe.returns.mode === 'all' ? 'all' : 'strongest';
}

function beamsOf(
  motion: TickMotion,
  { sensors }: CompiledScenario,
  index: number,
  beams: SensedScan['beams'],
  volumes: ReadonlySet<number>,
): { table: LogTable; count: number } {
  const sensor = sensors[index];
  if (beams === undefined || sensor === undefined) throw new TypeError('a scan has no beams');
  const path = sensorTrajectory(motion, sensor.mount);
  const found = beamsOfReturns({
    ...beams,
    sweep: motion.tick,
    poseAt: (timeNs) => sensorPoseAt(path, timeNs),
    returns: returnsOf(sensor),
    isVolume: (classId) => volumes.has(classId),
  });
  return { table: found.table, count: found.beams };
}

interface Ended {
  worker: ScanWorker;
  files: readonly string[];
  estimate: Estimate;
  originM: OriginM;
}

async function metricsOf(
  { machine }: RunEstimatePorts,
  { worker, files, estimate, originM }: Ended,
  options: WorkerCallOptions,
): Promise<EstimateMetrics> {
  const around = estimate.boxM === undefined ? await plantBox(worker, originM, options) : null;
  const space = requestedSpace(estimate, around, { without: 'the scene has no plants' });
  const freeBytes = memoryLimitBytes(machine.availableMemoryBytes());
  const limitBytes = freeBytes - expectTruthFits(space, freeBytes);
  const truth = await leafAreaTruth(worker, space, originM, limitBytes, options);
  const order = { logs: files, space, estimate, truth, memoryLimitBytes: limitBytes };
  const { voxels, occludedShare, errors } = await estimateVoxels(worker, order, options, noRows);
  const { contact, likelihood, beerLambert } = errors ?? {};
  return {
    estimatedVoxels: voxels.known,
    occludedShare,
    contactBias: biasOf(contact),
    contactRmse: rmseOf(contact),
    likelihoodBias: biasOf(likelihood),
    likelihoodRmse: rmseOf(likelihood),
    beerLambertBias: biasOf(beerLambert),
    beerLambertRmse: rmseOf(beerLambert),
  };
}

const noRows = (): Promise<void> => Promise.resolve();

function biasOf(errors: EstimatorErrors | undefined): number | null {
  return errors?.relativeBias ?? null;
}

function rmseOf(errors: EstimatorErrors | undefined): number | null {
  return errors?.relativeRmse ?? null;
}

/** In the world; null: there are no plants. */
async function plantBox(
  worker: ScanWorker,
  originM: OriginM,
  options: WorkerCallOptions,
): Promise<Box | null> {
  const { body } = await worker.call('truth.plants', {}, {}, options);
  return body.plants === 0 ? null : [toWorld(originM, body.minM), toWorld(originM, body.maxM)];
}
