// Finding runs in a catalogue on a real file: words, filters, orders, pages, tags, notes, trash.
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { openSqlite } from '#catalogue/sqlite.ts';
import type { RunMetrics } from '#contract/host/run.ts';
import { runQueryRequests, runSortKeys, type RunQueryInput } from '#contract/host/runQueries.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import { sampleCompiled } from '#test/recordings/samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { fillCatalogue, pointsOf, stateOf } from './manyRuns.ts';
import { sampleRun } from './sampleScene.ts';

function open(file = join(temporaryFolder(), 'catalogue.sqlite')): Catalogue {
  const catalogue = openCatalogue(file);
  onTestFinished(() => catalogue.dispose());
  return catalogue;
}

function find(catalogue: Catalogue, query: RunQueryInput = {}): { rows: RunRow[]; total: number } {
  return catalogue.findRuns(runQueryRequests['runs.list'].parse(query));
}

function names(catalogue: Catalogue, query: RunQueryInput = {}): string[] {
  return find(catalogue, query).rows.map(({ name }) => name);
}

function metricsOf(simSeconds: number, points = 0): RunMetrics {
  return { simSeconds, points, collisions: 0, realTimeFactor: 1 } as RunMetrics;
}

function withRuns(catalogue: Catalogue, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const run = sampleRun(index + 1);
    catalogue.insertRun(run);
    return run.id;
  });
}

test('tags and notes are kept, searched by their beginnings, and forgotten with the run', () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const catalogue = open(file);
  const [first = '', second = ''] = withRuns(catalogue, 3);
  expect(catalogue.changeTags(first, ['wet', 'baseline'], [])).toEqual(['baseline', 'wet']);
  expect(catalogue.changeTags(first, ['wet'], ['baseline'])).toEqual(['wet']);
  catalogue.setNotes(second, 'The Über-gate at "noon" closed');
  expect(catalogue.run(first)).toMatchObject({ tags: ['wet'], notes: '' });
  const again = open(file);
  expect(names(again, { search: 'we' })).toEqual(['run 1']);
  expect(names(again, { search: 'uber NOON' })).toEqual(['run 2']);
  expect(names(again, { search: '"noon" -' })).toEqual(['run 2']);
  expect(names(again, { search: 'baseline' })).toEqual([]);
  expect(names(again, { search: 'lms-291 run 3' })).toEqual(['run 3']);
  expect(names(again, { search: '   ' })).toHaveLength(3);
  expect(names(again, { tag: 'wet' })).toEqual(['run 1']);
  again.changeTags(first, [], ['wet']);
  expect(names(again, { search: 'wet' })).toEqual([]);
  again.setNotes(second, '');
  expect(names(again, { search: 'noon' })).toEqual([]);
});

test('runs are chosen by state, scenario, sensor, time and trash, and counted', () => {
  const catalogue = open();
  withRuns(catalogue, 2);
  const elsewhere = { ...sampleCompiled('forest'), sensors: sampleCompiled().sensors.slice(0, 1) };
  const other = sampleRun(3, { compiled: elsewhere });
  catalogue.insertRun(other);
  catalogue.endRun(other.id, {
    state: 'finished',
    end: 'goal',
    error: null,
    endedMs: 9,
    metrics: metricsOf(3),
  });
  expect(names(catalogue, { state: 'finished' })).toEqual(['run 3']);
  expect(names(catalogue, { scenario: 'forest' })).toEqual(['run 3']);
  expect(names(catalogue, { sensor: 'lms-291' })).toEqual(['run 2', 'run 1']);
  expect(names(catalogue, { sensor: 'vlp-16', state: 'running' })).toEqual(['run 2', 'run 1']);
  const { createdMs } = sampleRun(2);
  expect(names(catalogue, { fromMs: createdMs })).toEqual(['run 3', 'run 2']);
  expect(names(catalogue, { toMs: createdMs })).toEqual(['run 1']);
  catalogue.changeTags(other.id, ['kept'], []);
  catalogue.trash(sampleRun(1).id, 5);
  expect(catalogue.runFacets()).toEqual({
    scenarios: [
      { value: 'forest', runs: 1 },
      { value: 'sample', runs: 1 },
    ],
    states: [
      { value: 'finished', runs: 1 },
      { value: 'running', runs: 1 },
    ],
    sensors: [
      { value: 'lms-291', runs: 1 },
      { value: 'vlp-16', runs: 2 },
    ],
    tags: [{ value: 'kept', runs: 1 }],
    trashed: 1,
  });
  expect(find(catalogue, { limit: 1 })).toMatchObject({ rows: [{ name: 'run 3' }], total: 2 });
  expect(names(catalogue, { limit: 1, offset: 1 })).toEqual(['run 2']);
  expect(names(catalogue, { trash: 'only' })).toEqual(['run 1']);
  expect(names(catalogue, { trash: 'with' })).toHaveLength(3);
  catalogue.restore(sampleRun(1).id);
  expect(names(catalogue, { trash: 'only' })).toEqual([]);
});

