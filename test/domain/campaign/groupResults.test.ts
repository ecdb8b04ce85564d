// Groups of results: Wilson's and bootstrap intervals against closed forms, paired differences, conditions, CSV.
import { describe, expect, it } from 'vitest';
import type { Campaign } from '#contract/documents/campaign.ts';
import type { ResultRow } from '#contract/host/campaignMethods.ts';
import { groupResults, pairedDifferences } from '#domain/campaign/groupResults.ts';
import { createBootstrap, shareOf } from '#domain/campaign/intervals.ts';
import { planRuns } from '#domain/campaign/planRuns.ts';
import { csvText } from '#domain/campaign/resultCsv.ts';
import {
  resultColumns,
  resultRow,
  rowCondition,
  sortedRows,
} from '#domain/campaign/resultTable.ts';
import { normals } from '#domain/random/philox.ts';
import { parseCampaign } from '#domain/scenario/documentText.ts';
import { maxStepCost } from '#domain/shared/steps.ts';
import { atOnce, withCosts } from '#test/domain/steps.ts';

const text = `
understoryCampaign: 1
name: test
scenarios: [clearing]
sensors: [near, far]
vary:
  density: { set: a, values: [100, 400] }
  fog: { set: b, values: [light, null] }
replicates: 5
measures: { goal: goal, points: points }
`;

/** A campaign whose results are formulas of the plan: seeds shift points, and the far sensor has 3 more. */
function table(): { columns: ReturnType<typeof resultColumns>; rows: ResultRow[] } {
  const { value } = parseCampaign(text) as { value: Campaign };
  const runs = planRuns(value);
  const columns = resultColumns(value, runs, false);
  const rows = runs.map((planned) => {
    const points = Number(planned.values['density']) + 10 * planned.seed;
    const extra = planned.sensor === 'far' ? 3 : 0;
    return resultRow(columns, planned, {
      runId: null,
      state: 'done',
      measures: { goal: planned.seed <= 2 ? 1 : 0, points: points + extra },
      error: null,
      attempts: 1,
      wallS: 1,
      hostName: 'host',
    });
  });
  return { columns, rows };
}

const measures = [
  { name: 'goal', isShare: true },
  { name: 'points', isShare: false },
];

describe('shareOf', () => {
  it("is Wilson's interval", () => {
    // Wilson 1927 with z = 1.959963985: 8 of 10.
    const values = Array.from({ length: 10 }, (_, n) => (n < 8 ? 1 : 0));
    const { mean, low, high } = shareOf(values, 0.95);
    expect(mean).toBe(0.8);
    expect(low).toBeCloseTo(0.490162, 6);
    expect(high).toBeCloseTo(0.943318, 6);
    expect(shareOf([1, 1, 1], 0.95)).toMatchObject({ mean: 1, high: 1 });
    expect(shareOf([], 0.95)).toEqual({ kind: 'share', n: 0, mean: null, low: null, high: null });
  });
});

describe('meanOf', () => {
  const bootstrap = createBootstrap();
  const meanOf = (values: number[], level: number) =>
    atOnce(bootstrap.meanOf(Float64Array.from(values), level));

  it('has the normal interval of a large sample', () => {
    const values = Array.from({ length: 400 }, (_, n) => 5 + 2 * normals(3, 99, 0, n)[0]);
    const { mean, low, high } = meanOf(values, 0.95);
    const half = ((high ?? 0) - (low ?? 0)) / 2;
    // 1.96 · 2/√400 = 0.196; 2000 resamples and the sample's own spread leave some 5 % each.
    expect(Math.abs(half - 0.196)).toBeLessThan(0.03);
    expect(Math.abs((mean ?? 0) - 5)).toBeLessThan(0.3);
  });

  it('covers the true mean about as often as it says', () => {
    let covered = 0;
    const trials = 200;
    for (let trial = 0; trial < trials; trial += 1) {
      const values = Array.from({ length: 30 }, (_, n) => normals(7, 98, trial, n)[0]);
      const { low, high } = meanOf(values, 0.9);
      if (low !== null && high !== null && low <= 0 && high >= 0) covered += 1;
    }
    // The percentile interval of 30 values is a little narrow: 0.885; three standard errors are 0.065.
    expect(covered / trials).toBeGreaterThan(0.82);
    expect(covered / trials).toBeLessThan(0.95);
  });

  it('is the same every time, and has no interval of one value', () => {
    const values = Array.from({ length: 20 }, (_, n) => n * n);
    const first = meanOf(values, 0.95);
    meanOf([...values, 3], 0.95);
    expect(meanOf(values, 0.95)).toEqual(first);
    expect(meanOf([3], 0.95)).toEqual({ kind: 'mean', n: 1, mean: 3, low: null, high: null });
  });
});

describe('meanOf a small group', () => {
  /** Every ordered resample, n^n of them, each as probable. */
  function meansOf(values: readonly number[]): number[] {
    const n = values.length;
    return Array.from({ length: n ** n }, (_, number) => {
      const drawn = values.map((__, place) => values[Math.floor(number / n ** place) % n] ?? 0);
      return drawn.reduce((sum, value) => sum + value, 0) / n;
    }).sort((a, b) => a - b);
  }

  it.each([[[0, 1]], [[1, 2, 4]], [[3, 3, 5, 9]], [[0.5, 7, 7.25, 8, 30]], [[1, 2, 4, 8, 16, 32]]])(
    'has the exact bootstrap interval of %j',
    (values) => {
      const means = meansOf(values);
      for (const level of [0.95, 0.83, 0.5]) {
        const { low, high } = atOnce(createBootstrap().meanOf(Float64Array.from(values), level));
        // So many resamples may lie beyond an end.
        const beyond = ((1 - level) / 2) * means.length;
        expect(low).toBeCloseTo(means[Math.ceil(beyond - 1e-9) - 1] ?? 0, 12);
        expect(high).toBeCloseTo(means.at(-Math.ceil(beyond - 1e-9)) ?? 0, 12);
      }
    },
  );
});

