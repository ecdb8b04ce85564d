// Words and numbers around results: conditions, columns, intervals, durations, rows of the list.
import { describe, expect, it } from 'vitest';
import type { CampaignProgress, ResultColumn } from '#contract/host/campaignMethods.ts';
import { parseExpression } from '#domain/campaign/parseExpression.ts';
import {
  otherProblems,
  problemText,
  problemsWithin,
} from '#renderer/logic/campaigns/campaignProblems.ts';
import {
  campaignRows,
  countsText,
  endedShares,
  failedText,
} from '#renderer/logic/campaigns/campaignRows.ts';
import { durationText } from '#domain/shared/formats.ts';
import { meanMark, measureAxis } from '#renderer/logic/campaigns/groupBars.ts';
import {
  columnNumbers,
  columnValues,
  plottable,
  whereOf,
} from '#renderer/logic/campaigns/plotChoice.ts';
import { shownColumns } from '#renderer/logic/campaigns/resultColumns.ts';
import { scaleColour } from '#domain/shared/colours.ts';
import { textColourOn } from '#renderer/logic/colours/textColour.ts';

const columns: ResultColumn[] = [
  { name: 'run', kind: 'plan', type: 'text' },
  { name: 'scenario', kind: 'plan', type: 'text' },
  { name: 'density', kind: 'axis', type: 'number' },
  { name: 'seed', kind: 'plan', type: 'number' },
  { name: 'state', kind: 'plan', type: 'text' },
  { name: 'goal', kind: 'measure', type: 'number' },
  { name: 'pathLengthM', kind: 'measure', type: 'number' },
];
const rows = [
  { index: 0, runId: 'a', state: 'done' as const, values: ['a', 'x', 100, 1, 'done', 1, 21.5] },
  {
    index: 1,
    runId: null,
    state: 'pending' as const,
    values: [null, 'x', 200, 1, 'pending', null, null],
  },
];

describe('columns of results', () => {
  it('are plotted as axes or measures, by name', () => {
    expect(plottable(columns, 'axis').map(({ name }) => name)).toEqual([
      'scenario',
      'density',
      'seed',
    ]);
    expect(plottable(columns, 'measure').map(({ name }) => name)).toEqual(['goal', 'pathLengthM']);
    expect(columnValues(columns, rows, 'density')).toEqual([100, 200]);
    expect(columnNumbers(columns, rows, 'pathLengthM')).toEqual([21.5, null]);
    expect(columnValues(columns, rows, 'gone')).toEqual([null, null]);
  });

  it('have titles with units, and leave out run and state', () => {
    const shown = shownColumns(columns);
    expect(shown.map(({ name }) => name)).not.toContain('run');
    expect(shown.at(-1)).toMatchObject({ title: 'Path length', unit: 'm', isNumber: true });
    expect(shown.find(({ name }) => name === 'density')).toMatchObject({ title: 'density' });
  });
});

describe('a condition', () => {
  it('is an expression of the host', () => {
    const where = whereOf([
      ['density', 200],
      ['scenario', "it's"],
      ['goal', true],
      ['sensor', null],
    ]);
    expect(where).toBe('density = 200 and scenario = "it\'s" and goal = 1');
    expect(parseExpression(where).fault).toBeNull();
  });
});

describe('a campaign whose runs failed', () => {
  const counts = { total: 8, done: 2, failed: 6, running: 0, pending: 0 };

  it('has them apart from those that are done', () => {
    expect(endedShares(counts)).toEqual({ done: 0.25, failed: 0.75 });
    expect(endedShares({ ...counts, total: 0 })).toEqual({ done: 0, failed: 0 });
  });

  it('has their number as its state', () => {
    expect(failedText({ state: 'finished', counts })).toBe('6 failed');
    expect(failedText({ state: 'stopped', counts })).toBeNull();
    expect(failedText({ state: 'finished', counts: { ...counts, failed: 0 } })).toBeNull();
  });
});

describe('intervals of groups', () => {
  const share = { kind: 'share' as const, n: 10, mean: 0.3, low: 0.1, high: 0.6 };
  const metres = { kind: 'mean' as const, n: 10, mean: 30, low: 20, high: 40 };

  it('lie on a common axis', () => {
    expect(measureAxis([share])).toEqual({ from: 0, to: 1 });
    const axis = measureAxis([metres, { ...metres, mean: null, low: null, high: null }]);
    expect(axis).not.toBeNull();
    const mark = meanMark(metres, axis ?? { from: 0, to: 1 });
    expect(mark?.mean).toBeCloseTo(0.5, 12);
    expect(mark?.low).toBeGreaterThan(0);
    expect(mark?.high).toBeLessThan(1);
    expect(measureAxis([])).toBeNull();
  });

  it('of one run have no length', () => {
    const mark = meanMark({ ...metres, low: null, high: null }, { from: 20, to: 40 });
    expect(mark).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
  });
});

describe('the list of campaigns', () => {
  const counts = { total: 10, done: 4, failed: 1, running: 0, pending: 5 };
  const list = {
    samples: [
      { id: 'fog', description: 'a sample', file: '/fog.campaign.yaml' },
      { id: 'mount', description: 'another', file: '/mount.campaign.yaml' },
    ],
    campaigns: [
      {
        name: 'fog',
        description: 'mine',
        file: '/fog.campaign.yaml',
        state: 'stopped' as const,
        hasChanged: false,
        createdMs: 1,
        ...counts,
      },
    ],
  };

  it('has each name once, and what is executed as it is now', () => {
    const files = ['/mine/fog.campaign.yaml', '/mine/own.campaign.yaml'];
    const rows = campaignRows(list, new Map(), files);
    expect(rows.map(({ name, state, document }) => [name, state, document])).toEqual([
      ['fog', 'stopped', 'fog'],
      ['own', null, '/mine/own.campaign.yaml'],
      ['mount', null, 'mount'],
    ]);
    const progress = new Map([['fog', { ...counts, done: 6 } as CampaignProgress]]);
    const [row] = campaignRows(list, progress, []);
    expect(row).toMatchObject({ state: 'running', isSample: true, counts: { done: 6 } });
    expect(countsText(counts)).toBe('4 of 10 done, 1 failed');
  });
});

describe('problems of the form', () => {
  const at = (path: string) => ({ path, code: 'custom', message: `of ${path}` });
  const problems = ['vary.a.range', 'vary.ab', 'understoryCampaign', 'measures.goal'].map(at);

  it('belong to their fields', () => {
    expect(problemsWithin(problems, 'vary.a')).toEqual([at('vary.a.range')]);
    expect(problemText(problems, 'measures')).toBe('of measures.goal');
    expect(problemText(problems, 'limits')).toBeUndefined();
    expect(otherProblems(problems)).toEqual([at('understoryCampaign')]);
  });
});

it.each([
  [0, '0 s'],
  [0.4, 'below 1 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [3_599, '1 h 0 min'],
  [12_000, '3 h 20 min'],
  [187_200, '2 d 4 h'],
])('%d s is %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

it('text is legible on every colour of the scale', () => {
  const luminance = ([red, green, blue]: readonly number[]): number => {
    const linear = (byte = 0): number =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  for (let share = 0; share <= 1; share += 0.01) {
    const behind = scaleColour('viridis', share);
    const [low = 0, high = 0] = [luminance(behind), luminance(textColourOn(behind))].toSorted(
      (one, other) => one - other,
    );
    expect((high + 0.05) / (low + 0.05), `at ${share}`).toBeGreaterThan(4.5);
  }
});
