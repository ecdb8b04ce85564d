// Checks the file of a catalogue without changing it: pages, references, the text of rows, documents against their
// hashes, and what is kept by triggers. It reads the whole file and takes seconds for a large one: hosts have it done
// by a process of its own.
import { createHash } from 'node:crypto';
import type { Catalogue, CatalogueFault, CatalogueReport } from '#services/ports/catalogue.ts';
import { unpackColumns, unpackCounts } from './blobs.ts';
import { everyDocument } from './documentRows.ts';
import { guarded } from './failures.ts';
import { ownedTables, rebuildIndices, removeUnreachable } from './repairCatalogue.ts';
import { type Database, openSqlite } from './sqlite.ts';

/** More of a kind are counted, not listed. */
const maxListed = 100;

/** @throws UnderstoryError 'locked' where another process has the file to itself, 'io' */
export function checkCatalogueFile(file: string, isQuick: boolean): CatalogueReport {
  return guarded(file, () => {
    const database = openSqlite(file, { timeoutMs: 5000, isReadOnly: true });
    try {
      return checkDatabase(database, isQuick);
    } finally {
      database.close();
    }
  });
}

/** The same of an open database; a quick check leaves out indices, documents and blobs. */
function checkDatabase(database: Database, isQuick: boolean): CatalogueReport {
  const report: CatalogueReport = { faults: [], damagedDocuments: [] };
  const attempt = (where: string, work: () => CatalogueFault[]): void => {
    try {
      report.faults.push(...work());
    } catch (error) {
      report.faults.push(pageFault((error as Error).message, where));
    }
  };
  attempt('pages', () => pageFaults(database, isQuick));
  // Why no further: every other question would fail at the same pages.
  if (report.faults.some(({ kind }) => kind === 'catalogue-damaged')) return report;
  attempt('references', () => referenceFaults(database));
  attempt('rows', () => textFaults(database));
  attempt('campaign_runs', () => campaignFaults(database));
  attempt('run_search', () => searchFaults(database));
  if (isQuick) return report;
  attempt('blobs', () => blobFaults(database));
  attempt('documents', () => {
    report.damagedDocuments.push(...damagedDocuments(database));
    return [];
  });
  return report;
}

/** The methods of the port about checks. */
export function checkMethods(
  database: Database,
  file: string,
): Pick<Catalogue, 'file' | 'check' | 'rebuildIndices' | 'removeUnreachable' | 'runKeysAfter'> {
  const after = database.prepare<
    [number, number],
    { key: number; id: string; documentHash: string }
  >(
    `SELECT run_key AS key, id, document_hash AS documentHash FROM runs WHERE run_key > ?
     ORDER BY run_key LIMIT ?`,
  );
  return {
    file,
    check: (isQuick) => checkDatabase(database, isQuick),
    runKeysAfter: (key, limit) => after.all(key, limit),
    rebuildIndices: () => database.transaction(() => rebuildIndices(database)).immediate(),
    removeUnreachable: () => database.transaction(() => removeUnreachable(database)).immediate(),
  };
}

function pageFaults(database: Database, isQuick: boolean): CatalogueFault[] {
  // Why by any name: each of the two names its column after itself.
  const rows = database.pragma(`${isQuick ? 'quick_check' : 'integrity_check'}(${maxListed})`);
  const messages = (rows as Record<string, string>[]).flatMap((row) => Object.values(row));
  const faults = new Map<string, CatalogueFault>();
  for (const message of messages.filter((text) => text !== 'ok')) {
    const index = /\bindex (\w+)$|(run_search)/.exec(message);
    const where = index?.[1] ?? index?.[2] ?? 'pages';
    // Why one for each index: it is reported for every row that it lacks.
    const key = index === null ? message : where;
    if (!faults.has(key))
      faults.set(key, index === null ? pageFault(message) : indexFault(where, message));
  }
  return [...faults.values()];
}

function pageFault(found: string, where = 'pages'): CatalogueFault {
  const text = { expected: 'sound pages', found: found.replace(/\s+/g, ' ') };
  return { kind: 'catalogue-damaged', where, runId: null, ...text };
}

function indexFault(where: string, found: string): CatalogueFault {
  return { kind: 'index-damaged', where, runId: null, expected: 'an entry for each row', found };
}