describe('ten thousand runs', () => {
  const columns = ['axis', 'a', 'b', 'c'].map((name, index) => {
    return {
      name,
      kind: index === 0 ? ('axis' as const) : ('measure' as const),
      type: 'number' as const,
    };
  });
  const rows = Array.from({ length: 10_000 }, (_, index): ResultRow => {
    const [a, b, c] = normals(4, 97, 0, index);
    return { index, runId: null, state: 'done', values: [index % 2000, a, b, c] };
  });
  const three = ['a', 'b', 'c'].map((name) => ({ name, isShare: false }));

  // 10, 2000 and 1 groups, and 1428 or so of seven and more.
  it.each([10, 2000, 1, 1428])('in %i groups are grouped in steps that are all short', (groups) => {
    const divided = rows.map((row) => ({ ...row, values: row.values.with(0, row.index % groups) }));
    const grouping = { columns, rows: divided, by: ['axis'], measures: three, level: 0.95 };
    const { value, costs } = withCosts(groupResults(grouping));
    expect(value).toHaveLength(groups);
    for (const { statistics } of value) {
      for (const { mean, low, high } of statistics) {
        expect(low ?? Infinity).toBeLessThanOrEqual(mean ?? -Infinity);
        expect(high ?? -Infinity).toBeGreaterThanOrEqual(mean ?? Infinity);
      }
    }
    // A step ends with the operation that reaches the limit.
    expect(Math.max(...costs)).toBeLessThanOrEqual(1.1 * maxStepCost);
    const whole = atOnce(groupResults({ ...grouping, by: [] }));
    // The standard error of the mean of 10,000 normal values is 0.01; the interval is 1.96 of them on each side.
    for (const { low, high } of whole[0]?.statistics ?? []) {
      expect(((high ?? 0) - (low ?? 0)) / 2).toBeCloseTo(0.0196, 2);
    }
  });
});

describe('groupResults', () => {
  it('has a group for each combination, in plan order', () => {
    const grouping = { ...table(), by: ['density', 'fog'], measures, level: 0.95 };
    const groups = atOnce(groupResults(grouping));
    expect(groups.map(({ key }) => key)).toEqual([
      [100, 'light'],
      [100, null],
      [400, 'light'],
      [400, null],
    ]);
    expect(groups.map(({ runs }) => runs)).toEqual([10, 10, 10, 10]);
    const [goal, points] = groups[0]?.statistics ?? [];
    expect(goal).toMatchObject({ kind: 'share', n: 10, mean: 0.4 });
    expect(points).toMatchObject({ kind: 'mean', mean: 131.5 });
  });
});

describe('pairedDifferences', () => {
  it('leaves out what seeds and other axes have in common', () => {
    const grouping = { ...table(), by: ['density'], measures, level: 0.95 };
    const differences = atOnce(pairedDifferences(grouping, 'sensor'));
    expect(differences).toHaveLength(2);
    for (const { value, against, statistics } of differences) {
      expect([value, against]).toEqual(['far', 'near']);
      // Every pair differs by exactly 3: no width is left, though seeds shift points by 10 each.
      expect(statistics[1]).toEqual({ kind: 'mean', n: 10, mean: 3, low: 3, high: 3 });
    }
    const [byDensity] = atOnce(pairedDifferences({ ...grouping, by: [] }, 'density'));
    expect(byDensity).toMatchObject({ key: [], value: 400, against: 100 });
    expect(byDensity?.statistics[1]).toMatchObject({ n: 20, mean: 300, low: 300, high: 300 });
  });
});

describe('rowCondition', () => {
  const count = (condition: string): number | string => {
    const { columns, rows } = table();
    const { value, problem } = rowCondition(condition, columns);
    return value === null ? problem : rows.filter(value).length;
  };

  it('chooses rows by any column', () => {
    expect(count('density > 200 and goal = 1')).toBe(8);
    expect(count("sensor = 'far' and seed in (1, 2)")).toBe(8);
    expect(count("fog = 'light'")).toBe(20);
    expect(count('points / density > 1.3')).toBe(10);
  });

  it('says what is wrong, and where', () => {
    expect(count('densty > 2')).toBe(
      "expected one of run, scenario, sensor, density, fog, seed, state, goal, points, found 'densty' (column 1)",
    );
    expect(count('density > ')).toContain('(column 11)');
    expect(count("density = 'a'")).toContain("expected two numbers or two texts at '=' (column 9)");
    expect(count('returns() > 3')).toContain('(column 1)');
  });
});

describe('sortedRows', () => {
  it('puts rows without a value last, and equal ones in plan order', () => {
    const { rows } = table();
    const columns = rows.map(({ index, ...row }) => ({
      ...row,
      index,
      values: [index % 3 === 0 ? null : index % 2],
    }));
    const order = (isDescending: boolean): number[] =>
      sortedRows(columns.slice(0, 8), 0, isDescending).map(({ index }) => index);
    expect(order(false)).toEqual([2, 4, 1, 5, 7, 0, 3, 6]);
    expect(order(true)).toEqual([1, 5, 7, 2, 4, 0, 3, 6]);
  });
});

describe('csvText', () => {
  it('quotes what needs it and leaves out what is not known', () => {
    const rows = [
      [1, 'a,b', true, null],
      [0.1, 'say "no"', false, 1e-7],
    ];
    expect(csvText([['x', 'y', 'z', 'w'], ...rows])).toBe(
      'x,y,z,w\n1,"a,b",true,\n0.1,"say ""no""",false,1e-7\n',
    );
  });
});
