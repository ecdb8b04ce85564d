// The pages of a table of results: which are read, and that what comes late is of the table as it is now.
import { beforeEach, describe, expect, it } from 'vitest';
import { useClient } from '#renderer/client/injection.ts';
import { createResultPages, type ResultPages } from '#renderer/stores/campaigns/resultPages.ts';
import { fakePage, type FakePage } from '../pageOf.ts';

const columns = [{ name: 'a', kind: 'axis', type: 'number' }];
let page: FakePage;
/** Offset of each request. */
let asked: number[];
let sortBy: string | undefined;

const rowOf = (index: number) => ({ index, runId: null, state: 'done', values: [index] });

beforeEach(() => {
  [asked, sortBy] = [[], undefined];
  page = fakePage();
  page.answer('campaign.results', (request) => {
    const { offset, limit } = request as { offset: number; limit: number };
    asked.push(offset);
    const rows = Array.from({ length: limit }, (_, at) => rowOf(offset + at));
    return { columns, available: columns, rows, total: 10_000 };
  });
});

function open(): ResultPages {
  return page.within(() =>
    createResultPages(useClient(), () => ({
      campaign: 'c',
      ...(sortBy !== undefined && { sortBy }),
    })),
  );
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('pages of results', () => {
  it('are read where they are in sight, each once', async () => {
    const pages = open();
    await pages.refresh();
    expect(pages.total.value).toBe(10_000);
    pages.see({ first: 390, count: 30 });
    pages.see({ first: 391, count: 30 });
    await settled();
    expect(asked).toEqual([0, 200, 400]);
    expect(pages.rowAt(401)?.index).toBe(401);
    expect(pages.rowAt(5000)).toBeNull();
  });

  it('of another order replace those before, however late these come', async () => {
    const pages = open();
    await pages.refresh();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    page.answer('campaign.results', async () => {
      await held;
      return { columns, rows: [rowOf(9)], total: 1 };
    });
    const late = pages.refresh();
    sortBy = 'a';
    page.answer('campaign.results', () => ({
      columns,
      available: columns,
      rows: [rowOf(3)],
      total: 1,
    }));
    await pages.refresh();
    release();
    await late;
    expect(pages.rowAt(0)?.index).toBe(3);
  });

  it('stay when the host refuses the condition, which is reported', async () => {
    const pages = open();
    await pages.refresh();
    page.answer('campaign.results', () => {
      throw new Error('expected an expression');
    });
    await pages.refresh();
    expect(pages.error.value).toBe('expected an expression');
    expect(pages.rowAt(0)?.index).toBe(0);
    pages.clear();
    expect([pages.total.value, pages.error.value]).toEqual([0, null]);
  });
});
