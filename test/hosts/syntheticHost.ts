// A small working host in memory: it answers the methods that the first page uses, with a drive through a
// yard that is made up from a formula. For tests of front ends, not of the simulation.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { UnderstoryError } from '#contract/errors.ts';
import { requests } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { createEvents, type HostEvents } from '#services/events.ts';
import type { Handlers } from '#services/handlers.ts';
import { detailsOf, distanceAt, metricsOf, tickS, viewOf } from './syntheticDrive.ts';

export interface SyntheticHost {
  handlers: Handlers;
  events: HostEvents;
  /** Chunks that drive.watch handed to its caller so far. */
  readonly chunksSent: number;
}

export interface SyntheticOptions {
  /** Between two ticks of a drive. */
  tickMs?: number;
  /** Points of each view. */
  points?: number;
  /** A drive lasts until it is stopped, or its own seconds are over; at the goal the vehicle stands. */
  isEndless?: boolean;
}

interface SyntheticRun {
  details: RunDetails;
  isStopped: boolean;
  isPaused: boolean;
  /** Count of changed pace requests. */
  changes: number;
  tick: number;
  done: Promise<void>;
}

export function createSyntheticHost(options: SyntheticOptions = {}): SyntheticHost {
  const { tickMs = 20, points = 4000, isEndless = false } = options;
  const events = createEvents((error) => {
    throw error;
  });
  const runs = new Map<string, SyntheticRun>();
  let chunksSent = 0;

  const answers: Partial<Handlers> = {
    'host.info': () => ({
      reply: { version: '0', dataFolder: 'memory', cores: 1, availableMemoryBytes: 1e9 },
    }),
    'scenario.list': () => ({
      reply: [{ id: 'yard', name: 'A made-up yard', description: 'Five trees.', file: 'yard' }],
    }),
    'sensor.list': () => ({
      reply: [{ id: 'one', name: 'The one', file: 'one', summary: null }],
    }),
    'plant.list': () => ({ reply: [] }),
    'learn.models': () => ({ reply: { folder: '/data/models', models: [] } }),
    'log.list': () => ({ reply: { folder: '/data/logs', logs: [] } }),
    'drive.start': ({ scenario, seed = 1, seconds = isEndless ? Infinity : 60 }) => {
      if (scenario !== 'yard') {
        throw new UnderstoryError('bad-input', 'the drive was refused', {
          problems: [{ path: 'scenario', code: 'unknown', message: `no yard '${scenario}'` }],
        });
      }
      return { reply: { runId: start(seed, seconds) } };
    },
    'drive.stop': ({ runId }) => {
      const run = find(runId);
      run.isStopped = true;
      return { reply: { stopped: run.details.state === 'running' } };
    },
    'drive.control': ({ runId, isPaused, steps = 0 }) => {
      const run = find(runId);
      run.isPaused = steps > 0 || (isPaused ?? run.isPaused);
      run.tick += steps;
      run.changes += 1;
      return { reply: { taken: run.details.state === 'running' } };
    },
    'drive.together': () => ({ reply: { inStep: [] } }),
    'drive.watch': async ({ runId, maxPoints }, { signal, chunk }) => {
      const run = find(runId);
      let changes = 0;
      for (let seen = -1; run.details.state === 'running' && !signal.aborted;) {
        if (run.tick > seen || run.changes > changes) {
          seen = run.tick;
          changes = run.changes;
          const { view, columns } = viewOf(seen, Math.min(points, maxPoints));
          chunksSent += 1;
          await chunk({ ...view, isPaused: run.isPaused }, columns);
        } else {
          await pause(1);
        }
      }
      const { state, end, metrics, error } = run.details;
      return { reply: { state, end, metrics, error, errorCode: null } };
    },
    'runs.list': ({ limit }) => ({
      reply: {
        runs: [...runs.values()]
          .map(({ details }): RunListItem => details)
          .reverse()
          .slice(0, limit),
        total: runs.size,
      },
    }),
    'runs.facets': () => {
      const states = [...Map.groupBy(runs.values(), ({ details }) => details.state)];
      const counted = states.map(([value, all]) => ({ value, runs: all.length }));
      return { reply: { scenarios: [], states: counted, sensors: [], tags: [], trashed: 0 } };
    },
    'runs.show': ({ runId }) => ({ reply: find(runId).details }),
  };
  return {
    handlers: { ...refusals(), ...answers },
    events,
    get chunksSent() {
      return chunksSent;
    },
  };

  function find(runId: string): SyntheticRun {
    const run = runs.get(runId);
    if (run === undefined) throw new UnderstoryError('not-found', `there is no run '${runId}'`);
    return run;
  }

  function start(seed: number, seconds: number): string {
    const id = randomUUID();
    const run: SyntheticRun = {
      details: detailsOf(id, seed),
      isStopped: false,
      isPaused: false,
      changes: 0,
      tick: 0,
      done: Promise.resolve(),
    };
    runs.set(id, run);
    run.done = drive(run, seconds);
    events.emit({ name: 'runs.changed', body: { runId: id, state: 'running' } });
    return id;
  }

  async function drive(run: SyntheticRun, seconds: number): Promise<void> {
    const isDriving = (): boolean =>
      run.tick * tickS < seconds && (isEndless || distanceAt(run.tick) > 0.5);
    while (!run.isStopped && isDriving()) {
      await pause(tickMs);
      if (!run.isPaused) run.tick += 1;
    }
    const isAtGoal = distanceAt(run.tick) <= 0.5;
    Object.assign(run.details, {
      state: run.isStopped ? 'cancelled' : 'finished',
      end: run.isStopped ? 'cancelled' : isAtGoal ? 'goal' : 'seconds',
      endedMs: Date.now(),
      metrics: metricsOf(run.tick, isAtGoal),
    } satisfies Partial<RunDetails>);
    events.emit({
      name: 'runs.changed',
      body: { runId: run.details.id, state: run.details.state },
    });
  }
}

/** Handlers of all methods. */
function refusals(): Handlers {
  const refusal = (method: string) => () =>
    Promise.reject(new UnderstoryError('unsupported', `${method} is not made up here`));
  const all = Object.keys(requests).map((method) => [method, refusal(method)]);
  return Object.fromEntries(all) as Handlers;
}
