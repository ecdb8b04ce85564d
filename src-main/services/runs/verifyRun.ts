// Simulates a run again, from what stands at the head of its recording, and compares the hash of every
// scan with the catalogue's. Nothing is recorded.
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { ScanFacts } from '#contract/host/run.ts';
import { commandsOf } from './recordedCommands.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { RunProcesses } from '#services/ports/runProcesses.ts';

export interface VerifyPorts {
  catalogue: Catalogue;
  folders: Pick<RunFolders, 'recordingFile'>;
  recordings: Recordings;
  processes: RunProcesses;
  version: string;
}

/** Stands for a scan that one of the two sides lacks. */
const noScan = 'none';

/**
 * @throws 'unsupported' where this machine lacks the instruction set of the recording: the bytes could
 *   not be compared.
 */
export async function verifyRun(
  ports: VerifyPorts,
  run: RunRow,
  threads: number | null,
  context: HandlerContext,
): Promise<Replies['runs.verify']> {
  const { catalogue, folders, recordings, processes } = ports;
  const reader = await recordings.open(folders.recordingFile(run.id));
  const { heights, isa } = reader.header;
  const { control = 'autonomy' } = catalogue.order(run.id);
  const commands = control === 'hand' ? await commandsOf(reader) : undefined;
  // Why not the recording's: it holds no folders of this machine, so its mesh files cannot be found.
  const compiled = catalogue.compiled(run.id);
  await reader.close();
  const recorded = new Map(catalogue.scans(run.id).map((scan) => [keyOf(scan), scan]));
  const lastNs = [...recorded.values()].reduce((last, { toNs }) => Math.max(last, toNs), 0);
  const here: Replies['runs.verify']['here'] = {
    version: ports.version,
    isa: null,
    sceneHash: null,
  };
  let compared = 0;
  let differs: Replies['runs.verify']['differs'] = null;

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
        onFact: (fact) => {
          if (fact.kind === 'scene') {
            here.isa = fact.isa;
            here.sceneHash = fact.summary.sceneHash;
          } else if (fact.kind === 'scan' && differs === null) {
            compare(fact.scan);
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
    const { tick, sensor, hash } = missing;
    differs = { tick, sensor, recorded: hash, simulated: noScan };
  }
  const recordedWith = { version: run.version, isa, sceneHash: run.sceneHash };
  return { recordedWith, here, scans: compared, differs };

  function compare(scan: ScanFacts): void {
    const expected = recorded.get(keyOf(scan));
    // Why: an interrupted run lacks the scans of its last instants; they are nothing to compare with.
    if (expected === undefined && scan.fromNs >= lastNs) return;
    recorded.delete(keyOf(scan));
    compared += 1;
    context.progress({ phase: 'comparing scans', done: compared, total: compared + recorded.size });
    if (expected?.hash === scan.hash) return;
    const { tick, sensor } = scan;
    differs = { tick, sensor, recorded: expected?.hash ?? noScan, simulated: scan.hash };
    controller.abort();
  }
}

function keyOf({ tick, sensor }: ScanFacts): string {
  return `${tick}/${sensor}`;
}
