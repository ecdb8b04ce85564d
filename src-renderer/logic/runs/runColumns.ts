// The columns of the table of runs: their contents, order and width.
import type { RunListItem, RunSortKey } from '#contract/host/runQueries.ts';
import type { RunMetrics } from '#contract/host/run.ts';
import { formatCount, formatTime, formatFactor } from '#renderer/logic/format.ts';

export interface RunColumn {
  key: RunSortKey;
  title: string;
  /** With the unit, as a tooltip. */
  says: string;
  text: (run: RunListItem) => string;
  /** Numbers are aligned right and sort the largest first. */
  isNumber: boolean;
}

/** The first column. */
export const runName = column('name', 'Run', 'name of the run', ({ name }) => name);

/** The columns after the name, in their order. */
export const runColumns: readonly RunColumn[] = [
  column('scenario', 'Scenario', 'name of the scenario', ({ scenarioName }) => scenarioName),
  column('sensors', 'Sensors', 'ids of the sensors', ({ sensors }) => sensors.join(', ')),
  column('state', 'State', 'running, finished, stopped …', ({ state }) => state),
  number('created', 'Started', 'local time', ({ createdMs }) => formatTime(createdMs)),
  number('seed', 'Seed', 'seed of the scenario', ({ seed }) => String(seed)),
  known('simSeconds', 'Time', 'simulated seconds', (seconds) => `${seconds.toFixed(1)} s`),
  metric('realTimeFactor', 'Real-time', 'simulated seconds per second', (f) =>
    formatFactor(f.realTimeFactor),
  ),
  known('points', 'Points', 'returns recorded', formatCount),
  metric('distanceToGoal', 'To goal', 'metres from the goal at the end', (f) =>
    f.goalReached ? 'reached' : `${f.distanceToGoalM.toFixed(1)} m`,
  ),
  metric(
    'positionError',
    'Position error',
    'mean position error in metres',
    (f) => `${f.meanPositionErrorM.toFixed(2)} m`,
  ),
  metric('collisions', 'Collisions', 'collisions', (f) => String(f.collisions)),
];

/** Least width, and the share that a column takes of what is left over. */
const widths: Record<RunSortKey, [minPx: number, share: number]> = {
  name: [180, 2.4],
  scenario: [90, 1.2],
  sensors: [80, 1],
  state: [94, 0],
  created: [132, 0],
  seed: [54, 0],
  simSeconds: [70, 0],
  realTimeFactor: [78, 0],
  points: [68, 0],
  distanceToGoal: [72, 0],
  positionError: [98, 0],
  collisions: [78, 0],
};

/** The tracks of a grid with the name and these columns, as CSS has them, and what they take at least. */
export function tracksOf(keys: readonly RunSortKey[]): { tracks: string; minPx: number } {
  const own = (['name', ...keys] as const).map((key) => widths[key]);
  const tracks = own.map(([least, share]) =>
    share > 0 ? `minmax(${least}px, ${share}fr)` : `${least}px`,
  );
  return { tracks: tracks.join(' '), minPx: own.reduce((sum, [least]) => sum + least, 0) };
}

function column(key: RunSortKey, title: string, says: string, text: RunColumn['text']): RunColumn {
  return { key, title, says, text, isNumber: false };
}

function number(...args: Parameters<typeof column>): RunColumn {
  return { ...column(...args), isNumber: true };
}

/** Known of an interrupted run, too. */
function known(
  key: 'simSeconds' | 'points',
  title: string,
  says: string,
  text: (value: number) => string,
): RunColumn {
  return number(key, title, says, ({ [key]: value }) => (value === null ? '–' : text(value)));
}

function metric(
  key: RunSortKey,
  title: string,
  says: string,
  text: (metrics: RunMetrics) => string,
): RunColumn {
  return number(key, title, says, ({ metrics }) => (metrics === null ? '–' : text(metrics)));
}
