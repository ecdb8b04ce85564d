// The columns of the table of runs: their contents, order and width.
import type { RunListItem, RunSortKey } from '#contract/host/runQueries.ts';
import { metricColumns, runMetrics, type RunMetricName } from '#contract/host/runMetrics.ts';
import { metricText, metricUnit } from '#domain/shared/runMetrics.ts';
import { formatTime } from '#renderer/logic/format.ts';

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
  ...metricColumns.map(({ name, sortKey, title }) => {
    const unit = metricUnit(name);
    const says = unit === '' ? runMetrics[name].meaning : `${runMetrics[name].meaning}, ${unit}`;
    return number(sortKey, title, says, (run) => textOf(name, run));
  }),
];

/** Least width, and the share that a column takes of what is left over. */
const widths: Partial<Record<RunSortKey, [minPx: number, share: number]>> = {
  name: [160, 2.4],
  scenario: [90, 1.2],
  sensors: [80, 1],
  state: [94, 0],
  created: [132, 0],
  seed: [66, 0],
  // '12 min 34 s'.
  simSeconds: [96, 0],
};
/** A letter of a bold title at most on average, and the room beside it for padding and the arrow of the order. */
const [letterPx, besidePx] = [6.7, 30];

/** A title breaks between its words. */
function widthOf(key: RunSortKey): [minPx: number, share: number] {
  const { title } = metricColumns.find(({ sortKey }) => sortKey === key) ?? { title: '' };
  const letters = Math.max(...title.split(/[ -]/).map((word) => word.length));
  return widths[key] ?? [Math.max(72, Math.ceil(besidePx + letterPx * letters)), 0];
}

/** The tracks of a grid with the name and these columns, as CSS has them, and what they take at least. */
export function tracksOf(keys: readonly RunSortKey[]): { tracks: string; minPx: number } {
  const own = (['name', ...keys] as const).map(widthOf);
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

/** Time and points are known of an interrupted run, too. */
function textOf(name: RunMetricName, run: RunListItem): string {
  if (name === 'distanceToGoalM' && run.metrics?.goalReached === true) return 'reached';
  return metricText(name, run.metrics ?? { simSeconds: run.simSeconds, points: run.points });
}
