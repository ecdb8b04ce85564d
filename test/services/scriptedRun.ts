// A run process that does what a test says, for the endings that a real one takes minutes to reach.
import type { Columns } from '#contract/columns.ts';
import type { RunControl, RunMetrics, RunOutcome, RunView } from '#contract/host/run.ts';
import type { RunProcess, RunProcesses } from '#services/ports/runProcesses.ts';
import { sampleTickRecord } from '#test/recordings/samples.ts';

export type Script = (options: Parameters<RunProcess['execute']>[2]) => Promise<RunOutcome>;

export interface ScriptedProcesses extends RunProcesses {
  readonly started: number;
  readonly disposed: number;
  /** The commands to its processes. */
  readonly controls: readonly RunControl[];
}

export function scriptedProcesses(script: Script): ScriptedProcesses {
  const counts = { started: 0, disposed: 0 };
  const controls: RunControl[] = [];
  return {
    controls,
    start: () => {
      counts.started += 1;
      return Promise.resolve({
        pid: 0,
        execute: (_order, _heights, options) => script(options),
        control: (control) => void controls.push(control),
        dispose: () => {
          counts.disposed += 1;
          return Promise.resolve();
        },
      });
    },
    get started() {
      return counts.started;
    },
    get disposed() {
      return counts.disposed;
    },
  };
}

export function sampleMetrics(changes: Partial<RunMetrics> = {}): RunMetrics {
  return {
    simSeconds: 2,
    wallSeconds: 1,
    realTimeFactor: 2,
    buildSeconds: 0.5,
    ticks: 20,
    pulses: 1000,
    points: 900,
    goalReached: false,
    distanceToGoalM: 3,
    collisions: 0,
    collidedWith: [],
    pathLengthM: 4,
    shortestLengthM: 5,
    energyJ: 6,
    groundCoverLengthM: 0,
    meanPositionErrorM: 0.05,
    peakRssMB: 100,
    coreSeconds: null,
    plans: 0,
    planMedianMs: 0,
    planP95Ms: 0,
    planMostMs: 0,
    ...changes,
  };
}

/** The view of a tick; with `cells`, a cost map of that value comes along. */
export function sampleView(
  tick: number,
  points: number,
  cells?: number,
): { view: RunView; columns: Columns } {
  const columns: Columns = {
    x_m: Float32Array.from({ length: points }, (_, row) => row),
    class_id: Uint16Array.from({ length: points }, (_, row) => row),
  };
  if (cells !== undefined) columns['cost'] = new Uint8Array(4).fill(cells);
  const map: RunView['map'] = { cells: 2, cellM: 1, originM: [0, 0] };
  const view: RunView = {
    tick: sampleTickRecord(tick),
    end: null,
    map,
    wallSeconds: tick,
    points,
    control: 'autonomy',
    isPaused: false,
    speed: null,
    realTimeFactor: null,
    pointsPerSimS: null,
  };
  return { view, columns };
}
