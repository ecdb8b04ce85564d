// A run from elsewhere becomes one of this data folder. Guarantees: it is there as a whole or not at all; a run that is
// there already, from here or from elsewhere, is not taken again.
import type { BundledRun } from '#contract/documents/bundle.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { UnpackedRun } from '#contract/host/runMethods.ts';
import type { CompiledScenario, RunOrigin, ScanRecord } from '#contract/host/run.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import type { RecordingMetadata } from '#services/ports/recordings.ts';
import { addScene, type AdoptPorts } from '#services/runs/adoptRuns.ts';
import { reconcile } from '#services/runs/reconcile.ts';
import { scanKey } from '#services/runs/scanKey.ts';
import { identityOfRun } from '#services/runs/identity.ts';
import { storedDocument } from '#services/runs/storedDocument.ts';
import { identityOf, metricsOf, scanColumns } from './runContents.ts';

/** A run from elsewhere, and how its files get here. */
export interface IncomingRun {
  identity: string;
  run: BundledRun;
  compiled: CompiledScenario;
  /** The same in the form of the version that stored it: the catalogue keeps it, so that its hash can be checked. */
  stored: unknown;
  scans: readonly ScanRecord[];
  /** Heights of the ground; empty: there is no height field. */
  heights: () => Promise<Float32Array>;
  origin: Pick<RunOrigin, 'kind' | 'file'>;
  /** Writes the files of the run but its recording, and returns those that were not there before. */
  writeFiles: (runId: string) => Promise<string[]>;
  /** Writes the recording; null: there is none. */
  writeRecording: ((file: string) => Promise<void>) | null;
}

/** The run's row and files. @throws what `incoming` throws; 'corrupt' for the recording of another run */
export async function importRun(
  ports: AdoptPorts,
  incoming: IncomingRun,
  context: HandlerContext,
): Promise<UnpackedRun> {
  const { catalogue, folders, locks, clock } = ports;
  const { identity, run } = incoming;
  const found = await sameRun(ports, incoming);
  const runId = found?.id ?? idOf(identity);
  const reply = { runId, identity, name: run.name, isNew: found === null };
  if (found !== null) {
    if (found.deletedMs !== null) {
      folders.restoreFromTrash(runId);
      catalogue.restore(runId);
    }
    const hasRecording = folders.recordingBytes(runId) !== null;
    if (hasRecording || incoming.writeRecording === null) return { ...reply, hasRecording };
  }
  const { hostLockFile } = folders.create(runId);
  const hostLock = locks.acquire(hostLockFile);
  let written: string[] = [];
  try {
    written = found === null ? await incoming.writeFiles(runId) : [];
    await incoming.writeRecording?.(folders.recordingFile(runId));
    if (found === null) {
      const origin = { ...incoming.origin, identity, importedMs: clock.nowMs() };
      await insertRow(ports, runId, incoming, origin);
      const { engine, isa } = run;
      if (isa !== null) {
        const header = { heights: await incoming.heights(), isa, engine };
        await addScene(ports, runId, { header }, context);
      }
    }
    await addScans(ports, runId, incoming);
    if (found === null) {
      const { state, end, error, metrics, simSeconds, points } = run;
      const endedMs = clock.nowMs();
      catalogue.endRun(runId, { state, end, error, endedMs, metrics: metricsOf(metrics) });
      if (simSeconds !== null) catalogue.setTotals(runId, { simSeconds, points: points ?? 0 });
    }
    return { ...reply, hasRecording: incoming.writeRecording !== null };
  } catch (error) {
    if (found === null) {
      if (catalogue.run(runId)?.id === runId) while (!catalogue.removeRun(runId, 1000));
      folders.discard(runId, written);
    } else {
      folders.removeRecording(runId);
    }
    throw error;
  } finally {
    hostLock.release();
  }
}

/** The run of this data folder with that identity, in the trash or not; null: there is none. */
async function sameRun(
  { catalogue }: Pick<AdoptPorts, 'catalogue'>,
  { identity, run }: IncomingRun,
): Promise<RunRow | null> {
  for (const row of catalogue.runsOfScenario(run.scenarioHash)) {
    if (row.state === 'running') continue;
    if (row.origin?.identity === identity) return row;
    const same = await identityOf(row, scanColumns(catalogue.scanRecords(row.id)));
    if (same === identity) return row;
  }
  return null;
}

/** A UUID of version 8 from the identity: the same in each data folder. */
function idOf(identity: string): string {
  const variant = ((Number.parseInt(identity.slice(16, 17), 16) & 3) | 8).toString(16);
  const parts = [
    identity.slice(0, 8),
    identity.slice(8, 12),
    `8${identity.slice(13, 16)}`,
    `${variant}${identity.slice(17, 20)}`,
    identity.slice(20, 32),
  ];
  return parts.join('-');
}

async function insertRow(
  ports: AdoptPorts,
  runId: string,
  { run, compiled, stored }: IncomingRun,
  origin: RunOrigin,
): Promise<void> {
  const { catalogue, clock } = ports;
  const { name, version, engine, isa, seconds, control } = run;
  catalogue.insertRun({
    document: await storedDocument(ports, stored),
    id: runId,
    name,
    createdMs: clock.nowMs(),
    compiled,
    version,
    hostName: '',
    origin,
    engine,
    identity: await identityOfRun({ compiled, engine, isa, seconds, control }),
    order: { seconds, threads: null, isa, control },
  });
}

/** @throws UnderstoryError 'corrupt' where the recording is that of another run */
async function addScans(ports: AdoptPorts, runId: string, incoming: IncomingRun): Promise<void> {
  const { catalogue, recordings, folders } = ports;
  if (incoming.writeRecording === null) {
    const none = new Uint32Array();
    for (const scan of incoming.scans) catalogue.addScan(runId, scan, none, none);
    return;
  }
  const recorded = await recordings.openMetadata(folders.recordingFile(runId));
  try {
    expectSameRun(incoming, recorded);
    // Why: rows without a recording lack the objects in their scans.
    catalogue.removeRecords(runId, [], catalogue.scanRecords(runId));
    await reconcile(catalogue, runId, recorded);
  } finally {
    await recorded.close();
  }
}

function expectSameRun({ run, scans, origin }: IncomingRun, recorded: RecordingMetadata): void {
  const hashes = new Map(recorded.scans.map((scan) => [scanKey(scan), scan.hash]));
  const isSame =
    recorded.header.compiled.scenarioHash === run.scenarioHash &&
    hashes.size === scans.length &&
    scans.every((scan) => hashes.get(scanKey(scan)) === scan.hash);
  if (isSame) return;
  const message = `'${origin.file}' is damaged: its recording is that of another run`;
  throw new UnderstoryError('corrupt', message);
}
