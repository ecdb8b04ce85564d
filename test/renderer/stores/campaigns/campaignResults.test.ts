// Results of the chosen campaign: what is asked for as sort, filter and columns change, and while runs end.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCampaignResults } from '#renderer/stores/campaigns/campaignResults.ts';
import { useCampaigns } from '#renderer/stores/campaigns/campaigns.ts';
import { answerCampaigns, campaignOf } from '../hostAnswers.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
let done: number;
/** Requests for rows. */
let asked: Record<string, unknown>[];

const columns = ['run', 'density', 'collisions'].map((name) => ({ name, kind: 'axis' }));

beforeEach(() => {
  vi.useFakeTimers();
  [done, asked] = [1, []];
  page = openPage({ at: '#/campaigns/a' });
  answerCampaigns(page, () => {
    const counts = { total: 4, done, failed: 0, pending: 4 - done, running: 0 };
    return ['a', 'b'].map((name) => campaignOf(name, { state: 'paused', ...counts }));
  });
  page.answer('campaign.results', (request) => {
    asked.push(request as Record<string, unknown>);
    const rows = [{ index: 0, runId: 'r', state: 'done', values: ['r', 1, 2] }];
    return { columns, available: columns, rows, total: 1 };
  });
  page.answer('campaign.group', () => ({ groups: [] }));
});
afterEach(() => vi.useRealTimers());

/** Longer than typing rests. */
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(400);

async function open() {
  const results = useCampaignResults();
  await settled();
  return results;
}

describe('the table', () => {
  it('is of the chosen campaign, in plan order', async () => {
    const results = await open();
    expect([results.total, results.rowAt(0)?.runId]).toEqual([1, 'r']);
    expect(asked.every(({ campaign, sortBy }) => campaign === 'a' && sortBy === undefined)).toBe(
      true,
    );
  });

  it('is not asked for of a campaign that was never planned', async () => {
    const results = await open();
    asked = [];
    useCampaigns().choose('sample');
    await settled();
    expect([results.isPlanned, results.total, asked]).toEqual([false, 0, []]);
  });

  it('is sorted by a column, then in reverse order, then in plan order', async () => {
    const results = await open();
    asked = [];
    for (let click = 0; click < 3; click += 1) {
      results.sort('collisions', true);
      await settled();
    }
    expect(asked.map(({ sortBy, isDescending }) => [sortBy, isDescending])).toEqual([
      ['collisions', true],
      ['collisions', false],
      [undefined, undefined],
    ]);
    results.sort('collisions', true);
    results.sort('density', false);
    expect([results.sortBy, results.isDescending]).toEqual(['density', false]);
  });

  it('is filtered once typing rests, from its first row', async () => {
    const results = await open();
    [asked, results.focused] = [[], 3];
    for (const where of ['d', 'density', ' density > 1 ']) {
      results.filter.where = where;
      await vi.advanceTimersByTimeAsync(100);
    }
    expect([asked, results.focused]).toEqual([[], 0]);
    await settled();
    expect(asked.map(({ where }) => where)).toEqual(['density > 1']);
  });

  it('asks for the columns that are shown, and always for the run', async () => {
    const results = await open();
    asked = [];
    results.toggleColumn('density');
    await settled();
    expect(asked[0]?.['columns']).toEqual(['run', 'collisions']);
    expect(results.command).toMatch(/collisions/);
    expect(results.command).not.toMatch(/density/);
    results.toggleColumn('density');
    await settled();
    expect(asked[1]?.['columns']).toBeUndefined();
  });

  it('follows while runs end', async () => {
    await open();
    asked = [];
    done = 2;
    useCampaigns().refresh();
    await settled();
    expect(asked.length).toBeGreaterThan(0);
  });
});

describe('another campaign', () => {
  it('begins with nothing of the one before', async () => {
    const results = await open();
    results.filter.where = 'density > 1';
    results.sort('density', false);
    results.toggleColumn('collisions');
    results.toggle('r');
    Object.assign(results, { picked: { title: 't', where: null, rows: [] }, focused: 2 });
    await settled();
    asked = [];
    useCampaigns().choose('b');
    await settled();
    expect([results.filter.where, results.sortBy, results.hidden, results.chosen]).toEqual([
      '',
      null,
      [],
      [],
    ]);
    expect([results.picked, results.focused]).toEqual([null, 0]);
    expect(asked.length).toBeGreaterThan(0);
    for (const request of asked) {
      expect(request).toMatchObject({ campaign: 'b' });
      expect(request['where'] ?? request['sortBy'] ?? request['columns']).toBeUndefined();
    }
  });
});

it('shows the runs of a cell of a plot in the table', async () => {
  const results = await open();
  results.view = 'heat';
  await settled();
  results.picked = { title: 'cell', where: 'density = 2', rows: [] };
  results.showWhere('density = 2');
  await settled();
  expect([results.view, results.filter.where, results.picked]).toEqual([
    'table',
    'density = 2',
    null,
  ]);
});

it('reads rows for a plot only while one is shown', async () => {
  const results = await open();
  expect(results.plots.all).toBeNull();
  results.view = 'scatter';
  await settled();
  expect(results.plots.all?.rows).toHaveLength(1);
});

it('chooses runs for a comparison, in the order of choosing', async () => {
  const results = await open();
  for (const run of ['r', 's', 'r', 't']) results.toggle(run);
  expect(results.chosen).toEqual(['s', 't']);
});
