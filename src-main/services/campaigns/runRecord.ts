// A run of a campaign in the catalogue and on disk. Without a recording it is one row, written with its results in one
// transaction at its end. With one it is catalogued as running before its first byte, as every run is.
import type { Columns } from '#contract/columns.ts';
import type { WireError } from '#contract/errors.ts';
import type { RunEvent, RunOrder, RunOutcome } from '#contract/host/run.ts';
import type { Catalogue, NewRun } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { RunLock, RunLocks } from '#services/ports/runProcesses.ts';
import type { Clock, Log, Machine, Timer } from '#services/ports/system.ts';
import { writeWithRetries } from '#services/liveRuns/retryWrites.ts';
import { createEventSaving, partsOf } from '#services/liveRuns/saveEvents.ts';
import { closeRecording } from '#services/runs/recovery.ts';
import { storedDocument } from '#services/runs/storedDocument.ts';
import type { PreparedRun } from './prepareRun.ts';

export interface RunRecordPorts {
  catalogue: Catalogue;
  recordings: Recordings;
  folders: RunFolders;
  locks: RunLocks;
  clock: Clock;
  timer: Timer;
  log: Log;
  machine: Machine;
  version: string;
}

export interface RunRecord {
  readonly runId: string;
  /** Id of the row that `begin` writes; null: the run has none before its end. */
  readonly runIdInCatalogue: string | null;
  readonly files: Pick<RunOrder, 'recordingFile' | 'lockFile'>;
  /** Writes what must be there before the run starts, together with `more`. */
  begin(more: () => void): Promise<void>;
  take(event: RunEvent, columns: Columns): Promise<void>;
  /** Removes what a lost attempt left, and writes what `begin` wrote, together with `more`. */
  beginAgain(more: () => void): Promise<void>;
  finish(
    outcome: RunOutcome,
    measures: Record<string, number | null>,
    more: () => void,
  ): Promise<void>;
  /** Keeps the run as failed, with its log. */
  fail(error: WireError, more: () => void): Promise<void>;
  /** Removes the run: it was stopped. */
  discard(more: () => void): Promise<void>;
}

/** Hashes of whole documents by scenario, from which those of the other runs are stored as differences. */
export type BaseDocuments = Map<string, string>;

export interface RunToRecord {
  runId: string;
  prepared: PreparedRun;
  order: NewRun['order'];
  hasRecording: boolean;
  engine: string;
}

/** The record of one run. Its methods throw what the catalogue and the disk refuse. */
export async function createRunRecord(
  ports: RunRecordPorts,
  bases: BaseDocuments,
  run: RunToRecord,
): Promise<RunRecord> {
  const { catalogue, clock, folders } = ports;
  const { runId, prepared, hasRecording } = run;
  const { compiled } = prepared;
  const document = await storedDocument(ports, compiled);
  let startedMs = clock.nowMs();
  let save = createEventSaving(catalogue, runId, compiled.recipe);
  let hostLock: RunLock | null = null;
  const files = hasRecording ? folders.files(runId) : null;

  const write = (work: () => void): Promise<void> =>
    writeWithRetries(ports, unending, () => catalogue.together(work));
  /** The last write about the run: what it throws leaves no lock. */
  const last = (work: () => void): Promise<void> =>
    write(work).finally(() => {
      hostLock?.release();
      hostLock = null;
    });

  return {
    runId,
    runIdInCatalogue: hasRecording ? runId : null,
    files: { recordingFile: files?.recordingFile ?? null, lockFile: files?.lockFile ?? null },
    async begin(more) {
      startedMs = clock.nowMs();
      if (files !== null) {
        folders.create(runId);
        hostLock = ports.locks.acquire(files.hostLockFile);
      }
      await write(() => {
        if (hasRecording) insert();
        more();
      });
    },
    async take(event, columns) {
      if (!hasRecording) return;
      for (const [index, part] of partsOf(event, columns).entries()) {
        if (index > 0) await ports.timer.pause(0, unending);
        await write(() => save(...part));
      }
    },
    async beginAgain(more) {
      if (!hasRecording) return;
      await write(() => {
        while (!catalogue.removeRun(runId, recordsAtOnce));
        insert();
        more();
      });
      save = createEventSaving(catalogue, runId, compiled.recipe);
    },
    finish: ({ end, metrics }, measures, more) =>
      last(() => {
        if (!hasRecording) insert();
        const endedMs = clock.nowMs();
        catalogue.endRun(runId, { state: 'finished', end, metrics, error: null, endedMs });
        catalogue.addMeasures(runId, measures);
        more();
      }).then(() => {
        if (!bases.has(compiled.scenario.name)) bases.set(compiled.scenario.name, document.hash);
      }),
    async fail({ message }, more) {
      if (hasRecording) await closeRecording(ports, runId);
      await last(() => {
        if (!hasRecording) insert();
        const endedMs = clock.nowMs();
        const ending = { state: 'failed' as const, end: null, metrics: null, error: message };
        catalogue.endRun(runId, { ...ending, endedMs });
        more();
      });
    },
    async discard(more) {
      await last(() => {
        if (hasRecording) while (!catalogue.removeRun(runId, recordsAtOnce));
        more();
      });
      if (hasRecording) folders.discard(runId, []);
    },
  };

  function insert(): void {
    const { scenario } = compiled;
    const baseHash = bases.get(scenario.name) ?? null;
    catalogue.insertRun({
      id: runId,
      name: scenario.name,
      createdMs: startedMs,
      compiled,
      document,
      baseHash,
      version: ports.version,
      hostName: ports.machine.hostName,
      order: run.order,
      engine: run.engine,
      identity: prepared.identity,
    });
  }
}

const unending = new AbortController().signal;

/** Scans and ticks that are removed in one statement. */
const recordsAtOnce = 10_000;
