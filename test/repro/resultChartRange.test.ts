// Intervals left the plot of `campaign results --plot`, because the range of the measure was that of the means alone, and
// a logarithmic axis had its raw ends as labels (47.5, 769.1999999999999).
import { describe, expect, it } from 'vitest';
import type { GroupRow } from '#contract/host/campaignMethods.ts';
import { lineChart } from '#domain/campaign/resultChart.ts';
import { chartSvg } from '#domain/charts/chartSvg.ts';

function group(value: number, mean: number, low: number, high: number): GroupRow {
  return { key: [value], runs: 3, statistics: [{ kind: 'mean', n: 3, mean, low, high }] };
}

const options = { measure: 'points', logAxes: new Set<string>(), level: 0.95 };
const logOptions = { ...options, logAxes: new Set(['density']) };

/** Ends of the vertical lines of the drawing in the colour of the line, in pixels. */
function intervalsOf(svg: string): number[] {
  const lines = [
    ...svg.matchAll(/<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"[^>]*stroke="#3a6ea5"/g),
  ];
  return lines
    .filter(([, x1, , x2]) => x1 === x2)
    .flatMap(([, , y1, , y2]) => [Number(y1), Number(y2)]);
}

describe('the axis of a measure', () => {
  it.each([
    [[group(1, 9, -40, 30), group(2, 10, 8, 95)], -50, 100],
    [[group(1, 0.5, 0.1, 0.9)], 0, 1],
    [[group(1, -5, -9, -2), group(2, -4, -6, -3)], -10, 0],
    [[group(1, 1000, 999, 1001), group(2, 1003, 1002, 1004)], 999, 1004],
    [[group(1, 0, 0, 0)], -1, 1],
  ])('has all intervals of %j', (groups, from, to) => {
    const { y } = lineChart('density', groups, options);
    expect({ from: y.from, to: y.to }).toEqual({ from, to });
    expect(y.ticks?.[0]).toBe(from);
    expect(y.ticks?.at(-1)).toBe(to);
  });

  it('has them in the drawing between its ends', () => {
    const groups = [group(1, 9, -40, 30), group(2, 10, 8, 95)];
    const svg = chartSvg(lineChart('density', groups, options));
    const ends = intervalsOf(svg);
    expect(ends).toHaveLength(4);
    expect(Math.min(...ends)).toBeGreaterThanOrEqual(44);
    expect(Math.max(...ends)).toBeLessThanOrEqual(380 - 52);
  });
});

describe('a logarithmic axis', () => {
  it('has the values as its labels, at their places', () => {
    const groups = [57, 191, 641].map((value) => group(value, 1, 0, 2));
    const { x } = lineChart('density', groups, logOptions);
    expect(x.tickLabels).toEqual(['57', '191', '641']);
    const svg = chartSvg({ ...lineChart('density', groups, logOptions) });
    const labels = [
      ...svg.matchAll(/<text[^>]*translate\(([\d.]+) [\d.]+\)[^>]*>([\d.,]+)<\/text>/g),
    ];
    const places = ['57', '191', '641'].map((label) =>
      Number(labels.find(([, , text]) => text === label)?.[1] ?? Number.NaN),
    );
    expect(places[0]).toBeGreaterThan(40);
    expect(places[2]).toBeLessThan(620);
    // 57, 191 and 641 have about the same ratio.
    const [first = 0, second = 0, third = 0] = places;
    expect((second - first) / (third - second)).toBeCloseTo(
      Math.log(191 / 57) / Math.log(641 / 191),
      2,
    );
    expect(svg).not.toMatch(/47\.5|769\.19/);
  });

  it('of many values has 1, 2 and 5 times powers of ten', () => {
    const groups = Array.from({ length: 15 }, (_, n) => group(60 * 1.18 ** n, 1, 0, 2));
    expect(lineChart('density', groups, logOptions).x.tickLabels).toEqual([
      '50',
      '100',
      '200',
      '500',
    ]);
  });
});
