// The collection of runs: finding them, tagging and noting them, and their moves into the trash, back, or out
// of the world. Guarantees: a run's files are removed only from the trash, and before its row is.
import { badInput, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Campaign } from '#contract/documents/campaign.ts';
import type { Expression } from '#contract/host/expression.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { RunListItem, RunQuery } from '#contract/host/runQueries.ts';
import { parseRunCondition } from '#domain/campaign/runCondition.ts';
import type { HostEvents } from '#services/events.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { RunLocks } from '#services/ports/runProcesses.ts';
import type { Clock, Timer } from '#services/ports/system.ts';

export interface RunCollectionPorts {
  catalogue: Catalogue;
  folders: RunFolders;
  locks: RunLocks;
  clock: Clock;
  timer: Timer;
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

/** Runs that are handled before others get their turn. */
const runsAtOnce = 20;
/** Scans or ticks of a run that are deleted at a time. */
const recordsAtOnce = 1000;

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

/** @throws 'bad-input' at `where`, with the column of the problem */
function conditionOf(catalogue: Catalogue, text: string): Expression {
  const names = new Map<string, 'number' | 'text'>();
  for (const { key, document } of catalogue.campaigns()) {
    const { measures = {} } = JSON.parse(document) as Partial<Campaign>;
    for (const measure of Object.keys(measures)) names.set(measure, 'number');
    for (const { name, kind } of catalogue.axes(key)) names.set(name, kind);
  }
  const { value, problem } = parseRunCondition(text, names);
  if (value !== null) return value;
  const title = `the condition '${text}' was refused`;
  throw badInput('where', problem, { code: 'expression', title });
}

/** The handlers of `runs.*` about the collection (contract/host/runQueries.ts). */
export function runCollectionHandlers({
  catalogue,
  folders,
  locks,
  clock,
  timer,
  events,
}: RunCollectionPorts): CollectionHandlers {
  return {
    'runs.list': (query) => {
      const { where } = query;
      const condition = where === undefined ? undefined : conditionOf(catalogue, where);
      const { rows, total } = catalogue.findRuns(query, condition);
      return { reply: { runs: rows.map(listItem), total } };
    },

    'runs.facets': () => ({ reply: catalogue.runFacets() }),

    'runs.note': ({ runId, notes }) => {
      const run = runOf(catalogue, runId);
      catalogue.setNotes(run.id, notes);
      changed(run);
      return { reply: { runId: run.id } };
    },

    'runs.tag': async ({ runIds, add, remove }, context) => {
      const runs = runIds.map((runId) => runOf(catalogue, runId));
      const reply: Replies['runs.tag'] = [];
      await forEachRun(runs, 'tagging', context, ({ id }) => {
        reply.push({ runId: id, tags: catalogue.changeTags(id, add, remove) });
      });
      return { reply };
    },

    'runs.delete': async ({ runIds }, context) => {
      const runs = runIds.map(endedRun);
      await forEachRun(runs, 'to the trash', context, (run) => {
        folders.moveToTrash(run.id);
        catalogue.trash(run.id, clock.nowMs());
      });
      return { reply: { runIds: runs.map(({ id }) => id) } };
    },

    'runs.restore': async ({ runIds }, context) => {
      const runs = runIds.map(trashed);
      await forEachRun(runs, 'out of the trash', context, (run) => {
        folders.restoreFromTrash(run.id);
        catalogue.restore(run.id);
      });
      return { reply: { runIds: runs.map(({ id }) => id) } };
    },

    'runs.empty': async ({ runIds }, context) => {
      const runs = runIds === undefined ? catalogue.findRuns(wholeTrash).rows : runIds.map(trashed);
      let bytes = 0;
      await forEachRun(runs, 'emptying the trash', context, async (run) => {
        bytes += folders.removeFromTrash(run.id);
        while (!catalogue.removeRun(run.id, recordsAtOnce)) {
          await timer.pause(0, context.signal);
          throwIfCancelled(context.signal);
        }
      });
      if (runIds === undefined) await sweepRunFolders(context);
      return { reply: { removed: runs.length, bytes } };
    },
  };

  /** Removes what killed processes left in run folders, and folders of runs that never began. */
  async function sweepRunFolders(context: HandlerContext): Promise<void> {
    for (const [index, runId] of folders.list().entries()) {
      throwIfCancelled(context.signal);
      const { lockFile, hostLockFile } = folders.files(runId);
      const run = catalogue.run(runId);
      if (run?.state !== 'running' && !locks.isHeld(lockFile) && !locks.isHeld(hostLockFile)) {
        folders.removeLeftovers(runId, run?.id === runId);
      }
      if ((index + 1) % runsAtOnce === 0) await timer.pause(0, context.signal);
    }
  }

  /** One after another, with pauses in which the host answers others. */
  async function forEachRun(
    runs: readonly RunRow[],
    phase: string,
    { signal, progress }: HandlerContext,
    work: (run: RunRow) => void | Promise<void>,
  ): Promise<void> {
    for (const [index, run] of runs.entries()) {
      throwIfCancelled(signal);
      await work(run);
      changed(run);
      if ((index + 1) % runsAtOnce !== 0) continue;
      progress({ phase, done: index + 1, total: runs.length });
      await timer.pause(0, signal);
    }
  }

  function changed({ id, state }: RunRow): void {
    events.emit({ name: 'runs.changed', body: { runId: id, state } });
  }

  /** @throws 'locked' where the run is under way */
  function endedRun(runId: string): RunRow {
    const run = runOf(catalogue, runId);
    const { lockFile, hostLockFile } = folders.files(run.id);
    if (run.state === 'running' || locks.isHeld(lockFile) || locks.isHeld(hostLockFile)) {
      throw new UnderstoryError('locked', `run ${run.id} is under way: stop it first`);
    }
    return run;
  }

  /** @throws 'bad-input' where the run is not in the trash */
  function trashed(runId: string): RunRow {
    const run = runOf(catalogue, runId);
    if (run.deletedMs !== null) return run;
    const message = 'expected a run in the trash, found one that is not';
    throw badInput('runId', message, { title: `run ${run.id} is not in the trash` });
  }
}

/** The run of an id or of a prefix that only one run has. @throws 'not-found' */
export function runOf(catalogue: Pick<Catalogue, 'run'>, idOrPrefix: string): RunRow {
  const run = catalogue.run(idOrPrefix);
  if (run === null) {
    throw new UnderstoryError('not-found', `there is no run '${idOrPrefix}', or more than one`);
  }
  return run;
}

/** A run as a list shows it. */
export function listItem(run: RunRow): RunListItem {
  const { id, name, state, createdMs, endedMs, scenarioName, seed, sensors, end, metrics, error } =
    run;
  const { tags, notes, deletedMs, simSeconds, points } = run;
  return {
    id,
    name,
    state,
    createdMs,
    endedMs,
    scenarioName,
    seed,
    sensors,
    end,
    metrics,
    error,
    tags,
    notes,
    deletedMs,
    simSeconds,
    points,
  };
}
