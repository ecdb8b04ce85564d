// Recovery of runs that died: their recordings are closed properly, with every complete chunk
// kept, and their rows marked and brought into agreement with them. A run whose locks are held is alive,
// by any process. Guarantees: a run that another host left behind is marked while this host runs, however long its
// process took to end.
import { isCancelled, toWire } from '#contract/errors.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { RunLocks } from '#services/ports/runProcesses.ts';
import type { HostEvents } from '#services/events.ts';
import type { Clock, Log, Timer } from '#services/ports/system.ts';
import { reconcile } from './reconcile.ts';

export interface RecoveryPorts {
  catalogue: Catalogue;
  recordings: Recordings;
  locks: RunLocks;
  folders: RunFolders;
  clock: Clock;
  log: Log;
}

export interface RecoveryWatch {
  /** The ids of the runs that were found dead at the start, once they are marked. */
  readonly first: Promise<string[]>;
  /** Resolves when nothing is recovered any more. */
  end(): Promise<void>;
}

/** Between two looks at the locks of runs that another host started. */
const intervalS = 2;

/**
 * Recovers the runs that died before this host started, and from then on those of other hosts.
 * Why again and again: a run process may close its recording for long after its host has died.
 */
export function watchDeadRuns(
  ports: RecoveryPorts & { timer: Timer; events: HostEvents },
): RecoveryWatch {
  const ended = new AbortController();
  const first = pass();
  const all = watch();
  return {
    first,
    async end() {
      ended.abort();
      await all;
    },
  };

  async function watch(): Promise<void> {
    await first;
    for (;;) {
      await ports.timer.pause(intervalS, ended.signal);
      if (ended.signal.aborted) return;
      await pass();
    }
  }

  async function pass(): Promise<string[]> {
    try {
      const runIds = await recoverRuns(ports);
      for (const runId of runIds) {
        ports.events.emit({ name: 'runs.changed', body: { runId, state: 'interrupted' } });
      }
      return runIds;
    } catch (error) {
      const { code, message } = toWire(error);
      if (code !== 'cancelled') ports.log.warn(`dead runs could not be recovered: ${message}`);
      return [];
    }
  }
}

/** One pass over the runs that are catalogued as running. Returns the ids of the runs that were found dead. */
export async function recoverRuns(ports: RecoveryPorts): Promise<string[]> {
  const { catalogue, folders, locks } = ports;
  if (catalogue.isReadOnly) return [];
  const dead = catalogue.runs({ state: 'running', withTrash: true }).filter(({ id }) => {
    const { lockFile, hostLockFile } = folders.files(id);
    return !locks.isHeld(hostLockFile) && !locks.isHeld(lockFile);
  });
  for (const { id } of dead) {
    await closeInterrupted(ports, id, 'Interrupted: the host stopped');
  }
  return dead.map(({ id }) => id);
}

/** Says what to do where the catalogue is new and the data folder is not: it was lost, or moved away. */
export function warnOfLostCatalogue({
  catalogue,
  folders,
  log,
}: Pick<RecoveryPorts, 'catalogue' | 'folders' | 'log'>): void {
  if (catalogue.runs({ withTrash: true, limit: 1 }).length > 0) return;
  const runs = folders.list().length;
  if (runs === 0) return;
  log.warn(
    `the catalogue is empty, but there are ${runs} run folders: 'understory runs adopt' reads them`,
  );
}

/**
 * Closes what a dead run process left of a recording and marks the run as interrupted.
 * @throws 'cancelled' where the host ends first; the run is then found at the next start
 */
export async function closeInterrupted(
  ports: Omit<RecoveryPorts, 'locks'>,
  runId: string,
  reason: string,
): Promise<void> {
  const { catalogue, folders, clock } = ports;
  const saved = (await closeRecording(ports, runId)) ?? 'Nothing was saved.';
  folders.removeLeftovers(runId, true);
  catalogue.markInterrupted(runId, `${reason}. ${saved}`, clock.nowMs());
}

/**
 * Closes a recording that lacks its end, and brings the catalogue into agreement with it.
 * @returns how much was saved, as a sentence, or why it could not be closed; null: there is no recording
 * @throws 'cancelled' as closeInterrupted
 */
export async function closeRecording(
  ports: Pick<RecoveryPorts, 'catalogue' | 'recordings' | 'folders' | 'log'>,
  runId: string,
): Promise<string | null> {
  const { catalogue, recordings, folders, log } = ports;
  if (folders.recordingBytes(runId) === null) return null;
  try {
    const file = folders.recordingFile(runId);
    await recordings.recover(file);
    const recorded = await recordings.openMetadata(file);
    try {
      const { scans, simSeconds } = await reconcile(catalogue, runId, recorded);
      const noun = scans === 1 ? 'scan' : 'scans';
      return `${scans} ${noun} (${simSeconds.toFixed(1)} s) were saved.`;
    } finally {
      await recorded.close();
    }
  } catch (error) {
    if (isCancelled(error)) throw error;
    log.warn('a recording could not be closed', { runId, error: toWire(error) });
    return `The recording could not be closed: ${toWire(error).message}`;
  }
}
