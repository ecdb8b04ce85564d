// Simulates a run again, from the head of its recording, and compares every scan: its hash with the
// recorded one, its points with the recorded points. Nothing is recorded. Damage in the recording is found first.
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { RunOrder, ScanRecord } from '#contract/host/run.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { RecordedCloud, RecordingReader } from '#services/ports/recordings.ts';
import type { RunProcesses } from '#services/ports/runProcesses.ts';
import { lacking, openRunRecording, type RunRecordingPorts } from './openRun.ts';
import { commandsOf } from './recordedCommands.ts';
import { scanKey } from './scanKey.ts';
import { compiledOf } from './storedDocument.ts';

export interface VerifyPorts extends RunRecordingPorts {
  catalogue: Catalogue;
  processes: RunProcesses;
  /** Reads what the catalogue stores of scenarios. */
  texts: TextJobs;
  version: string;
}

type Verified = Replies['runs.verify'];

/** Replaces a scan that one of the two sides lacks. */
const noScan = 'none';

/**
 * @throws 'corrupt' where the recording is damaged, cut off, or not that of the catalogue's scans; 'unsupported'
 *   where this machine lacks the instruction set of the recording: the bytes could not be compared.
 */
export async function verifyRun(
  ports: VerifyPorts,
  run: RunRow,
  threads: number | null,
  context: HandlerContext,
): Promise<Verified> {
  const { catalogue, processes } = ports;
  const reader = await openRunRecording(ports, run);
  const { heights, isa, engine } = reader.header;
  const { control = 'autonomy' } = catalogue.order(run.id);
  let recorded: Map<string, RecordedCloud>;
  let commands: RunOrder['commands'];
  try {
    recorded = await recordedScans(reader, context);
    commands = control === 'hand' ? await commandsOf(reader) : undefined;
  } finally {
    await reader.close();
  }
  expectSameScans(run, catalogue.scans(run.id), recorded);
  // Why not the recording's: it holds no folders of this machine, so its mesh files cannot be found.
  const compiled = await compiledOf(ports, run.id);
  const lastNs = [...recorded.values()].reduce((last, { scan }) => Math.max(last, scan.toNs), 0);
  const recordedWith = { version: run.version, engine, isa, sceneHash: run.sceneHash };
  const here: Verified['here'] = {
    version: ports.version,
    engine: null,
    isa: null,
    sceneHash: null,
  };
  let otherEngine: Verified['otherEngine'] = null;
  if (recorded.size === 0) return { recordedWith, here, scans: 0, differs: null, otherEngine };
  let compared = 0;
  let differs: Verified['differs'] = null;

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
            if (engine !== event.engine) {
              otherEngine = { agreeing: 0, returnsRecorded: 0, returnsSimulated: 0 };
            }
            here.sceneHash = event.summary.sceneHash;
          } else if (event.kind === 'scan' && (differs === null || otherEngine !== null)) {
            compare(event.scan, event.cloudCrc32);
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
  const [missing] = recorded.values();
  if (differs === null && missing !== undefined) {
    const { tick, sensor, hash } = missing.scan;
    differs = { tick, sensor, of: 'hash', recorded: hash, simulated: noScan };
  }
  return { recordedWith, here, scans: compared, differs, otherEngine };

  function compare(scan: ScanRecord, cloudCrc32: number | undefined): void {
    const expected = recorded.get(scanKey(scan));
    // Why: an interrupted run lacks the scans of its last instants; they are nothing to compare with.
    if (expected === undefined && scan.fromNs >= lastNs) return;
    recorded.delete(scanKey(scan));
    compared += 1;
    context.progress({ phase: 'comparing scans', done: compared, total: compared + recorded.size });
    if (otherEngine === null) {
      differs = differenceOf(scan, cloudCrc32, expected);
      if (differs !== null) controller.abort();
      return;
    }
    // Why no points: another engine may record other fields of the same returns.
    const difference = differenceOf(scan, undefined, expected);
    differs ??= difference;
    otherEngine.agreeing += difference === null ? 1 : 0;
    otherEngine.returnsRecorded += expected?.scan.returns ?? 0;
    otherEngine.returnsSimulated += scan.returns;
  }
}

function differenceOf(
  { tick, sensor, hash }: ScanRecord,
  cloudCrc32: number | undefined,
  expected: RecordedCloud | undefined,
): Verified['differs'] {
  if (expected?.scan.hash !== hash) {
    const recorded = expected?.scan.hash ?? noScan;
    return { tick, sensor, of: 'hash', recorded, simulated: hash };
  }
  if (cloudCrc32 === undefined || cloudCrc32 === expected.crc32) return null;
  const [recorded, simulated] = [expected.crc32, cloudCrc32].map(hexOf) as [string, string];
  return { tick, sensor, of: 'points', recorded, simulated };
}

/** Reads the whole recording, checksums included; a few numbers a scan are stored. */
async function recordedScans(
  reader: RecordingReader,
  { signal, progress }: HandlerContext,
): Promise<Map<string, RecordedCloud>> {
  const found = new Map<string, RecordedCloud>();
  for await (const cloud of reader.clouds()) {
    throwIfCancelled(signal);
    found.set(scanKey(cloud.scan), cloud);
    progress({ phase: 'reading the recording', done: found.size, total: 0 });
  }
  return found;
}

/** @throws 'corrupt' where catalogue and recording are not about the same scans */
function expectSameScans(
  run: RunRow,
  catalogued: readonly ScanRecord[],
  recorded: ReadonlyMap<string, RecordedCloud>,
): void {
  if (catalogued.length !== recorded.size) {
    throw lacking(run, `holds ${recorded.size} scans, the catalogue ${catalogued.length}`);
  }
  const other = catalogued.find((scan) => recorded.get(scanKey(scan))?.scan.hash !== scan.hash);
  if (other === undefined) return;
  throw lacking(run, `and the catalogue differ in tick ${other.tick}, sensor ${other.sensor}`);
}

function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}
