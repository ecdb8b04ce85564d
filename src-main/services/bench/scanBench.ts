// How fast a scan is, in one worker and interleaved: Embree alone on the very same rays, the native
// pipeline, the hand-over to TypeScript, the recording, and a survey along a pose for each firing. Times are wall times; ratios are taken within
// one repeat, so that a machine that slows down in between changes them little.
import type { RawPart, ReferenceSpeed, ScanBench, ScanSpeed } from '#contract/host/bench.ts';
import type { CompiledSensor } from '#contract/host/run.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import { engineHash } from '#services/engine.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScratchFiles } from '#services/ports/files.ts';
import type { CloudKind, RecordingHeader, Recordings } from '#services/ports/recordings.ts';
import type { ProcessMeter, Product } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { buildScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import {
  nativePass,
  proveSameRows,
  rawPartOf,
  rawPass,
  worthRepeating,
  type NativePass,
  type RawPass,
} from './nativeVariants.ts';
import {
  handOver,
  record,
  type Meters,
  type Pass,
  type RecordedPass,
  type ScanWork,
} from './scanVariants.ts';
import {
  packingsOf,
  panoramaPass,
  panoramaSpeed,
  panoramaWork,
  type PanoramaPass,
} from './panoramaVariant.ts';
import { slowMotion, unmounted, type SensorStart } from './slowSensor.ts';
import { surveyOf, surveyPass, surveyRays } from './surveyVariant.ts';
import { median, relativeSpread } from '#domain/shared/statistics.ts';

export interface ScanBenchPorts extends ScenePorts, Meters {
  launcher: WorkerLauncher;
  recordings: Recordings;
  scratch: ScratchFiles;
  product: Product;
}

export interface ScanOrder {
  scene: string;
  sensor: string;
  loaded: LoadedScenario;
  start: SensorStart;
  seconds: number;
  repeats: number;
  threads: number | null;
  isa: RecordingHeader['isa'] | null;
}

export interface ScanBenchOrder extends ScanOrder {
  /** Scans with a panorama. */
  panorama: CompiledSensor;
  /** Another scene to compare with, at the same pose or from the start of its own mission. */
  reference: { scene: string; loaded: LoadedScenario; start: SensorStart } | null;
}

type Variant = 'native' | 'worker' | 'recorded' | 'bothClouds' | 'survey';

/** Measurements of one repeat. */
interface Repeat extends Record<Variant, Pass> {
  raw: RawPass;
  native: NativePass;
  recorded: RecordedPass;
  bothClouds: RecordedPass;
  panorama: PanoramaPass;
  reference: NativePass | null;
}

/** @throws UnderstoryError 'scene-too-large' | 'worker-lost' | 'cancelled' | 'disk-full' | 'io' */
export async function benchScan(
  ports: ScanBenchPorts,
  order: ScanBenchOrder,
  context: HandlerContext,
): Promise<ScanBench> {
  const { launcher, clock } = ports;
  const { compiled, heights } = order.loaded;
  const tickNs = compiled.scenario.navigation.tickMs * 1e6;
  const startS = clock.seconds();
  const worker = await launcher.open({ isa: order.isa, threads: order.threads });
  let reference: ScanWork | null = null;
  try {
    const { signal, progress } = context;
    const contents = { recipe: compiled.recipe, heights };
    const summary = await buildScene(ports, worker, contents, { signal, onProgress: progress });
    const [sensor] = compiled.sensors;
    if (sensor === undefined) throw new Error('the sensor was not compiled');
    const motions = slowMotion(order.start, order.seconds, tickNs);
    const work: ScanWork = { worker, compiled, sensor: unmounted(sensor), motions, signal };
    await handOver(ports, { ...work, motions: motions.slice(0, 1) });
    const firstScanSeconds = clock.seconds() - startS;
    const peakRssMB = peakRssBytes(ports.meter, worker.pid) / 1e6;

    const header: RecordingHeader = {
      compiled,
      heights,
      classes: compiled.recipe.classes,
      isa: worker.hello.isa,
      understoryVersion: ports.product.version,
      engine: await engineHash(worker.hello, ports.product.simulatingSources),
    };
    const recorded = (clouds?: readonly CloudKind[]): Promise<RecordedPass> =>
      ports.scratch.use('mcap', (file) =>
        record(ports, work, file, ports.recordings, header, clouds),
      );
    // Why: the first pass of each variant finds caches cold; it is not counted.
    const packings = worthRepeating(await rawPass(work));
    const native = await nativePass(work);
    await proveSameRows(work, native);
    await handOver(ports, work);
    await recorded();
    const survey = surveyOf(work, native.pulses);
    const { directionHash } = await surveyRays(work, survey);
    await surveyPass(ports, work, survey);
    const tripod = panoramaWork(work, order.panorama, order.start, order.seconds);
    const tripodPackings = packingsOf(await panoramaPass(tripod));
    reference = await referenceWork(ports, order, context);
    if (reference !== null) await nativePass(reference);
    const measured: Repeat[] = [];
    for (let done = 0; done < order.repeats; done += 1) {
      progress({ phase: 'bench', done, total: order.repeats });
      measured.push({
        raw: await rawPass(work, packings),
        native: await nativePass(work),
        worker: await handOver(ports, work),
        recorded: await recorded(['truth']),
        bothClouds: await recorded(),
        survey: await surveyPass(ports, work, survey),
        panorama: await panoramaPass(tripod, tripodPackings),
        reference: reference === null ? null : await nativePass(reference),
      });
    }
    const { threads, isa } = worker.hello;
    const { scene, sensor: sensorId, repeats, seconds: simSeconds } = order;
    return {
      scene,
      sensor: sensorId,
      threads,
      isa,
      instancedTriangles: summary.instancedTriangles,
      elements: summary.models.reduce((sum, { elements }) => sum + elements, 0),
      reference: referenceSpeed(order, measured),
      panorama: panoramaSpeed(
        order.panorama,
        measured.map(({ panorama }) => panorama),
      ),
      buildSeconds: summary.buildSeconds,
      firstScanSeconds,
      peakRssMB,
      ...speedsOf(
        measured,
        simSeconds,
        { directionHash, poses: survey.trajectory.time_ns.length },
        rawPartOf(compiled.recipe),
      ),
      repeats,
      simSeconds,
    };
  } finally {
    await Promise.all([worker.dispose(), reference?.worker.dispose()]);
  }
}

/** The scene to compare with, in a worker of its own. */
async function referenceWork(
  ports: ScanBenchPorts,
  { reference, seconds, isa, threads }: ScanBenchOrder,
  { signal, progress }: HandlerContext,
): Promise<ScanWork | null> {
  if (reference === null) return null;
  const { compiled, heights } = reference.loaded;
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new Error('the sensor was not compiled');
  const worker = await ports.launcher.open({ isa, threads });
  try {
    const contents = { recipe: compiled.recipe, heights };
    await buildScene(ports, worker, contents, { signal, onProgress: progress });
    const tickNs = compiled.scenario.navigation.tickMs * 1e6;
    const motions = slowMotion(reference.start, seconds, tickNs);
    return { worker, compiled, sensor: unmounted(sensor), motions, signal };
  } catch (error) {
    await worker.dispose();
    throw error;
  }
}

function referenceSpeed(
  { reference }: ScanBenchOrder,
  measured: readonly Repeat[],
): ReferenceSpeed | null {
  if (reference === null) return null;
  const pairs = measured.flatMap(({ native, reference: other }) =>
    other === null ? [] : [{ native, other }],
  );
  const ratioBy = (of: 'seconds' | 'coreSeconds'): number =>
    median(
      pairs.map(({ native, other }) => {
        return rate(native.pulses, native[of]) / rate(other.pulses, other[of]);
      }),
    );
  return {
    scene: reference.scene,
    mpulsesPerSecond: median(pairs.map(({ other }) => rate(other.pulses, other.seconds))),
    ratio: ratioBy('seconds'),
    coreRatio: ratioBy('coreSeconds'),
  };
}

/** Medians over the repeats; the best packing is the one with the best median. */
function speedsOf(
  measured: readonly Repeat[],
  simSeconds: number,
  survey: Pick<ScanBench['survey'], 'directionHash' | 'poses'>,
  part: RawPart,
): Pick<ScanBench, 'raw' | Variant | 'spread'> {
  const [first] = measured;
  if (first === undefined) throw new Error('nothing was measured');
  const { raw } = first;
  const packings = raw.packings.map(({ name }, index) => {
    const passes = measured.map(({ raw }) => raw.packings[index]);
    const rates = passes.map((pass) => rate(raw.rays, pass?.seconds));
    const coreSeconds = median(passes.map((pass) => pass?.cpuSeconds ?? Number.NaN));
    return { name, rates, mraysPerSecond: median(rates), coreSeconds };
  });
  const best = packings.reduce((a, b) => (b.mraysPerSecond > a.mraysPerSecond ? b : a));
  const ratesOf = (variant: Variant): number[] =>
    measured.map(({ [variant]: { rays, seconds } }) => rate(rays, seconds));
  const speedOf = (variant: Variant): ScanSpeed => {
    const passes = measured.map(({ [variant]: pass }) => pass);
    const { hits } = first[variant];
    return {
      mraysPerSecond: median(ratesOf(variant)),
      mpulsesPerSecond: median(passes.map(({ pulses, seconds }) => rate(pulses, seconds))),
      realTimeFactor: median(passes.map(({ seconds }) => simSeconds / seconds)),
      ratioToRaw: median(ratesOf(variant).map((each, n) => each / (best.rates[n] ?? Number.NaN))),
      coreSecondsPerSimSecond: median(passes.map(({ coreSeconds }) => coreSeconds / simSeconds)),
      hits,
      // proveSameRows proves it for the hand-over and the recording.
      directionHash: first.native.directionHash,
    };
  };
  const recordedSpeedOf = (variant: 'recorded' | 'bothClouds'): ScanBench['recorded'] => {
    const { cloudBytes, returns } = first[variant];
    return { ...speedOf(variant), bytesPerReturn: cloudBytes / returns };
  };
  const { rays, hits, directionHash } = raw;
  return {
    raw: {
      part,
      mraysPerSecond: best.mraysPerSecond,
      realTimeFactor: (best.mraysPerSecond * 1e6 * simSeconds) / rays,
      coreSecondsPerSimSecond: best.coreSeconds / simSeconds,
      hits,
      directionHash,
      packings: packings.map(({ name, mraysPerSecond }) => ({ name, mraysPerSecond })),
    },
    native: speedOf('native'),
    worker: speedOf('worker'),
    recorded: recordedSpeedOf('recorded'),
    bothClouds: recordedSpeedOf('bothClouds'),
    survey: {
      ...speedOf('survey'),
      ...survey,
      ratioToNative: median(
        ratesOf('survey').map((each, n) => each / (ratesOf('native')[n] ?? Number.NaN)),
      ),
    },
    spread: {
      raw: relativeSpread(best.rates),
      native: relativeSpread(ratesOf('native')),
      worker: relativeSpread(ratesOf('worker')),
      recorded: relativeSpread(ratesOf('recorded')),
      bothClouds: relativeSpread(ratesOf('bothClouds')),
      survey: relativeSpread(ratesOf('survey')),
    },
  };
}

function peakRssBytes(meter: ProcessMeter, workerPid: number): number {
  return meter.peakRssBytes(workerPid) + meter.peakRssBytes(meter.ownPid);
}

/** Millions a second. */
function rate(count: number, seconds = Number.NaN): number {
  return count / seconds / 1e6;
}
