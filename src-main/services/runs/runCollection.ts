// The collection of runs: finding them, tagging and noting them, and their way into the trash, back, or out
// of the world. Guarantees: a run's files are removed only from the trash, and before its row is.
import { UnderstoryError } from '#contract/errors.ts';
import type { RunListItem, RunQuery } from '#contract/runQueries.ts';
import type { HostEvents } from '#services/events.ts';
import type { Handlers } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { RunLocks } from '#services/ports/runProcesses.ts';
import type { Clock } from '#services/ports/system.ts';

export interface RunCollectionPorts {
  catalogue: Catalogue;
  folders: RunFolders;
  locks: RunLocks;
  clock: Clock;
  events: HostEvents;
}

/** More than anybody deletes before emptying; what is left over goes the next time. */
const wholeTrash: RunQuery = {
  trash: 'only',
  sortBy: 'created',
  isDescending: false,
  limit: 100_000,
  offset: 0,
};

type CollectionHandlers = Pick<
  Handlers<'runs'>,
  | 'runs.list'
  | 'runs.facets'
  | 'runs.note'
  | 'runs.tag'
  | 'runs.delete'
  | 'runs.restore'
  | 'runs.empty'
>;

/** The handlers of `runs.*` about the collection (contract/runQueries.ts). */
export function runCollectionHandlers({
  catalogue,
  folders,
  locks,
  clock,
  events,
}: RunCollectionPorts): CollectionHandlers {
  return {
    'runs.list': (query) => {
      const { rows, total } = catalogue.findRuns(query);
      return { reply: { runs: rows.map(listItem), total } };
    },

    'runs.facets': () => ({ reply: catalogue.runFacets() }),

    'runs.note': ({ runId, notes }) => {
      const run = runOf(catalogue, runId);
      catalogue.setNotes(run.id, notes);
      changed(run);
      return { reply: { runId: run.id } };
    },

    'runs.tag': ({ runIds, add, remove }) => {
      const reply = runIds.map((runId) => {
        const run = runOf(catalogue, runId);
        const tags = catalogue.changeTags(run.id, add, remove);
        changed(run);
        return { runId: run.id, tags };
      });
      return { reply };
    },

    'runs.delete': ({ runId }) => {
      const run = runOf(catalogue, runId);
      const { lockFile, hostLockFile } = folders.files(run.id);
      if (run.state === 'running' || locks.isHeld(lockFile) || locks.isHeld(hostLockFile)) {
        throw new UnderstoryError('locked', `run ${run.id} is under way: stop it first`);
      }
      folders.moveToTrash(run.id);
      catalogue.trash(run.id, clock.nowMs());
      changed(run);
      return { reply: { runId: run.id } };
    },

    'runs.restore': ({ runId }) => {
      const run = trashed(runId);
      folders.restoreFromTrash(run.id);
      catalogue.restore(run.id);
      changed(run);
      return { reply: { runId: run.id } };
    },

    'runs.empty': ({ runIds }, context) => {
      const runs = runIds === undefined ? catalogue.findRuns(wholeTrash).rows : runIds.map(trashed);
      let bytes = 0;
      for (const [done, run] of runs.entries()) {
        context.signal.throwIfAborted();
        bytes += folders.removeFromTrash(run.id);
        catalogue.removeRun(run.id);
        changed(run);
        context.progress({ phase: 'emptying the trash', done: done + 1, total: runs.length });
      }
      return { reply: { removed: runs.length, bytes } };
    },
  };

  function changed({ id, state }: RunRow): void {
    events.emit({ name: 'runs.changed', body: { runId: id, state } });
  }

  /** @throws 'bad-input' where the run is not in the trash */
  function trashed(runId: string): RunRow {
    const run = runOf(catalogue, runId);
    if (run.deletedMs !== null) return run;
    const message = 'expected a run in the trash, found one that is not';
    throw new UnderstoryError('bad-input', `run ${run.id} is not in the trash`, {
      problems: [{ path: 'runId', code: 'custom', message }],
    });
  }
}

/** The run of an id or of a prefix that only one run has. @throws 'not-found' */
export function runOf(catalogue: Catalogue, idOrPrefix: string): RunRow {
  const run = catalogue.run(idOrPrefix);
  if (run === null) {
    throw new UnderstoryError('not-found', `there is no run '${idOrPrefix}', or more than one`);
  }
  return run;
}

/** What a list says of a run. */
export function listItem(run: RunRow): RunListItem {
  const { id, name, state, createdMs, endedMs, scenarioName, seed, sensors, end, figures, error } =
    run;
  const { tags, notes, deletedMs } = run;
  return {
    ...{ id, name, state, createdMs, endedMs, scenarioName, seed, sensors, end, figures, error },
    ...{ tags, notes, deletedMs },
  };
}
