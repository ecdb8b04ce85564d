// A run under way, as the host sees it: events go to the catalogue, views to watchers, and the row
// ends however the run ends. Guarantees: the row never stays 'running' once `done` has resolved, and
// a watcher that is slow gets the newest view, never a queue.
import type { Columns } from '#contract/columns.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import { toWire, type WireError } from '#contract/errors.ts';
import type {
  RunControl,
  RunEnding,
  RunOrder,
  RunOutcome,
  RunState,
  RunView,
} from '#contract/host/run.ts';
import type { Isa, Progress } from '#contract/worker/worker.ts';
import { identityOfRun } from '#services/runs/identity.ts';
import type { HostEvents } from '#services/events.ts';
import type { SynchronisedRun } from './synchronisedRuns.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { RunLock, RunLocks, RunProcess } from '#services/ports/runProcesses.ts';
import type { Clock, Log, Timer } from '#services/ports/system.ts';
import { writeWithRetries } from './retryWrites.ts';
import { createEventSaving, partsOf } from './saveEvents.ts';
import { closeInterrupted, closeRecording } from '#services/runs/recovery.ts';

export interface Watcher {
  onView(view: RunView, columns: Columns): void;
  onProgress(progress: Progress): void;
}

export interface LiveRun extends SynchronisedRun {
  readonly vehicle: Vehicle;
  /** Never rejects: a failure is an ending too. */
  readonly done: Promise<RunEnding>;
  stop(): void;
  /** Returns the function that ends the watching. The latest view, or how far the building is, comes at
   *  once. */
  watch(watcher: Watcher): () => void;
}

/** A process that a run has for its time. */
export interface LentProcess extends RunProcess {
  /** The run has ended well: others may have the process. */
  release(): Promise<void>;
}

export interface LiveRunPorts {
  processes: { start(): Promise<LentProcess> };
  catalogue: Catalogue;
  recordings: Recordings;
  locks: RunLocks;
  folders: RunFolders;
  clock: Clock;
  timer: Timer;
  events: HostEvents;
  log: Log;
}

