// The schedule of a campaign on a number of cores, simulated from measured wall times: tasks of several runs each are
// taken in plan order by the next free core. Pure and deterministic. The model: a run takes on any core what it took
// where it was measured; a task first costs its start-up; nothing else is waited for.

export interface ScheduledWork {
  /** Wall time of each run in plan order, in seconds. */
  runSeconds: readonly number[];
  /** Wall time before the first run of a task: processes, worker, scene. */
  startUpS: number;
  /** Runs that one task executes in turn; at least 1. */
  runsPerTask: number;
}

export interface Schedule {
  cores: number;
  tasks: number;
  /** From the start of the first task to the end of the last. */
  makespanS: number;
  /** Time of all runs over the time of all cores; 1: no core ever waits or starts anything. */
  efficiency: number;
}

/** Efficiency below which more cores are not worth their time. */
const minEfficiency = 0.9;

/** The schedule on `cores` cores. @throws RangeError for less than one core or one run a task */
export function scheduleOn(work: ScheduledWork, cores: number): Schedule {
  const { runSeconds, startUpS, runsPerTask } = work;
  if (!(cores >= 1) || !(runsPerTask >= 1)) throw new RangeError('expected cores and runs a task');
  const taskSeconds: number[] = [];
  for (let from = 0; from < runSeconds.length; from += runsPerTask) {
    taskSeconds.push(startUpS + sum(runSeconds.slice(from, from + runsPerTask)));
  }
  const free = new Float64Array(Math.min(cores, taskSeconds.length));
  for (const seconds of taskSeconds) {
    takeFirst(free, seconds);
  }
  const makespanS = free.reduce((latest, endS) => Math.max(latest, endS), 0);
  const efficiency = makespanS > 0 ? sum(runSeconds) / (cores * makespanS) : 1;
  return { cores, tasks: taskSeconds.length, makespanS, efficiency };
}

/** The most cores up to `maxCores` with an efficiency of at least 0.9; null: not even one. */
export function efficientCores(work: ScheduledWork, maxCores: number): number | null {
  const isEfficient = (cores: number): boolean =>
    scheduleOn(work, cores).efficiency >= minEfficiency;
  // Why from above: efficiency need not fall evenly, as tasks come in whole numbers.
  const tried = new Set([maxCores]);
  for (let cores = maxCores; cores > 1; cores = Math.floor(cores / 1.1)) tried.add(cores);
  tried.add(1);
  const found = [...tried].find(isEfficient);
  if (found === undefined) return null;
  let most = found;
  while (most < maxCores && isEfficient(most + 1)) most += 1;
  return most;
}

/** Runs a task, so that its start-up is at most `share` of its time. */
export function runsPerTaskFor(startUpS: number, meanRunS: number, share = 0.1): number {
  if (!(meanRunS > 0)) return 1;
  return Math.max(1, Math.ceil((startUpS * (1 - share)) / (share * meanRunS)));
}

/**
 * Wall times of `runs` runs from those of measured ones, which are repeated in their order. Why not their mean: the
 * longest runs decide when the last core ends.
 */
export function repeatedTimes(measured: readonly number[], runs: number): number[] {
  if (measured.length === 0) throw new RangeError('no run was measured');
  return Array.from({ length: runs }, (_, index) => measured[index % measured.length] ?? 0);
}

/** Gives a task to the core that is free first: `heap` has the times at which cores are free, as a binary heap. */
function takeFirst(heap: Float64Array, seconds: number): void {
  const endS = (heap[0] ?? 0) + seconds;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
    const childS = heap[child] ?? 0;
    if (childS >= endS) break;
    heap[at] = childS;
    at = child;
  }
  heap[at] = endS;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
