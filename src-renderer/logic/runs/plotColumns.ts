// Columns that a run can be plotted by: a value for each of its ticks, in columns with names that are the same for every run.
import { rowAt } from '../plots/plotLines.ts';
import type { RunCosts, RunSeries } from './runSeries.ts';

export interface PlotColumn {
  id: string;
  title: string;
  /** '' for a pure number. */
  unit: string;
  /** One a tick; NaN where there is none. */
  values: ArrayLike<number>;
}

/** Columns of a run, in the order in which they are offered. `originM`: world position that its places are relative to. */
export function plotColumns(
  series: RunSeries,
  costs: RunCosts | null,
  originM: readonly [number, number, number],
): PlotColumn[] {
  const { timeS, xyzM, gpsM, classes } = series;
  const axis = (places: Float32Array, of: 0 | 1 | 2): Float64Array =>
    Float64Array.from(timeS, (_, row) => (places[3 * row + of] ?? NaN) + originM[of]);
  const place = (name: string, title: string, places: Float32Array): PlotColumn[] =>
    (['x', 'y', 'z'] as const).map((letter, of) => ({
      id: `${name}-${letter}`,
      title: `${title} ${letter}`,
      unit: 'm',
      values: axis(places, of as 0 | 1 | 2),
    }));
  const one = (id: string, title: string, unit: string, values: ArrayLike<number>): PlotColumn => ({
    id,
    title,
    unit,
    values,
  });
  return [
    one('time', 'Time', 's', timeS),
    one('path', 'Driven distance', 'm', drivenM(xyzM)),
    one('speed', 'Speed', 'm/s', series.speedMPerS),
    one('position-error', 'Position error', 'm', series.positionErrorM),
    one('goal-distance', 'Distance to goal', 'm', series.distanceToGoalM),
    ...(costs === null ? [] : [one('cost', 'Cost at vehicle', '', costsAt(timeS, costs))]),
    one('collisions', 'Collisions so far', '', series.collisions),
    one('returns', 'Returns', '', sumOf(timeS.length, classes)),
    ...classes.map(({ name, returns }) =>
      one(`returns-${name}`, `Returns on ${name}`, '', returns),
    ),
    ...place('true', 'True', xyzM),
    ...place('gps', 'GPS', gpsM),
  ];
}

/** Those of several runs, each once. */
export function offeredColumns(
  runs: readonly (readonly PlotColumn[])[],
): Pick<PlotColumn, 'id' | 'title' | 'unit'>[] {
  const known = new Map(runs.flat().map(({ id, title, unit }) => [id, { id, title, unit }]));
  return [...known.values()];
}

/** 'Speed in m/s'. */
export function columnText({ title, unit }: Pick<PlotColumn, 'title' | 'unit'>): string {
  return unit === '' ? title : `${title} in ${unit}`;
}

function drivenM(xyzM: Float32Array): Float64Array {
  const along = new Float64Array(xyzM.length / 3);
  const step = (row: number, axis: number): number =>
    (xyzM[3 * row + axis] ?? 0) - (xyzM[3 * row - 3 + axis] ?? 0);
  for (let row = 1; row < along.length; row += 1) {
    along[row] = (along[row - 1] ?? 0) + Math.hypot(step(row, 0), step(row, 1), step(row, 2));
  }
  return along;
}

/** The cost of the last map at each time. */
function costsAt(timeS: Float64Array, costs: RunCosts): Float64Array {
  const first = costs.timeS[0] ?? Infinity;
  return Float64Array.from(timeS, (at) =>
    at < first - 1e-4 ? NaN : (costs.costHere[rowAt(costs.timeS, at)] ?? NaN),
  );
}

function sumOf(ticks: number, classes: RunSeries['classes']): Float64Array {
  return Float64Array.from({ length: ticks }, (_, row) =>
    classes.reduce((sum, { returns }) => sum + (returns[row] ?? 0), 0),
  );
}
