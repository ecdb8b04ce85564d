// Simulates a run again and compares every scan with what is known of it. Nothing is recorded.
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type {
  CompiledScenario,
  DriveCommand,
  DriveControl,
  ScanRecord,
} from '#contract/host/run.ts';
import type { EngineInfo } from '#contract/host/runMethods.ts';
import type { Isa } from '#contract/worker/worker.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { RunProcesses } from '#services/ports/runProcesses.ts';
import { scanKey } from './scanKey.ts';

export interface AgainPorts {
  processes: RunProcesses;
  version: string;
}

/** A run that is simulated again, and what is known of its scans. */
export interface ToVerify {
  there: EngineInfo;
  isa: Isa | null;
  compiled: CompiledScenario;
  heights: Float32Array;
  control: DriveControl;
  commands: DriveCommand[] | undefined;
  /** By scanKey; crc32s null: its points were not recorded. */
  expected: Map<string, ExpectedScan>;
}

export interface ExpectedScan {
  scan: ScanRecord;
  /** One for each cloud, in the order of the file. */
  crc32s: number[] | null;
}

type Verified = Replies['runs.verify'];

/** Replaces a scan or cloud that one of the two sides lacks. */
const noScan = 'none';

/** Scans of which the points are not known. */
export function expectedScans(scans: readonly ScanRecord[]): Map<string, ExpectedScan> {
  return new Map(scans.map((scan) => [scanKey(scan), { scan, crc32s: null }]));
}

/** @throws 'unsupported' where this machine lacks the instruction set; 'cancelled' */
export async function simulateAgain(
  { processes, version }: AgainPorts,
  { there, isa, compiled, heights, control, commands, expected }: ToVerify,
  threads: number | null,
  context: HandlerContext,
): Promise<Verified> {
  const left = new Map(expected);
  const lastNs = [...left.values()].reduce((last, { scan }) => Math.max(last, scan.toNs), 0);
  const here: Verified['here'] = { version, engine: null, isa: null, sceneHash: null };
  let otherEngine: Verified['otherEngine'] = null;
  let compared = 0;
  let differs: Verified['differs'] = null;
  if (left.size === 0) {
    return { equal: false, there, here, compared, differs, otherEngine, notices: [] };
  }

  // Why a controller of our own: the first difference is the answer, the rest need not be simulated.
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  context.signal.addEventListener('abort', onAbort, { once: true });
  const process = await processes.start();
  try {
    await process.execute(
      {
        compiled,
        seconds: lastNs / 1e9,
        isPipelined: true,
        recordingFile: null,
        lockFile: null,
        isPacked: true,
        threads,
        isa,
        viewPoints: 0,
        control,
        ...(commands && { commands }),
      },
      heights,
      {
        signal: controller.signal,
        onProgress: (progress) => context.progress(progress),
        onRunEvent: (event) => {
          if (event.kind === 'scene') {
            here.isa = event.isa;
            here.engine = event.engine;
            if (there.engine !== event.engine) {
              otherEngine = { agreeing: 0, returnsRecorded: 0, returnsSimulated: 0 };
            }
            here.sceneHash = event.summary.sceneHash;
          } else if (event.kind === 'scan' && (differs === null || otherEngine !== null)) {
            compare(event.scan, event.cloudCrc32s);
          }
        },
      },
    );
  } catch (error) {
    if (differs === null) throw error;
  } finally {
    context.signal.removeEventListener('abort', onAbort);
    await process.dispose();
  }
  if (context.signal.aborted) throw new UnderstoryError('cancelled', 'the check was cancelled');
  const [missing] = left.values();
  if (differs === null && missing !== undefined) {
    const { tick, sensor, hash } = missing.scan;
    differs = { tick, sensor, of: 'hash', recorded: hash, simulated: noScan };
  }
  return { equal: differs === null, there, here, compared, differs, otherEngine, notices: [] };

  function compare(scan: ScanRecord, cloudCrc32s: number[] | undefined): void {
    const recorded = left.get(scanKey(scan));
    // Why: an interrupted run lacks the scans of its last instants; they are nothing to compare with.
    if (recorded === undefined && scan.fromNs >= lastNs) return;
    left.delete(scanKey(scan));
    compared += 1;
    context.progress({ phase: 'comparing scans', done: compared, total: compared + left.size });
    if (otherEngine === null) {
      differs = differenceOf(scan, cloudCrc32s, recorded);
      if (differs !== null) controller.abort();
      return;
    }
    // Why no points: another engine may record other fields of the same returns.
    const difference = differenceOf(scan, undefined, recorded);
    differs ??= difference;
    otherEngine.agreeing += difference === null ? 1 : 0;
    otherEngine.returnsRecorded += recorded?.scan.returns ?? 0;
    otherEngine.returnsSimulated += scan.returns;
  }
}

function differenceOf(
  { tick, sensor, hash }: ScanRecord,
  cloudCrc32s: number[] | undefined,
  expected: ExpectedScan | undefined,
): Verified['differs'] {
  if (expected?.scan.hash !== hash) {
    const recorded = expected?.scan.hash ?? noScan;
    return { tick, sensor, of: 'hash', recorded, simulated: hash };
  }
  if (cloudCrc32s === undefined || expected.crc32s === null) return null;
  const [there, here] = [expected.crc32s, cloudCrc32s];
  const cloud = Array.from({ length: Math.max(there.length, here.length) }, (_, n) => n).find(
    (index) => there[index] !== here[index],
  );
  if (cloud === undefined) return null;
  const [recorded, simulated] = [hexOf(there[cloud]), hexOf(here[cloud])];
  return { tick, sensor, of: 'points', recorded, simulated };
}

function hexOf(checksum: number | undefined): string {
  return checksum?.toString(16).padStart(8, '0') ?? noScan;
}
