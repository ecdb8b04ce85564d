// A small working host in memory: it answers the methods that the first page uses, with a drive through a
// yard that is made up from a formula. For tests of front ends, not of the simulation.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { UnderstoryError } from '#contract/errors.ts';
import type { Method } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { createEvents, type HostEvents } from '#services/events.ts';
import { mergeHandlers, type Handlers } from '#services/handlers.ts';
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
  /** Drives until it is stopped; at the goal it stops. */
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

  const handlers = mergeHandlers({
    host: {
      'host.info': () => ({
        reply: { version: '0', dataFolder: 'memory', cores: 1, availableMemoryBytes: 1e9 },
      }),
    },
    scenario: {
      'scenario.list': () => ({
        reply: [{ id: 'yard', name: 'A made-up yard', description: 'Five trees.', file: 'yard' }],
      }),
      'scenario.check': refuse('scenario.check'),
      'scenario.plan': refuse('scenario.plan'),
      'scenario.poses': refuse('scenario.poses'),
      'scenario.import': refuse('scenario.import'),
      'scenario.addModel': refuse('scenario.addModel'),
    },
    sensor: {
      'sensor.list': () => ({
        reply: [{ id: 'one', name: 'The one', file: 'one', summary: null }],
      }),
      'sensor.check': refuse('sensor.check'),
      'sensor.show': refuse('sensor.show'),
    },
    plant: { 'plant.list': () => ({ reply: [] }) },
    scene: {
      'scene.open': refuse('scene.open'),
      'scene.scan': refuse('scene.scan'),
      'scene.heightAt': refuse('scene.heightAt'),
      'scene.pulse': refuse('scene.pulse'),
    },
    document: {
      'document.read': refuse('document.read'),
      'document.edit': refuse('document.edit'),
      'document.save': refuse('document.save'),
      'document.upgrade': refuse('document.upgrade'),
      'document.mesh': refuse('document.mesh'),
      'document.reference': refuse('document.reference'),
    },
    scan: { 'scan.start': refuse('scan.start'), 'scan.join': refuse('scan.join') },
    campaign: {
      'campaign.list': refuse('campaign.list'),
      'campaign.check': refuse('campaign.check'),
      'campaign.plan': refuse('campaign.plan'),
      'campaign.results': refuse('campaign.results'),
      'campaign.table': refuse('campaign.table'),
      'campaign.group': refuse('campaign.group'),
      'campaign.plot': refuse('campaign.plot'),
      'campaign.run': refuse('campaign.run'),
      'campaign.status': refuse('campaign.status'),
      'campaign.watch': refuse('campaign.watch'),
      'campaign.stop': refuse('campaign.stop'),
      'campaign.retry': refuse('campaign.retry'),
    },
    learn: {
      'learn.start': refuse('learn.start'),
      'learn.evaluate': refuse('learn.evaluate'),
      'learn.models': () => ({ reply: { folder: '/data/models', models: [] } }),
      'learn.elements': refuse('learn.elements'),
      'learn.sample': refuse('learn.sample'),
      'learn.place': refuse('learn.place'),
    },
    render: { 'render.start': refuse('render.start'), 'render.depth': refuse('render.depth') },
    log: {
      'log.import': refuse('log.import'),
      'log.show': refuse('log.show'),
      'log.export': refuse('log.export'),
      'log.compare': refuse('log.compare'),
      'log.list': () => ({ reply: { folder: '/data/logs', logs: [] } }),
      'log.cloud': refuse('log.cloud'),
    },
    drive: {
      'drive.start': ({ scenario, seed = 1, seconds = 60 }) => {
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
      'drive.command': refuse('drive.command'),
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
    },
    runs: {
      'runs.list': ({ limit }) => ({
        reply: {
          runs: [...runs.values()]
            .map(({ details }): RunListItem => details)
            .reverse()
            .slice(0, limit),
          total: runs.size,
        },
      }),
      'runs.facets': () => ({
        reply: { scenarios: [], states: [], sensors: [], tags: [], trashed: 0 },
      }),
      'runs.note': refuse('runs.note'),
      'runs.tag': refuse('runs.tag'),
      'runs.restore': refuse('runs.restore'),
      'runs.empty': refuse('runs.empty'),
      'runs.ticks': refuse('runs.ticks'),
      'runs.costs': refuse('runs.costs'),
      'runs.scenario': refuse('runs.scenario'),
      'runs.at': refuse('runs.at'),
      'runs.past': refuse('runs.past'),
      'runs.replay': refuse('runs.replay'),
      'runs.show': ({ runId }) => ({ reply: find(runId).details }),
      'runs.scans': refuse('runs.scans'),
      'runs.export': refuse('runs.export'),
      'runs.clouds': refuse('runs.clouds'),
      'runs.log': refuse('runs.log'),
      'runs.poses': refuse('runs.poses'),
      'runs.verify': refuse('runs.verify'),
      'runs.adopt': refuse('runs.adopt'),
      'runs.pack': refuse('runs.pack'),
      'runs.receive': refuse('runs.receive'),
      'runs.unpack': refuse('runs.unpack'),
      'runs.delete': refuse('runs.delete'),
    },
    data: { 'data.check': refuse('data.check') },
    validate: { 'validate.run': refuse('validate.run') },
    bench: {
      'bench.scan': refuse('bench.scan'),
      'bench.nav': refuse('bench.nav'),
      'bench.scaling': refuse('bench.scaling'),
      'bench.memory': refuse('bench.memory'),
    },
  });
  return {
    handlers,
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
      isEndless || (run.tick * tickS < seconds && distanceAt(run.tick) > 0.5);
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

function refuse(method: Method): () => Promise<never> {
  return () => Promise.reject(new UnderstoryError('unsupported', `${method} is not made up here`));
}
