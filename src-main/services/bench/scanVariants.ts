// The variants of carrying out a scan, each as one timed pass over the same simulated interval: sent
// as typed arrays, and recorded as a drive records.
import type { CompiledScenario, CompiledSensor } from '#contract/host/run.ts';
import type { CloudKind, RecordingHeader, Recordings } from '#services/ports/recordings.ts';
import type { Clock, ProcessMeter } from '#services/ports/system.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import type { DiskGuard } from '#services/runProcess/diskGuard.ts';
import {
  hashedColumnsOf,
  recordedColumnsOf,
  type Recorded,
} from '#domain/sensor/recordedColumns.ts';
import type { TickMotion } from '#services/runProcess/motion.ts';
import { createDriveRecorder } from '#services/runProcess/recordDrive.ts';
import { senseTick, type SensedScan, type SensingOptions } from '#services/runProcess/sensing.ts';
import { autonomyColumns, commandDelayTicks } from '#domain/autonomy/signals.ts';

/** Time and work of one pass. */
export interface Pass {
  seconds: number;
  /** User and system time of the worker and of this process. */
  coreSeconds: number;
  rays: number;
  pulses: number;
  hits: number;
}

export interface RecordedPass extends Pass {
  returns: number;
  /** Size of the clouds, compressed; 0 where they are not recorded. */
  cloudBytes: number;
}

/** The scan that every variant carries out. */
export interface ScanWork {
  worker: ScanWorker;
  compiled: CompiledScenario;
  sensor: CompiledSensor;
  motions: TickMotion[];
  signal: AbortSignal;
}

export interface Meters {
  clock: Clock;
  meter: ProcessMeter;
}

/** Through the protocol into typed arrays of this process. */
export async function handOver(meters: Meters, work: ScanWork): Promise<Pass> {
  return timed(meters, work, () => eachTick(work, null, () => Promise.resolve()));
}

/**
 * With packing, compression and the file: the recorder of a drive, from the first tick until everything
 * is in the file. Opening and closing the recording, once a run, are left out.
 * @param clouds left out: those that the scenario asks for
 */
export async function record(
  meters: Meters,
  work: ScanWork,
  file: string,
  recordings: Recordings,
  header: RecordingHeader,
  clouds?: readonly CloudKind[],
): Promise<RecordedPass> {
  const writer = await recordings.create(file, header, clouds);
  try {
    const recorder = createDriveRecorder(writer, recordedColumnsOf(rigOf(work)), unguarded);
    const { cells, cellM } = work.compiled.scenario.navigation.costMap;
    const map = {
      geometry: { cells, cellM, originM: [0, 0] as [number, number] },
      cost: new Uint8Array(cells * cells),
    };
    return await timed(meters, work, async () => {
      const packingsOf: Packings = (scan) => recorder.packings(scan);
      const counts = await eachTick(
        work,
        packingsOf,
        async ({ tick, fromNs, toNs, state }, scans) => {
          const { pose, speedMPerS } = state;
          await recorder.record({
            record: {
              tick,
              timeNs: toNs,
              truth: pose,
              estimate: pose,
              speedMPerS,
              distanceToGoalM: 0,
              collisions: 0,
              activity: 'driving',
            },
            command: { speedMPerS, yawRateRadPerS: 0 },
            fromNs,
            scans,
            sensorPoses: [pose],
            map,
            path: null,
          });
        },
      );
      await writer.flush();
      return counts;
    });
  } finally {
    await writer.close();
  }
}

type Packings = SensingOptions['packingsOf'];
type Counts = Omit<RecordedPass, 'seconds' | 'coreSeconds'>;

/** Scans tick by tick, as many in flight as in a drive, and passes each on in order. */
async function eachTick(
  work: ScanWork,
  packingsOf: Packings,
  take: (motion: TickMotion, scans: SensedScan[]) => Promise<void>,
): Promise<Counts> {
  const { worker, compiled, sensor, motions, signal } = work;
  const { seed } = compiled.scenario;
  const hashColumns = hashedColumnsOf(rigOf(work));
  const counts: Counts = { rays: 0, pulses: 0, hits: 0, returns: 0, cloudBytes: 0 };
  const begin = (motion: TickMotion) => ({
    motion,
    sensed: senseTick(worker, [sensor], motion, null, {
      // As in a drive: what is recorded is not sent.
      columns: packingsOf === null ? autonomyColumns : null,
      seed,
      hashColumns,
      packingsOf,
      viewPoints: 0,
      signal,
    }),
  });
  const underWay = motions.slice(0, commandDelayTicks).map(begin);
  let begun = underWay.length;
  try {
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) {
      const { scans } = await first.sensed;
      const next = motions[begun];
      if (next !== undefined) underWay.push(begin(next));
      begun += 1;
      for (const { result } of scans) {
        counts.rays += result.rays;
        counts.pulses += result.pulses;
        counts.hits += result.hits;
        counts.returns += result.returns;
        for (const { frameBytes } of result.packed) counts.cloudBytes += frameBytes;
      }
      await take(first.motion, scans);
    }
    return counts;
  } finally {
    await Promise.allSettled(underWay.map(({ sensed }) => sensed));
  }
}

function rigOf({ compiled, sensor }: ScanWork): Recorded {
  return { recipe: compiled.recipe, sensors: [sensor] };
}

/** Wall time and processor time of this process and the worker during `work`. */
export async function timed<C extends Omit<Pass, 'seconds' | 'coreSeconds'>>(
  meters: Meters,
  { worker }: Pick<ScanWork, 'worker'>,
  work: () => Promise<C>,
): Promise<C & Pick<Pass, 'seconds' | 'coreSeconds'>> {
  const { clock, meter } = meters;
  const coreSeconds = (): number => meter.cpuSeconds(meter.ownPid) + meter.cpuSeconds(worker.pid);
  const coresAtStart = coreSeconds();
  const startS = clock.seconds();
  const counts = await work();
  const seconds = clock.seconds() - startS;
  return { ...counts, seconds, coreSeconds: coreSeconds() - coresAtStart };
}

/** A scratch file of a second or two needs no guard. */
const unguarded: DiskGuard = { check: () => undefined };