test('a run that is removed leaves nothing behind, and others keep what they share with it', () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const catalogue = open(file);
  const [first = '', second = ''] = withRuns(catalogue, 2);
  catalogue.insertRun(sampleRun(3, { compiled: sampleCompiled('alone') }));
  catalogue.changeTags(first, ['wet'], []);
  expect(catalogue.removeRun(first, 1000)).toBe(true);
  expect(catalogue.removeRun(sampleRun(3).id, 1000)).toBe(true);
  expect(catalogue.run(first)).toBeNull();
  expect(catalogue.compiled(second)).toEqual(sampleRun(2).compiled);
  const database = openSqlite(file, { timeoutMs: 0 });
  const count = (table: string): unknown =>
    database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect(['runs', 'documents', 'run_tags', 'run_search'].map(count)).toEqual([1, 1, 0, 1]);
  expect(count('run_sensors')).toBe(2);
  database.close();
});

test('what is not known of a run puts it last, whichever way it is sorted', () => {
  const catalogue = open();
  const ids = withRuns(catalogue, 3);
  for (const [index, seconds] of [5, 2].entries()) {
    catalogue.endRun(ids[index] ?? '', {
      state: 'finished',
      end: 'goal',
      error: null,
      endedMs: 9,
      metrics: metricsOf(seconds),
    });
  }
  const sorted = (isDescending: boolean): string[] =>
    names(catalogue, { sortBy: 'simSeconds', isDescending });
  expect(sorted(true)).toEqual(['run 1', 'run 2', 'run 3']);
  expect(sorted(false)).toEqual(['run 2', 'run 1', 'run 3']);
});

describe('among ten thousand runs', () => {
  const count = 10_000;
  let catalogue: Catalogue;
  const folder = temporaryFolder();
  beforeAll(() => {
    const file = join(folder, 'catalogue.sqlite');
    openCatalogue(file).dispose();
    fillCatalogue(file, count);
    catalogue = openCatalogue(file);
    return () => {
      catalogue.dispose();
    };
  });

  test('every order is right, page after page', () => {
    for (const sortBy of runSortKeys) {
      const first = find(catalogue, { sortBy, limit: 100 });
      expect(first.total).toBe(count);
      const second = find(catalogue, { sortBy, limit: 100, offset: 100 });
      expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(200);
    }
    const points = find(catalogue, { sortBy: 'points', limit: 5 }).rows.map(
      ({ metrics }) => metrics?.points,
    );
    const all = Array.from({ length: count }, (_, index) => pointsOf(index));
    expect(points).toEqual(all.sort((a, b) => b - a).slice(0, 5));
  });

  test('filters and words find exactly the rows that were made so', () => {
    const numbers = Array.from({ length: count }, (_, index) => index);
    const total = (query: RunQueryInput): number => find(catalogue, query).total;
    const counted = (like: (index: number) => boolean): number => numbers.filter(like).length;
    expect(total({ state: 'failed' })).toBe(counted((n) => stateOf(n) === 'failed'));
    expect(total({ tag: 'tag-3' })).toBe(counted((n) => n % 17 === 3));
    expect(total({ search: 'forest-7' })).toBe(counted((n) => n % 9 === 7));
    expect(total({ sensor: 'hdl-64e', state: 'finished' })).toBe(
      counted((n) => n % 3 === 1 && stateOf(n) === 'finished'),
    );
  });
});
