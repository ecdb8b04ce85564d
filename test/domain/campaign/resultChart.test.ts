// Charts of results: places, intervals of axes with many values, and the drawing itself.
import { describe, expect, it } from 'vitest';
import type { GroupRow, ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import { heatMap, lineChart, withIntervals } from '#domain/campaign/resultChart.ts';
import { chartSvg } from '#domain/charts/chartSvg.ts';

const group = (key: GroupRow['key'], mean: number | null): GroupRow => ({
  key,
  runs: 2,
  statistics: [
    {
      kind: 'mean',
      n: mean === null ? 0 : 2,
      mean,
      low: mean === null ? null : mean - 1,
      high: mean === null ? null : mean + 3,
    },
  ],
});
const options = { measure: 'points', logAxes: new Set<string>(), level: 0.95 };

describe('lineChart', () => {
  it('orders numbers and draws each interval', () => {
    const chart = lineChart(
      'density',
      [group([400], 9), group([100], 5), group([200], null)],
      options,
    );
    const [line, points] = chart.series;
    expect(line?.data).toEqual([
      [100, 5],
      [400, 9],
    ]);
    expect(line?.errors).toEqual([
      [1, 3],
      [1, 3],
    ]);
    expect(points?.data).toEqual(line?.data);
    expect(chart.caption).toBe('mean of points, 95 % intervals, 4 runs');
    const svg = chartSvg(chart);
    expect(svg).toContain('density');
    expect(svg).toContain('mean of points');
  });

  it('gives texts places with labels', () => {
    const { x, series } = lineChart(
      'sensor',
      [group(['vlp-16'], 1), group(['hdl-32e'], 2)],
      options,
    );
    expect(x.tickLabels).toEqual(['hdl-32e', 'vlp-16']);
    expect(series[0]?.data).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(chartSvg(lineChart('sensor', [group(['vlp-16'], 1)], options))).toContain('vlp-16');
  });
});

describe('heatMap', () => {
  it('has a coloured and labelled cell for each group with a value', () => {
    const groups = [group([100, 'a'], 0), group([100, 'b'], 10), group([200, 'a'], null)];
    const chart = heatMap(['density', 'sensor'], groups, options);
    expect(chart.shapes?.map(({ fill }) => fill)).toEqual(['#440154', '#fde725']);
    expect(chart.texts?.map(({ at, text }) => [at, text])).toEqual([
      [[0, 0], '0'],
      [[0, 1], '10'],
    ]);
    expect(chartSvg(chart)).toContain('#fde725');
  });
});

describe('withIntervals', () => {
  const columns: ResultColumn[] = [{ name: 'haze', kind: 'axis', type: 'number' }];
  const rows = (values: number[]): ResultRow[] =>
    values.map((value, index) => ({ index, runId: null, state: 'done', values: [value] }));

  it('divides axes with many values, by ratios on a logarithmic one', () => {
    const many = rows(Array.from({ length: 81 }, (_, n) => 10 ** (n / 20)));
    const divided = withIntervals(columns, many, ['haze'], new Set(['haze']));
    const middles = [...new Set(divided.map(({ values }) => Number(values[0])))];
    expect(middles).toHaveLength(8);
    expect(middles[0]).toBeCloseTo(10 ** 0.25, 3);
    expect(middles[7]).toBeCloseTo(10 ** 3.75, 0);
  });

  it('keeps the intervals of numbers apart that are large and close', () => {
    // As coordinates of a map: 450,000 m and up to 30 m more.
    const many = rows(Array.from({ length: 31 }, (_, n) => 450_000 + n));
    const divided = withIntervals(columns, many, ['haze'], new Set());
    const middles = [...new Set(divided.map(({ values }) => Number(values[0])))];
    expect(middles).toHaveLength(8);
    expect(middles[0]).toBeCloseTo(450_000 + 30 / 16, 1);
    const groups = middles.map((middle) => group([middle], 1));
    const labels = lineChart('haze', groups, options).x.tickLabels ?? [];
    expect(new Set(labels).size).toBe(8);
  });

  it('leaves few values as they are', () => {
    const few = rows([1, 2, 3]);
    expect(withIntervals(columns, few, ['haze'], new Set())).toEqual(few);
  });
});
