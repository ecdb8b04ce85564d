// The two lists of runs: one copy of each run, tags as the host's reply says, and no more reads than are needed.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { useRuns } from '#renderer/stores/runs/runs.ts';
import { useRunTable } from '#renderer/stores/runs/runTable.ts';
import { fakePage, type FakePage } from '../pageOf.ts';

let page: FakePage;
/** The catalogue's tags, by run. */
let catalogue: Map<string, string[]>;

beforeEach(() => {
  catalogue = new Map(['a', 'b', 'c'].map((id) => [id, []]));
  page = fakePage();
  page.answer('runs.list', () => ({
    runs: [...catalogue].map(([id, tags]) => ({ id, tags, state: 'finished' })),
    total: catalogue.size,
  }));
  page.answer('runs.facets', () => ({
    tags: [...new Set([...catalogue.values()].flat())].map((value) => ({ value, runs: 1 })),
  }));
  page.answer('runs.tag', (request) => {
    const { runIds, add, remove } = request as {
      runIds: string[];
      add: string[];
      remove: string[];
    };
    const reply = runIds.map((runId) => {
      const tags = [...(catalogue.get(runId) ?? []), ...add].filter((tag) => !remove.includes(tag));
      catalogue.set(runId, tags);
      // The host reports each change before it answers.
      page.emit('runs.changed', { runId, state: 'finished' });
      return { runId, tags };
    });
    return reply;
  });
});

async function openLists(): Promise<{
  latest: ReturnType<typeof useRuns>;
  table: ReturnType<typeof useRunTable>;
}> {
  const [latest, table] = [useRuns(), useRunTable()];
  await vi.waitFor(() => expect(latest.hasLoaded && table.hasLoaded).toBe(true));
  return { latest, table };
}

/** Longer than the table waits before it reads again. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 400));
}

describe('tags', () => {
  it('come from the reply, in both lists, and no list is read again', async () => {
    const { latest, table } = await openLists();
    const before = page.calls.length;
    await table.tag(['a', 'b'], ['wet'], []);
    expect(latest.runs.map(({ tags }) => tags)).toEqual([['wet'], ['wet'], []]);
    expect([0, 1, 2].map((row) => table.rowAt(row)?.tags)).toEqual([['wet'], ['wet'], []]);
    await settled();
    expect(page.calls.slice(before)).toEqual(['runs.tag', 'runs.facets']);
    expect(table.facets?.tags.map(({ value }) => value)).toEqual(['wet']);
  });

  it('are read again where the list is filtered by them', async () => {
    const { table } = await openLists();
    table.filter.tag = 'wet';
    await settled();
    const before = page.calls.length;
    await table.tag(['a'], ['wet'], []);
    await settled();
    expect(page.calls.slice(before)).toContain('runs.list');
  });

  it('that the host refuses change nothing, and later changes are seen', async () => {
    const { latest, table } = await openLists();
    page.answer('runs.tag', () => {
      throw new UnderstoryError('io', 'the disk is full');
    });
    await expect(table.tag(['a'], ['wet'], [])).rejects.toThrow('the disk is full');
    expect(latest.runs[0]?.tags).toEqual([]);
    catalogue.set('a', ['dry']);
    page.emit('runs.changed', { runId: 'a', state: 'finished' });
    await vi.waitFor(() => expect(table.rowAt(0)?.tags).toEqual(['dry']));
    expect(latest.runs[0]?.tags).toEqual(['dry']);
  });
});

describe('a run', () => {
  it('that leaves the catalogue leaves both lists', async () => {
    const { latest, table } = await openLists();
    catalogue.delete('b');
    page.emit('runs.changed', { runId: 'b', state: 'finished' });
    await vi.waitFor(() => expect(table.total).toBe(2));
    await vi.waitFor(() => expect(latest.runs.map(({ id }) => id)).toEqual(['a', 'c']));
    expect(table.rowAt(1)?.id).toBe('c');
  });
});

describe('rows', () => {
  it('are chosen one by one or as a range, and deselected when another list is shown', async () => {
    const { table } = await openLists();
    table.toggleChosen('c');
    await table.chooseRange(1, 0);
    expect(table.chosen).toEqual(['c', 'a', 'b']);
    table.toggleChosen('a');
    expect(table.isChosen('a')).toBe(false);
    table.filter.isTrash = true;
    await vi.waitFor(() => expect(table.chosen).toEqual([]));
  });

  it('are sorted by another column, then in reverse order', async () => {
    const { table } = await openLists();
    table.sort('name', false);
    expect([table.filter.sortBy, table.filter.isDescending]).toEqual(['name', false]);
    table.sort('name', false);
    expect(table.filter.isDescending).toBe(true);
  });
});