/** Rows that refer to rows that are gone, by table. */
function referenceFaults(database: Database): CatalogueFault[] {
  const rows = database.pragma('foreign_key_check') as { table: string; parent: string }[];
  const counts = new Map<string, number>();
  for (const { table, parent } of rows) {
    const key = `${table} ${parent}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => {
    const [table = '', parent = ''] = key.split(' ');
    const isOwned = ownedTables(database).some(
      (one) => one.table === table && one.parent === parent,
    );
    return {
      kind: isOwned ? 'rows-unreachable' : 'row-damaged',
      where: table,
      runId: null,
      expected: `rows that belong to one of ${parent}`,
      found: `${count} that belong to none`,
    };
  });
}

/** Columns that hold JSON, with what a row of theirs is called. */
const jsonColumns: readonly [table: string, column: string, id: string][] = [
  ...['sensors', 'figures', 'run_order', 'origin', 'measures'].map(
    (column): [string, string, string] => ['runs', column, 'id'],
  ),
  ['scenes', 'summary', 'hash'],
  ['scenes', 'classes', 'hash'],
  ...['document', 'inputs', 'pace'].map((column): [string, string, string] => [
    'campaigns',
    column,
    'name',
  ]),
  ['campaign_runs', 'planned', 'plan_index'],
  ['campaign_runs', 'measures', 'plan_index'],
];

function textFaults(database: Database): CatalogueFault[] {
  return jsonColumns.flatMap(([table, column, id]) => {
    const rows = database
      .prepare<[], string>(
        `SELECT ${id} FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column}) LIMIT ${maxListed}`,
      )
      .pluck()
      .all();
    return rows.map((row) => ({
      kind: 'row-damaged' as const,
      where: `${table}.${column}`,
      runId: table === 'runs' ? row : null,
      expected: 'JSON',
      found: table === 'runs' ? 'another text' : `another text in the row ${row}`,
    }));
  });
}

/** Planned runs that were done by a run of another identity. */
function campaignFaults(database: Database): CatalogueFault[] {
  const rows = database
    .prepare<[], { name: string; plan_index: number; id: string }>(
      `SELECT campaigns.name, plan_index, runs.id
       FROM campaign_runs JOIN campaigns USING (campaign_key) JOIN runs USING (run_key)
       WHERE campaign_runs.state = 'done' AND campaign_runs.identity <> runs.identity
       LIMIT ${maxListed}`,
    )
    .all();
  return rows.map(({ name, plan_index: index, id }) => ({
    kind: 'campaign-differs',
    where: `campaign '${name}', planned run ${index}`,
    runId: id,
    expected: 'a run of the same identity',
    found: 'one of another identity',
  }));
}

/** Rows that triggers write: the words to search for, and sensors as rows. */
function searchFaults(database: Database): CatalogueFault[] {
  const count = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? 0;
  const words = count(`SELECT count(*) FROM runs LEFT JOIN run_search ON run_search.rowid = run_key
    WHERE run_search.rowid IS NULL OR run_search.name IS NOT runs.name
      OR run_search.scenario IS NOT scenario_name OR run_search.notes IS NOT runs.notes`);
  const extra = count(
    'SELECT count(*) FROM run_search WHERE rowid NOT IN (SELECT run_key FROM runs)',
  );
  const sensors = count(`SELECT count(*) FROM runs, json_each(runs.sensors)
    WHERE json_valid(runs.sensors) AND NOT EXISTS (SELECT 1 FROM run_sensors
      WHERE run_sensors.run_key = runs.run_key AND run_sensors.sensor = value)`);
  const faults: CatalogueFault[] = [];
  if (words + extra > 0) faults.push(indexFault('run_search', `${words + extra} that differ`));
  if (sensors > 0) faults.push(indexFault('run_sensors', `${sensors} missing`));
  return faults;
}

/** Counts of ground cover, its poses and measures of plants, which are packed. */
function blobFaults(database: Database): CatalogueFault[] {
  const faults: CatalogueFault[] = [];
  const scans = database.prepare<[], { id: string; tick: number; covers: Uint8Array }>(
    'SELECT id, tick, covers FROM scans JOIN runs USING (run_key) WHERE covers IS NOT NULL',
  );
  for (const { id, tick, covers } of scans.iterate()) {
    if (isReadable(() => unpackCounts(covers))) continue;
    const found = `another content in tick ${tick}`;
    faults.push({
      kind: 'row-damaged',
      where: 'scans.covers',
      runId: id,
      expected: 'packed counts',
      found,
    });
  }
  const slices = database.prepare<[], { name: string; instances: Uint8Array }>(
    'SELECT name, instances FROM scene_cover_slices',
  );
  for (const { name, instances } of slices.iterate()) {
    if (isReadable(() => unpackColumns(instances))) continue;
    const found = `another content of '${name}'`;
    const where = 'scene_cover_slices.instances';
    faults.push({ kind: 'row-damaged', where, runId: null, expected: 'packed poses', found });
  }
  const plants = database.prepare<[], { hash: string; plants: Uint8Array }>(
    'SELECT hash, plants FROM scene_plants JOIN scenes USING (scene_key)',
  );
  for (const { hash, plants: packed } of plants.iterate()) {
    if (isReadable(() => unpackColumns(packed))) continue;
    const found = `another content in the scene ${hash}`;
    const where = 'scene_plants.plants';
    faults.push({ kind: 'row-damaged', where, runId: null, expected: 'packed plants', found });
  }
  return faults.slice(0, maxListed);
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Hashes of documents whose JSON has another. */
function damagedDocuments(database: Database): string[] {
  const damaged: string[] = [];
  for (const { hash, json } of everyDocument(database)) {
    if (json === null || createHash('sha256').update(json).digest('hex') !== hash)
      damaged.push(hash);
  }
  return damaged;
}
