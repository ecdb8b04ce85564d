// A small working host in memory: it answers the methods that the first page uses, with a drive through a
// yard that is made up from a formula. For tests of front ends, not of the simulation.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Method } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import type { RunMetrics, RunView, TickRecord } from '#contract/host/run.ts';
import { createEvents, type HostEvents } from '#services/events.ts';
import { mergeHandlers, type Handlers } from '#services/handlers.ts';

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

const startM = [-12, -12] as const;
const goalM = [12, 12] as const;
const speedMPerS = 2;
const tickS = 0.1;
const treesM = [
  [-4, -6],
  [0, 1],
  [7, 3],
  [-6, 5],
  [4, -8],
] as const;
const map = { cells: 80, cellM: 0.5, originM: [-20, -20] as [number, number] };

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
    learn: { 'learn.start': refuse('learn.start'), 'learn.evaluate': refuse('learn.evaluate') },
    render: { 'render.start': refuse('render.start'), 'render.depth': refuse('render.depth') },
    log: {
      'log.import': refuse('log.import'),
      'log.show': refuse('log.show'),
      'log.export': refuse('log.export'),
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

/** The made-up path: straight from start to goal, with a bow to the left of the middle tree. */
function positionAt(tick: number): { xM: number; yM: number; yawRad: number } {
  const lengthM = Math.hypot(goalM[0] - startM[0], goalM[1] - startM[1]);
  const share = Math.min((tick * tickS * speedMPerS) / lengthM, 1);
  const bowM = 3 * Math.sin(Math.PI * share);
  return {
    xM: startM[0] + share * (goalM[0] - startM[0]) - bowM * Math.SQRT1_2,
    yM: startM[1] + share * (goalM[1] - startM[1]) + bowM * Math.SQRT1_2,
    yawRad: Math.PI / 4 + (3 * Math.PI * Math.cos(Math.PI * share)) / lengthM,
  };
}

function distanceAt(tick: number): number {
  const { xM, yM } = positionAt(tick);
  return Math.hypot(goalM[0] - xM, goalM[1] - yM);
}

function viewOf(tick: number, points: number): { view: RunView; columns: Columns } {
  const { xM, yM, yawRad } = positionAt(tick);
  const pose = {
    positionM: [xM, yM, 0] as [number, number, number],
    rotation: [0, 0, Math.sin(yawRad / 2), Math.cos(yawRad / 2)] as [
      number,
      number,
      number,
      number,
    ],
  };
  const record: TickRecord = {
    tick,
    timeNs: tick * tickS * 1e9,
    truth: pose,
    estimate: pose,
    speedMPerS,
    distanceToGoalM: distanceAt(tick),
    collisions: 0,
    activity: 'driving',
  };
  const view: RunView = {
    tick: record,
    map,
    wallSeconds: tick * tickS * 0.8,
    points: tick * points,
    control: 'autonomy',
    isPaused: false,
    speed: null,
    realTimeFactor: 1.25,
    pointsPerSimS: points / tickS,
  };
  const path = Array.from({ length: 40 }, (_, ahead) => positionAt(tick + 3 * ahead));
  return {
    view,
    columns: {
      ...cloudAround(tick, points),
      ...(tick % 5 === 0 && { cost: costMap() }),
      path_x_m: Float32Array.from(path, (at) => at.xM),
      path_y_m: Float32Array.from(path, (at) => at.yM),
    },
  };
}

/** Half of the points on the ground, half on the trees; low-discrepancy, so that they spread evenly. */
function cloudAround(tick: number, points: number): Columns {
  const x = new Float32Array(points);
  const y = new Float32Array(points);
  const z = new Float32Array(points);
  const intensity = new Float32Array(points);
  const classId = new Uint16Array(points);
  for (let row = 0; row < points; row += 1) {
    const number = tick * points + row;
    const u = (number * 0.754877666) % 1;
    const v = (number * 0.569840291) % 1;
    const tree = row % 2 === 0 ? undefined : treesM[number % treesM.length];
    if (tree === undefined) {
      x[row] = -18 + 36 * u;
      y[row] = -18 + 36 * v;
      z[row] = 0.15 * v * u;
      intensity[row] = 0.3 + 0.1 * u;
    } else {
      const crown = v > 0.35;
      const radiusM = crown ? 2 * Math.sin(Math.PI * Math.min((v - 0.3) / 0.7, 1)) : 0.2;
      x[row] = tree[0] + radiusM * Math.cos(2 * Math.PI * u);
      y[row] = tree[1] + radiusM * Math.sin(2 * Math.PI * u);
      z[row] = 6 * v;
      intensity[row] = crown ? 0.5 + 0.4 * u : 0.2;
      classId[row] = crown ? 2 : 1;
    }
  }
  return {
    x_m: x,
    y_m: y,
    z_m: z,
    intensity,
    class_id: classId,
    range_m: x.map((xM, row) => Math.hypot(xM, y[row] ?? 0)),
    range_error_m: x.map((_, row) => 0.02 * (((row * 0.618) % 1) - 0.5)),
    ring: Uint16Array.from(x, (_, row) => row % 16),
    return_no: Uint8Array.from(x, (_, row) => 1 + (row % 2)),
  };
}

function costMap(): Uint8Array {
  const cost = new Uint8Array(map.cells ** 2).fill(255);
  for (let cell = 0; cell < cost.length; cell += 1) {
    const xM = map.originM[0] + map.cellM * ((cell % map.cells) + 0.5);
    const yM = map.originM[1] + map.cellM * (Math.floor(cell / map.cells) + 0.5);
    if (Math.max(Math.abs(xM), Math.abs(yM)) > 18) continue;
    const nearestM = Math.min(...treesM.map(([tx, ty]) => Math.hypot(xM - tx, yM - ty)));
    cost[cell] = Math.round(100 * Math.max(0, 1 - nearestM / 2));
  }
  return cost;
}

function detailsOf(id: string, seed: number): RunDetails {
  return {
    id,
    name: 'A made-up yard',
    state: 'running',
    createdMs: Date.now(),
    endedMs: null,
    scenarioName: 'A made-up yard',
    seed,
    sensors: ['one'],
    end: null,
    metrics: null,
    simSeconds: null,
    points: null,
    error: null,
    tags: [],
    notes: '',
    deletedMs: null,
    settings: [],
    scenarioHash: '0',
    sceneHash: null,
    version: '0',
    isa: null,
    hostName: 'memory',
    origin: null,
    recordingFile: 'memory',
    recordingBytes: null,
    scene: null,
    ticks: 0,
    scans: 0,
    classes: ['ground', 'trunk', 'leaves'],
    sensorNames: ['one'],
    vehicleSizeM: [2.4, 1.6, 1.6],
    originM: [0, 0, 0],
    crs: null,
    mission: { startM: [...startM], goalM: [...goalM], goalToleranceM: 1.5 },
  };
}

function metricsOf(ticks: number, goalReached: boolean): RunMetrics {
  const simSeconds = ticks * tickS;
  return {
    simSeconds,
    wallSeconds: simSeconds * 0.8,
    realTimeFactor: 1.25,
    buildSeconds: 0,
    ticks,
    pulses: 0,
    points: 0,
    goalReached,
    distanceToGoalM: distanceAt(ticks),
    collisions: 0,
    collidedWith: [],
    pathLengthM: simSeconds * speedMPerS,
    shortestLengthM: Math.hypot(goalM[0] - startM[0], goalM[1] - startM[1]),
    energyJ: 0,
    groundCoverLengthM: 0,
    meanPositionErrorM: 0,
    peakRssMB: 0,
    coreSeconds: null,
    plans: 0,
    planMedianMs: 0,
    planP95Ms: 0,
    planMostMs: 0,
  };
}