/** Starts executing an order whose row is in the catalogue already. */
export function startLiveRun(
  ports: LiveRunPorts,
  runId: string,
  order: RunOrder,
  heights: Float32Array,
  hostLock: RunLock,
): LiveRun {
  const { catalogue, clock, events, log } = ports;
  const controller = new AbortController();
  const watchers = new Set<Watcher>();
  let latest: { view: RunView; columns: Columns } | null = null;
  let latestProgress: Progress | null = null;
  let running: RunProcess | null = null;
  const saveEvent = createEventSaving(catalogue, runId, order.compiled.recipe);
  const identify = identifying(catalogue, runId, order, save);
  const heldBack: RunControl[] = [];
  const tickListeners = new Set<() => void>();
  let reachedNs = 0;
  events.emit({ name: 'runs.changed', body: { runId, state: 'running' } });
  return {
    runId,
    vehicle: order.compiled.scenario.vehicle,
    tickNs: order.compiled.scenario.navigation.tickMs * 1e6,
    get reachedNs() {
      return reachedNs;
    },
    done: run(),
    stop: () => controller.abort(),
    control,
    watch,
    onTick(listener) {
      tickListeners.add(listener);
      return () => void tickListeners.delete(listener);
    },
  };

  /** Held back until the process is there. */
  function control(next: RunControl): void {
    if (running === null) heldBack.push(next);
    else running.control(next);
  }

  function watch(watcher: Watcher): () => void {
    watchers.add(watcher);
    if (latest !== null) watcher.onView(latest.view, latest.columns);
    else if (latestProgress !== null) watcher.onProgress(latestProgress);
    return () => void watchers.delete(watcher);
  }

  async function run(): Promise<RunEnding> {
    let ending: RunEnding;
    try {
      ending = endingOf(await execute());
      await saveEnd(ending);
    } catch (error) {
      ending = await endAfter(toWire(error));
    } finally {
      hostLock.release();
    }
    events.emit({ name: 'runs.changed', body: { runId, state: ending.state } });
    return ending;
  }

  function saveEnd({ state, end, metrics, error }: RunEnding): Promise<void> {
    return save(() =>
      catalogue.endRun(runId, { state, end, metrics, error, endedMs: clock.nowMs() }),
    );
  }

  function save(write: () => void): Promise<void> {
    return writeWithRetries(ports, controller.signal, write);
  }

  async function execute(): Promise<RunOutcome> {
    const process = await ports.processes.start();
    let isReusable = false;
    try {
      const outcome = process.execute(order, heights, {
        signal: controller.signal,
        onProgress: (progress) => {
          latestProgress = progress;
          for (const watcher of watchers) watcher.onProgress(progress);
        },
        onRunEvent: async (event, columns) => {
          for (const [index, part] of partsOf(event, columns).entries()) {
            if (index > 0) await ports.timer.pause(0, unending);
            await save(() => saveEvent(...part));
          }
          if (event.kind === 'scene') await identify(event);
          if (event.kind !== 'tick') return;
          reachedNs = event.tick.timeNs;
          for (const listener of tickListeners) listener();
        },
        onView: (view, columns) => {
          latest = { view, columns: { ...latest?.columns, ...columns } };
          for (const watcher of watchers) watcher.onView(view, columns);
        },
      });
      running = process;
      for (const control of heldBack.splice(0)) process.control(control);
      const ended = await outcome;
      isReusable = true;
      return ended;
    } finally {
      running = null;
      await (isReusable ? process.release() : process.dispose());
    }
  }

  async function endAfter(error: WireError): Promise<RunEnding> {
    const ending = endingAfter(error);
    try {
      log.warn('a run did not end well', { runId, code: error.code, message: error.message });
      if (ending.state === 'interrupted') {
        await closeInterrupted(ports, runId, error.message);
      } else {
        // The disk may have refused the end of the recording.
        if (await lacksEnd(ports, runId)) await closeRecording(ports, runId);
        await saveEnd(ending);
      }
    } catch (second) {
      // Why: the catalogue itself may be what failed; the next start-up then marks the run.
      log.error('the end of a run could not be catalogued', { runId, error: toWire(second) });
    }
    return ending;
  }
}

const unending = new AbortController().signal;

/** Saves the identity of a run once its engine is known, so that campaigns can share it. */
function identifying(
  catalogue: Catalogue,
  runId: string,
  order: RunOrder,
  save: (write: () => void) => Promise<void>,
): (event: { engine: string; isa: Isa }) => Promise<void> {
  return async ({ engine, isa }) => {
    const identity = await identityOfRun({ ...order, engine, isa });
    if (identity !== null) await save(() => catalogue.setRunIdentity(runId, identity));
  };
}

function endingOf(outcome: RunOutcome): RunEnding {
  const { end, metrics } = outcome;
  const state =
    end === 'cancelled' ? 'cancelled' : end === 'host-lost' ? 'interrupted' : 'finished';
  return { state, end, metrics, error: null, errorCode: null };
}

function endingAfter(error: WireError): RunEnding {
  const isCancelled = error.code === 'cancelled';
  return {
    state: stateAfter(error),
    end: isCancelled ? 'cancelled' : null,
    metrics: null,
    error: isCancelled ? null : error.message,
    errorCode: isCancelled ? null : error.code,
  };
}

/** Whether there is a recording without its end. */
async function lacksEnd({ folders, recordings }: LiveRunPorts, runId: string): Promise<boolean> {
  if (folders.recordingBytes(runId) === null) return false;
  try {
    const recording = await recordings.open(folders.recordingFile(runId));
    await recording.close();
    return !recording.isComplete;
  } catch {
    return true; // closeRecording reports what is wrong with it
  }
}

function stateAfter(error: WireError): RunState {
  if (error.code === 'cancelled') return 'cancelled';
  return error.code === 'run-lost' ? 'interrupted' : 'failed';
}
