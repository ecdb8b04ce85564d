// How fast the closed loop runs with everything on: a real drive through the services, catalogued and
// recorded; then Embree alone on rays of that very drive, for the ratio.
import type { NavBench } from '#contract/host/bench.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { RunMetrics, TickRecord } from '#contract/host/run.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { Clock, MainThreadSeconds, ProcessMeter } from '#services/ports/system.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { buildScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { fastest, rawPartOf, rawPass, type RawPass } from './nativeVariants.ts';
import { drivenMotion } from './slowSensor.ts';
import { median } from '#domain/shared/statistics.ts';
import { planEnclosedGoal } from './enclosedGoal.ts';

export interface NavBenchPorts extends ScenePorts {
  drives: Handlers<'drive'>;
  catalogue: Catalogue;
  clock: Clock;
  meter: ProcessMeter;
}

type Request = RequestOf<'bench.nav'>;

/** Ticks of the drive whose rays are traced raw: a second of it, evenly spread. */
const rawTicks = 10;
const rawRepeats = 3;
const walledInRepeats = 9;

/** @throws UnderstoryError what ended the drive, or as benchScan */
export async function benchNav(
  ports: NavBenchPorts,
  request: Request,
  loaded: LoadedScenario,
  context: HandlerContext,
): Promise<NavBench> {
  const { runId, metrics, host } = await driveThrough(ports, request, context);
  const { coreSeconds, simSeconds, wallSeconds, realTimeFactor, peakRssMB } = metrics;
  const perSimSecond = (value: number | null | undefined): number =>
    (value ?? Number.NaN) / simSeconds;
  const raw = await rawOfDrive(ports, request, loaded, ports.catalogue.ticks(runId), context);
  const { cells, cellM } = loaded.compiled.scenario.navigation.costMap;
  const walledIn = Array.from(
    { length: walledInRepeats },
    planEnclosedGoal(ports.clock, cells, cellM),
  );
  return {
    scene: request.scenario,
    sensor: request.sensor,
    threads: raw.hello.threads,
    isa: raw.hello.isa,
    simSeconds,
    wallSeconds: wallSeconds ?? Number.NaN,
    realTimeFactor: realTimeFactor ?? Number.NaN,
    rawRealTimeFactor: raw.realTimeFactor,
    rawPart: rawPartOf(loaded.compiled.recipe),
    ratioToRaw: (realTimeFactor ?? Number.NaN) / raw.realTimeFactor,
    coreSecondsPerSimSecond: perSimSecond(coreSeconds),
    serialSecondsPerSimSecond: {
      runBusy: perSimSecond(metrics.mainThreadSeconds),
      hostBusy: perSimSecond(host.busy),
      runCpu: perSimSecond(metrics.mainThreadCpuSeconds),
      hostCpu: perSimSecond(host.cpu),
      writerCpu: perSimSecond(metrics.writerSeconds),
    },
    bytesCopiedPerReturn: ((metrics.movedMB ?? Number.NaN) * 1e6) / metrics.points,
    peakRssMB: peakRssMB ?? Number.NaN,
    planMs: {
      plans: metrics.plans,
      median: metrics.planMedianMs ?? Number.NaN,
      p95: metrics.planP95Ms ?? Number.NaN,
      most: metrics.planMostMs ?? Number.NaN,
    },
    walledInMs: median(walledIn),
    runId,
  };
}

async function driveThrough(
  { drives, meter }: NavBenchPorts,
  { scenario, sensor, seconds, seed, threads, isa }: Request,
  context: HandlerContext,
): Promise<{ runId: string; metrics: RunMetrics; host: MainThreadSeconds }> {
  const order = { scenario, sensor, seconds, seed, threads, isa };
  const { runId } = (
    await drives['drive.start']({ ...order, isPipelined: true, viewPoints: 1 }, context)
  ).reply;
  let before: MainThreadSeconds | null = null;
  // Why from the first view: the scene is built by then.
  const watcher = {
    ...context,
    chunk: () => {
      before ??= meter.mainThread();
      return Promise.resolve();
    },
  };
  try {
    const { reply } = await drives['drive.watch']({ runId, maxPoints: 0 }, watcher);
    const { metrics, error, errorCode, state } = reply;
    const now = meter.mainThread();
    const { busy, cpu }: MainThreadSeconds = before ?? now;
    const host = { busy: now.busy - busy, cpu: now.cpu - cpu };
    if (state === 'finished' && metrics !== null) return { runId, metrics, host };
    throw new UnderstoryError(errorCode ?? 'run-lost', error ?? `the drive was ${state}`);
  } catch (error) {
    await drives['drive.stop']({ runId }, context);
    throw error;
  }
}

async function rawOfDrive(
  ports: NavBenchPorts,
  { threads, isa }: Request,
  { compiled, heights }: LoadedScenario,
  ticks: TickRecord[],
  { signal, progress }: HandlerContext,
): Promise<{ hello: ScanWorker['hello']; realTimeFactor: number }> {
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  const worker = await ports.launcher.open({ isa: isa ?? null, threads: threads ?? null });
  try {
    const scene = { recipe: compiled.recipe, heights };
    await buildScene(ports, worker, scene, { signal, onProgress: progress });
    const stride = Math.max(1, Math.floor(ticks.length / rawTicks));
    const passes: RawPass[] = [];
    let packings: string[] | null = null;
    let tracedNs = 0;
    for (let at = 1; at < ticks.length; at += stride) {
      progress({ phase: 'bench', done: at, total: ticks.length });
      const motion = drivenMotion(ticks[at - 1] as TickRecord, ticks[at] as TickRecord);
      tracedNs += motion.toNs - motion.fromNs;
      const work = { worker, compiled, sensor, motions: [motion], signal };
      const repeats: RawPass[] = [];
      packings ??= fastest(await rawPass(work), 2);
      for (let done = 0; done < rawRepeats; done += 1) repeats.push(await rawPass(work, packings));
      passes.push(middleOf(repeats));
    }
    return { hello: worker.hello, realTimeFactor: tracedNs / 1e9 / bestSeconds(passes) };
  } finally {
    await worker.dispose();
  }
}

/** For each packing the median of its times. */
function middleOf(repeats: readonly RawPass[]): RawPass {
  const [first] = repeats;
  if (first === undefined) throw new RangeError('nothing was traced');
  const packings = first.packings.map((packing, n) => ({
    ...packing,
    seconds: median(repeats.map((pass) => pass.packings[n]?.seconds ?? Number.NaN)),
  }));
  return { ...first, packings };
}

/** Seconds of the packing that is fastest over all ticks. */
function bestSeconds(passes: readonly RawPass[]): number {
  const names = passes[0]?.packings ?? [];
  const totals = names.map((_, n) =>
    passes.reduce((sum, { packings }) => sum + (packings[n]?.seconds ?? Number.NaN), 0),
  );
  return Math.min(...totals);
}
