// The columns that a run can be plotted by.
import { expect, it } from 'vitest';
import { columnText, offeredColumns, plotColumns } from '#renderer/logic/runs/plotColumns.ts';
import { runSeries } from '#renderer/logic/runs/runSeries.ts';

const f64 = (...values: number[]): Float64Array => Float64Array.from(values);
const series = runSeries(
  {
    time_s: f64(0.1, 0.2, 0.3),
    speed_m_per_s: f64(1, 2, 3),
    position_error_m: f64(0, 0, 0),
    distance_to_goal_m: f64(9, 8, 7),
    truth_x_m: f64(0, 3, 3),
    truth_y_m: f64(0, 4, 4),
    truth_z_m: f64(0, 0, 12),
    gps_x_m: f64(NaN, 1, NaN),
    gps_y_m: f64(NaN, 1, NaN),
    gps_z_m: f64(NaN, 1, NaN),
    collisions: Uint32Array.of(0, 0, 1),
    class_returns: Uint32Array.of(10, 1, 20, 0, 30, 0),
  },
  ['tree', 'grass'],
);
const columns = plotColumns(
  series,
  { timeS: f64(0.2, 0.3), costHere: f64(40, NaN), plans: { timeS: f64(), changeM: f64() } },
  [100, 200, 0],
);
const valuesOf = (id: string): number[] =>
  Array.from(columns.find((one) => one.id === id)?.values ?? []);

it('has places in the world, the distance driven and returns of all classes', () => {
  expect(valuesOf('true-x')).toEqual([100, 103, 103]);
  expect(valuesOf('gps-y')).toEqual([NaN, 201, NaN]);
  expect(valuesOf('path')).toEqual([0, 5, 17]);
  expect(valuesOf('returns')).toEqual([11, 20, 30]);
  expect(valuesOf('returns-tree')).toEqual([10, 20, 30]);
});

it('has the cost of the last map at each tick, and none before the first', () => {
  expect(valuesOf('cost')).toEqual([NaN, 40, NaN]);
});

it('offers each column of several runs once, with its unit', () => {
  const less = columns.filter(({ id }) => id !== 'returns-grass');
  const offered = offeredColumns([less, columns]);
  expect(offered.map(({ id }) => id)).toEqual([...less.map(({ id }) => id), 'returns-grass']);
  expect(columnText({ title: 'Speed', unit: 'm/s' })).toBe('Speed in m/s');
  expect(columnText({ title: 'Returns', unit: '' })).toBe('Returns');
});
