// Verifies a run: it is simulated again, from the head of its recording, and every scan is compared: its hash with the
// recorded one, its points with the recorded points. Nothing is recorded. Damage in the recording is found first.
import { throwIfCancelled } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { DriveCommand, ScanRecord } from '#contract/host/run.ts';
import { readCommands, readHeights } from './sideFiles.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { MeshNamePorts } from '#services/documents/meshNames.ts';
import { missingNotices } from '#services/documents/missingBeside.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { RecordedCloud, RecordingReader } from '#services/ports/recordings.ts';
import { lacking, openRunRecording, type RunRecordingPorts } from './openRun.ts';
import { commandsOf } from './recordedCommands.ts';
import { scanKey } from './scanKey.ts';
import { expectedScans, simulateAgain, type AgainPorts, type ToVerify } from './simulateAgain.ts';
import { compiledOf, withStoredMeshes } from './storedDocument.ts';

export interface VerifyPorts extends RunRecordingPorts, AgainPorts {
  catalogue: Catalogue;
  folders: RunFolders;
  files: MeshNamePorts;
  /** Reads what the catalogue stores of scenarios. */
  texts: TextJobs;
}

type Verified = Replies['runs.verify'];

/**
 * A run from elsewhere without its recording is compared by the hashes of its scans.
 * @throws 'corrupt' where the recording is damaged, cut off, or not that of the catalogue's scans; 'unsupported'
 *   where this machine lacks the instruction set of the recording: the bytes could not be compared.
 */
export async function verifyRun(
  ports: VerifyPorts,
  run: RunRow,
  threads: number | null,
  context: HandlerContext,
): Promise<Verified> {
  const { catalogue, folders } = ports;
  const { control = 'autonomy' } = catalogue.order(run.id);
  // Why not the recording's: it holds no folders of this machine, so its mesh files cannot be found.
  const compiled = withStoredMeshes(folders, run, await compiledOf(ports, run.id));
  const { version, sceneHash } = run;
  if (run.origin !== null && folders.recordingBytes(run.id) === null) {
    const { isa, engine } = run;
    const isFlat = !compiled.recipe.models.some(({ source }) => source.kind === 'height-field');
    const again: ToVerify = {
      there: { version, engine, isa, sceneHash },
      isa,
      compiled,
      control,
      heights: isFlat ? new Float32Array() : await readHeights(ports.files, folders, run.id),
      commands:
        control !== 'autonomy' ? await readCommands(ports.files, folders, run.id) : undefined,
      expected: expectedScans(catalogue.scanRecords(run.id)),
    };
    return withMissing(ports, again, await simulateAgain(ports, again, threads, context), context);
  }
  const reader = await openRunRecording(ports, run);
  const { heights, isa, engine } = reader.header;
  let expected: Map<string, RecordedCloud>;
  let commands: DriveCommand[] | undefined;
  try {
    expected = await recordedScans(reader, context);
    commands = control !== 'autonomy' ? await commandsOf(reader) : undefined;
  } finally {
    await reader.close();
  }
  expectSameScans(run, catalogue.scans(run.id), expected);
  const there = { version, engine, isa, sceneHash };
  const again = { there, isa, compiled, heights, control, commands, expected };
  return withMissing(ports, again, await simulateAgain(ports, again, threads, context), context);
}

/** A difference may come from files of the scene that are missing here. */
async function withMissing(
  { files }: VerifyPorts,
  { compiled }: ToVerify,
  verified: Verified,
  { signal }: HandlerContext,
): Promise<Verified> {
  if (verified.differs === null) return verified;
  return { ...verified, notices: await missingNotices(files, compiled.recipe.models, signal) };
}

/** Reads the whole recording, checksums included; a few numbers a scan are left. */
export async function recordedScans(
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
