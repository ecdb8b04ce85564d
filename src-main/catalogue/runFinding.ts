// Finding runs among many: words, filters, any order, pages; and what a person adds to a run afterwards,
// tags and notes. A page costs one pass over the index runs_listed, and the rows of the page.
import type { Expression } from '#contract/host/expression.ts';
import { metricColumns, type MetricSortKey } from '#contract/host/runMetrics.ts';
import type { RunFilter, RunQuery, RunSortKey } from '#contract/host/runQueries.ts';
import type { Catalogue, RunFacets, RunRow } from '#services/ports/catalogue.ts';
import { sqlConditionOf } from './runConditions.ts';
import { type RunRecord, type RunKey, selectRuns, toRunRow } from './runRows.ts';
import type { Database } from './sqlite.ts';

type FindingMethods = Pick<
  Catalogue,
  'findRuns' | 'runFacets' | 'setNotes' | 'changeTags' | 'restore' | 'removeRun'
>;

const sortColumns: Record<RunSortKey, string> = {
  created: 'created_ms',
  name: 'name COLLATE NOCASE',
  state: 'state',
  scenario: 'scenario_name COLLATE NOCASE',
  seed: 'seed',
  sensors: 'sensors',
  ...metricColumnNames(),
};

/** The catalogue's methods that find runs and mark them. */
export function findingMethods(database: Database, keyOf: RunKey): FindingMethods {
  const byKey = database.prepare<[number], RunRecord>(`${selectRuns} WHERE run_key = ?`);
  const setNotes = database.prepare('UPDATE runs SET notes = ? WHERE run_key = ?');
  const addTag = database.prepare(
    'INSERT INTO run_tags (run_key, tag) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const removeTag = database.prepare('DELETE FROM run_tags WHERE run_key = ? AND tag = ?');
  const tagsOf = database
    .prepare<[number], string>('SELECT tag FROM run_tags WHERE run_key = ? ORDER BY tag')
    .pluck();
  const restore = database.prepare('UPDATE runs SET deleted_ms = NULL WHERE run_key = ?');
  const removeRun = database.prepare('DELETE FROM runs WHERE run_key = ?');
  const removeRecords = [
    'DELETE FROM scans WHERE scan_key IN (SELECT scan_key FROM scans WHERE run_key = @key LIMIT @maxRecords)',
    `DELETE FROM ticks WHERE run_key = @key
      AND tick IN (SELECT tick FROM ticks WHERE run_key = @key LIMIT @maxRecords)`,
  ].map((sql) => database.prepare(sql));
  const removeOrphans = [
    // Those with a base first: a base is needed for as long as they are there.
    `DELETE FROM documents WHERE base_hash IS NOT NULL AND hash NOT IN (SELECT document_hash FROM runs)`,
    `DELETE FROM documents WHERE hash NOT IN (SELECT document_hash FROM runs)
      AND hash NOT IN (SELECT base_hash FROM documents WHERE base_hash IS NOT NULL)`,
    // But for scenes that a run is still sending (sceneRows.ts).
    `DELETE FROM scenes WHERE scene_key NOT IN (SELECT scene_key FROM runs WHERE scene_key NOT NULL)
      AND names_hash NOT IN (SELECT 'partial:' || id FROM runs WHERE state = 'running')`,
  ].map((sql) => database.prepare(sql));
  const facets = facetQueries(database);

  const changeTags = database.transaction((key: number, add: string[], remove: string[]) => {
    for (const tag of remove) removeTag.run(key, tag);
    for (const tag of add) addTag.run(key, tag);
    return tagsOf.all(key);
  });
  const removeSlice = database.transaction((key: number, maxRecords: number) => {
    for (const statement of removeRecords) {
      if (statement.run({ key, maxRecords }).changes === maxRecords) return false;
    }
    removeRun.run(key);
    for (const statement of removeOrphans) statement.run();
    return true;
  });

  return {
    findRuns(query, condition) {
      const { keys, total } = pageOf(database, query, condition);
      const rows = keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
      return { rows: rows.map((row): RunRow => toRunRow(row)), total };
    },
    runFacets: () => facets(),
    setNotes: (runId, notes) => void setNotes.run(notes, keyOf(runId)),
    changeTags: (runId, add, remove) => changeTags.immediate(keyOf(runId), add, remove),
    restore: (runId) => void restore.run(keyOf(runId)),
    removeRun: (runId, maxRecords) => removeSlice.immediate(keyOf(runId), maxRecords),
  };
}

/** By sort key: the name in measures, or that of the metric, in the writing of SQL. */
function metricColumnNames(): Record<MetricSortKey, string> {
  const named = metricColumns.map(({ sortKey, measure, name }) => {
    const column = measure ?? name;
    return [sortKey, column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const;
  });
  // Why the cast: Object.fromEntries loses the names.
  return Object.fromEntries(named) as Record<MetricSortKey, string>;
}

/** The keys of a page, and how many runs there are in all. What is not known comes last. */
function pageOf(
  database: Database,
  query: RunQuery,
  condition: Expression | undefined,
): { keys: number[]; total: number } {
  const { where, values } = conditionsOf(query, condition);
  const { limit, offset } = query;
  const direction = query.isDescending ? 'DESC' : 'ASC';
  const column = sortColumns[query.sortBy];
  const order = `ORDER BY ${column} ${direction} NULLS LAST, run_key ${direction}`;
  const numbers = (sql: string) => database.prepare<object, number>(sql).pluck();
  if (Object.keys(values).length > 0) {
    // Why this index: one in the wanted order would have each row looked up to be filtered. Why all keys:
    // counting them apart would cost the pass over the index twice.
    const all = numbers(`SELECT run_key FROM runs INDEXED BY runs_listed WHERE ${where} ${order}`);
    const keys = all.all(values);
    return { keys: keys.slice(offset, offset + limit), total: keys.length };
  }
  const page = numbers(
    `SELECT run_key FROM runs WHERE ${where} ${order} LIMIT @limit OFFSET @offset`,
  );
  const total = numbers(`SELECT count(*) FROM runs WHERE ${where}`).get({}) ?? 0;
  return { keys: page.all({ limit, offset }), total };
}

/** The part of a query that chooses runs, in SQL with named values. */
function conditionsOf(
  filter: RunFilter,
  condition: Expression | undefined,
): {
  where: string;
  values: Record<string, string | number>;
} {
  const terms: string[] = [];
  const values: Record<string, string | number> = {};
  const given = (name: string, value: string | number | undefined, term: string): void => {
    if (value === undefined) return;
    values[name] = value;
    terms.push(term);
  };
  const { trash } = filter;
  if (trash !== 'with') terms.push(`deleted_ms IS ${trash === 'only' ? 'NOT NULL' : 'NULL'}`);
  given('state', filter.state, 'state = @state');
  given('scenario', filter.scenario, 'scenario_name = @scenario');
  given('fromMs', filter.fromMs, 'created_ms >= @fromMs');
  given('toMs', filter.toMs, 'created_ms < @toMs');
  given(
    'sensor',
    filter.sensor,
    'EXISTS (SELECT 1 FROM run_sensors s WHERE s.run_key = runs.run_key AND s.sensor = @sensor)',
  );
  given(
    'tag',
    filter.tag,
    'EXISTS (SELECT 1 FROM run_tags t WHERE t.run_key = runs.run_key AND t.tag = @tag)',
  );
  const words = matchOf(filter.search ?? '');
  given(
    'words',
    words ?? undefined,
    'run_key IN (SELECT rowid FROM run_search WHERE run_search MATCH @words)',
  );
  if (condition !== undefined) {
    const written = sqlConditionOf(condition);
    terms.push(written.sql);
    Object.assign(values, written.values);
  }
  return { where: terms.length === 0 ? '1' : terms.join(' AND '), values };
}

/** Every word as the beginning of one that must be there; null where there is nothing to look for. */
function matchOf(search: string): string | null {
  const words = search.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return null;
  return words.map((word) => `"${word.replaceAll('"', '""')}"*`).join(' ');
}

/** Filters with the number of runs that each selects; runs in the trash are counted apart. */
function facetQueries(database: Database): () => RunFacets {
  const counts = (sql: string) =>
    database.prepare<[], { value: string; runs: number }>(
      `${sql} WHERE deleted_ms IS NULL GROUP BY value ORDER BY value COLLATE NOCASE`,
    );
  const scenarios = counts('SELECT scenario_name AS value, count(*) AS runs FROM runs');
  const states = counts('SELECT state AS value, count(*) AS runs FROM runs');
  const sensors = counts(
    'SELECT sensor AS value, count(*) AS runs FROM run_sensors JOIN runs USING (run_key)',
  );
  const tags = counts(
    'SELECT tag AS value, count(*) AS runs FROM run_tags JOIN runs USING (run_key)',
  );
  const trashed = database
    .prepare<[], number>('SELECT count(*) FROM runs WHERE deleted_ms IS NOT NULL')
    .pluck();
  return () => ({
    scenarios: scenarios.all(),
    states: states.all() as RunFacets['states'],
    sensors: sensors.all(),
    tags: tags.all(),
    trashed: trashed.get() ?? 0,
  });
}
