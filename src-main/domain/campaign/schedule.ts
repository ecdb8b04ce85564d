// The schedule of a campaign on a number of cores, simulated from measured wall times: tasks of several runs each are
// taken in plan order by the next free core. Pure and deterministic. The model: a run takes on any core what it took
// where it was measured; a task first costs its start-up; nothing else is waited for. On one machine a single process
// hands out the runs, and its own work for each of them is done one after another.

export interface CampaignTimes {
  /** Wall time of each run in plan order, in seconds. */
  runSeconds: readonly number[];
  /** Wall time before the first run of a task: processes, worker, scene. */
  startUpS: number;
}

export interface ScheduledWork extends CampaignTimes {
  /** Runs that one task executes in turn; at least 1. */
  runsPerTask: number;
}

export interface Schedule {
  cores: number;
  tasks: number;
  runsPerTask: number;
  /** From the start of the first task to the end of the last. */
  makespanS: number;
  /** Time of all runs over the time of all cores; 1: no core ever waits or starts anything. */
  efficiency: number;
}

/** Efficiency below which more cores are not worth their time. */
const minEfficiency = 0.9;

/** The schedule on `cores` cores. @throws RangeError for less than one core or one run a task */
export function scheduleOn({ runsPerTask, ...times }: ScheduledWork, cores: number): Schedule {
  return simulated(cumulated(times.runSeconds), times.startUpS, runsPerTask, cores);
}

/** The schedule on `cores` cores with as many runs a task as make it the shortest. @throws RangeError as scheduleOn */
export function bestSchedule({ runSeconds, startUpS }: CampaignTimes, cores: number): Schedule {
  return shortest(cumulated(runSeconds), startUpS, cores);
}

/** The most cores up to `maxCores` whose best schedule has an efficiency of at least 0.9; null: not even one. */
export function efficientCores(
  { runSeconds, startUpS }: CampaignTimes,
  maxCores: number,
): number | null {
  const endsS = cumulated(runSeconds);
  const isEfficient = (cores: number): boolean =>
    shortest(endsS, startUpS, cores).efficiency >= minEfficiency;
  // Why not in equal steps: it rises where one run less is left for each core, and falls from there on.
  let above = maxCores + 1;
  for (const cores of divisionsOf(runSeconds.length, maxCores)) {
    if (isEfficient(cores)) return maxBetweenCores(cores, above, isEfficient);
    above = cores;
  }
  return null;
}

/** For each maximum number of runs a core, descending: the fewest cores. */
function* divisionsOf(runs: number, maxCores: number): Generator<number, void> {
  for (let cores = maxCores; cores >= 1;) {
    const runsOfCore = Math.max(1, Math.ceil(runs / cores));
    const fewest = Math.max(1, Math.ceil(runs / runsOfCore));
    yield fewest;
    cores = fewest - 1;
  }
}

/** The most from `low`, which is efficient, to below `above`; all up to it are. */
function maxBetweenCores(
  low: number,
  above: number,
  isEfficient: (cores: number) => boolean,
): number {
  let [yes, no] = [low, above];
  while (no - yes > 1) {
    const middle = Math.floor((yes + no) / 2);
    if (isEfficient(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

/** Tasks of each core that are tried: few start seldom, many leave no core with a long one at the end. */
const tasksOfCore = [1, 2, 4, 8, 16];

function shortest(endsS: Float64Array, startUpS: number, cores: number): Schedule {
  const runs = endsS.length - 1;
  const sizes = new Set(tasksOfCore.map((tasks) => Math.max(1, Math.ceil(runs / (cores * tasks)))));
  return [...sizes]
    .map((runsPerTask) => simulated(endsS, startUpS, runsPerTask, cores))
    .reduce((best, each) => (each.makespanS < best.makespanS ? each : best));
}

/** @param endsS time of the first runs together, from none to all */
function simulated(
  endsS: Float64Array,
  startUpS: number,
  runsPerTask: number,
  cores: number,
): Schedule {
  if (!(cores >= 1) || !(runsPerTask >= 1)) throw new RangeError('expected cores and runs a task');
  const runs = endsS.length - 1;
  const tasks = Math.ceil(runs / runsPerTask);
  const free = new Float64Array(Math.min(cores, tasks));
  for (let from = 0; from < runs; from += runsPerTask) {
    const to = Math.min(runs, from + runsPerTask);
    takeFirst(free, startUpS + (endsS[to] ?? 0) - (endsS[from] ?? 0));
  }
  const makespanS = free.reduce((latest, endS) => Math.max(latest, endS), 0);
  const efficiency = makespanS > 0 ? (endsS[runs] ?? 0) / (cores * makespanS) : 1;
  return { cores, tasks, runsPerTask, makespanS, efficiency };
}

/** One process on the cores of one machine. */
export interface MachineSchedule {
  /** From its start to the end of the last run. */
  makespanS: number;
  /** As Schedule.efficiency. */
  efficiency: number;
  /** Most cores that its own work can keep busy; Infinity: it has none. */
  fedCores: number;
}

/**
 * The schedule of one process that executes a run on each of `cores` cores at a time.
 * @param hostRunS its own work for a run, before the run @throws RangeError for less than one core
 */
export function scheduleOnMachine(
  { runSeconds, startUpS }: CampaignTimes,
  hostRunS: number,
  cores: number,
): MachineSchedule {
  if (!(cores >= 1)) throw new RangeError('expected cores');
  const free = new Float64Array(Math.max(1, Math.min(cores, runSeconds.length))).fill(startUpS);
  for (const [run, seconds] of runSeconds.entries()) {
    takeFirst(free, seconds, startUpS + (run + 1) * hostRunS);
  }
  const totalS = runSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const makespanS = runSeconds.length === 0 ? 0 : free.reduce((last, endS) => Math.max(last, endS));
  const efficiency = makespanS > 0 ? totalS / (cores * makespanS) : 1;
  const meanS = totalS / Math.max(1, runSeconds.length);
  return { makespanS, efficiency, fedCores: hostRunS > 0 ? meanS / hostRunS : Infinity };
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

/**
 * Gives a task to the core that is free first: `heap` has the times at which cores are free, as a binary heap. It begins
 * at `fromS` at the earliest.
 */
function takeFirst(heap: Float64Array, seconds: number, fromS = 0): void {
  const endS = Math.max(heap[0] ?? 0, fromS) + seconds;
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

/** The sums of the first values, from none to all. */
function cumulated(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return sums;
}
