// Rows that the plots of results read, and the columns that they begin with.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { createResultPlots } from '#renderer/stores/campaigns/resultPlots.ts';
import { held } from '../browserStubs.ts';
import { fakePage, type FakePage } from '../pageOf.ts';

let page: FakePage;
let shown: string;
let where: string;
let total: number;
/** Requests for rows, and for groups. */
let asked: { offset: number; where?: string }[];
let grouped: { by: string[] }[];

const columns = [
  { name: 'run', kind: 'plan', type: 'text' },
  { name: 'seed', kind: 'plan', type: 'number' },
  { name: 'density', kind: 'axis', type: 'number' },
  { name: 'height', kind: 'axis', type: 'number' },
  { name: 'collisions', kind: 'measure', type: 'number' },
];
/** Only the height differs from run to run. */
const rowOf = (index: number) => ({ index, values: [`r${index}`, index, 5, index % 2, 0] });

beforeEach(() => {
  vi.useFakeTimers();
  [shown, where, total] = ['heat', '', 2];
  [asked, grouped] = [[], []];
  page = fakePage();
  page.answer('campaign.results', (request) => {
    const { offset, limit } = request as { offset: number; limit: number };
    asked.push(request as (typeof asked)[number]);
    const length = Math.max(0, Math.min(limit, total - offset));
    return { columns, rows: Array.from({ length }, (_, at) => rowOf(offset + at)), total };
  });
  page.answer('campaign.group', (request) => {
    grouped.push(request as { by: string[] });
    return { groups: grouped.length };
  });
});
afterEach(() => vi.useRealTimers());

function open() {
  return page.within(() =>
    effectScope(true).run(() =>
      createResultPlots(useClient(), () => 'c', {
        where: () => where,
        isShown: (view) => view === shown,
      }),
    )!,
  );
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(10);

describe('a plot', () => {
  it('has all rows that pass the filter, read in pieces', async () => {
    [total, where] = [12_000, 'density > 1'];
    const plots = open();
    plots.refresh();
    await settled();
    expect(asked.map(({ offset }) => offset)).toEqual([0, 5000, 10_000]);
    expect(asked.every((request) => request.where === 'density > 1')).toBe(true);
    expect(plots.all?.rows.at(-1)?.index).toBe(11_999);
  });

  it('limits its points to what the page can draw', async () => {
    total = 1_000_000;
    const plots = open();
    plots.refresh();
    await settled();
    expect(plots.all?.rows).toHaveLength(100_000);
  });

  it('ends where the host has fewer rows than it said', async () => {
    page.answer('campaign.results', (request) => {
      const { offset } = request as { offset: number };
      return { columns, rows: offset === 0 ? [rowOf(0)] : [], total: 9 };
    });
    const plots = open();
    plots.refresh();
    await settled();
    expect(plots.all?.rows).toHaveLength(1);
  });

  it('that is not shown reads nothing', async () => {
    shown = 'table';
    const plots = open();
    plots.refresh();
    await settled();
    expect(asked).toEqual([]);
  });

  it('begins with what varies, and keeps what was chosen', async () => {
    const plots = open();
    plots.refresh();
    await settled();
    expect([plots.choice.x, plots.choice.y, plots.choice.measure]).toEqual([
      'height',
      'seed',
      'collisions',
    ]);
    plots.choice.x = 'density';
    plots.refresh();
    await vi.advanceTimersByTimeAsync(1000);
    expect(plots.choice.x).toBe('density');
  });

  it('of another campaign does not get the rows of the one before', async () => {
    const late = held<unknown>();
    page.answer('campaign.results', () => late.promise);
    const plots = open();
    plots.refresh();
    await settled();
    plots.clear();
    late.resolve({ columns, rows: [rowOf(0)], total: 1 });
    await settled();
    expect([plots.all, plots.choice.x]).toEqual([null, '']);
  });

  it('reports why it cannot be read, until it can', async () => {
    const plots = open();
    page.answer('campaign.results', () => {
      throw new Error('expected an expression');
    });
    plots.refresh();
    await settled();
    expect(plots.error).toBe('expected an expression');
    page.answer('campaign.results', () => ({ columns, rows: [rowOf(0)], total: 1 }));
    plots.refresh();
    await vi.advanceTimersByTimeAsync(1000);
    expect(plots.error).toBeNull();
  });

  it('is read again seldom where reading takes long', async () => {
    const readingMs = 2000;
    page.answer('campaign.results', async (request) => {
      asked.push(request as (typeof asked)[number]);
      await new Promise((resolve) => setTimeout(resolve, readingMs));
      return { columns, rows: [rowOf(0)], total: 1 };
    });
    const plots = open();
    plots.refresh();
    await vi.advanceTimersByTimeAsync(readingMs + 10);
    // A fifth of the time: the next one begins 10 s after the last has ended.
    for (let again = 0; again < 9; again += 1) {
      plots.refresh();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1500);
    expect(asked).toHaveLength(2);
  });
});

describe('groups', () => {
  it('are computed by the host for what is chosen, again for another choice', async () => {
    shown = 'groups';
    const plots = open();
    plots.refresh();
    await settled();
    // By the first axis that varies, at once and for its choice.
    expect(grouped.length).toBeGreaterThan(0);
    expect(grouped.at(-1)?.by).toEqual(['height']);
    plots.choice.by = ['density', 'height'];
    await settled();
    expect(grouped.at(-1)?.by).toEqual(['density', 'height']);
    expect(plots.groups).toEqual({ groups: grouped.length });
  });

  it('are not computed while another plot is shown', async () => {
    const plots = open();
    plots.refresh();
    await settled();
    plots.choice.by = ['density'];
    await settled();
    expect(grouped).toEqual([]);
  });
});
