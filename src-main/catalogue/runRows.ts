// Runs in the catalogue: their life from 'running' to an end, and finding them again.
import { createHash } from 'node:crypto';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunEnd, RunMetrics, RunOrigin, RunState } from '#contract/host/run.ts';
import type { Isa } from '#contract/worker/worker.ts';
import type { Catalogue, NewRun, RunRow, StoredDocument } from '#services/ports/catalogue.ts';
import { compiledOfRow } from './compiledOfRow.ts';
import { documentRows } from './documentRows.ts';
import type { Database } from './sqlite.ts';

type RunMethods = Pick<
  Catalogue,
  | 'insertRun'
  | 'endRun'
  | 'markInterrupted'
  | 'setTotals'
  | 'trash'
  | 'run'
  | 'runs'
  | 'runsOfScenario'
  | 'order'
  | 'compiled'
  | 'storedScenario'
>;

/** Finds the key of a run by its whole id. @throws UnderstoryError 'not-found' */
export type RunKey = (runId: string) => number;

/** The lookup, its statement prepared once. */
export function runKeys(database: Database): RunKey {
  const byId = database.prepare<[string], number>('SELECT run_key FROM runs WHERE id = ?').pluck();
  return (runId) => {
    const key = byId.get(runId);
    if (key === undefined)
      throw new UnderstoryError('not-found', `there is no run ${runId}`, { runId });
    return key;
  };
}

export interface RunRecord {
  id: string;
  name: string;
  state: RunState;
  created_ms: number;
  ended_ms: number | null;
  scenario_hash: string;
  scenario_name: string;
  seed: number;
  sensors: string;
  version: string;
  isa: Isa | null;
  engine: string | null;
  host_name: string;
  /** As JSON. */
  origin: string | null;
  scene_hash: string | null;
  sim_seconds: number | null;
  points: number | null;
  end_reason: RunEnd | null;
  /** As JSON; the column has the name that 0.1.0 gave it. */
  figures: string | null;
  error: string | null;
  deleted_ms: number | null;
  notes: string;
  /** As a JSON array. */
  tags: string;
}

export const selectRuns = `SELECT runs.*,
  (SELECT hash FROM scenes WHERE scenes.scene_key = runs.scene_key) AS scene_hash,
  (SELECT json_group_array(tag ORDER BY tag) FROM run_tags WHERE run_tags.run_key = runs.run_key) AS tags
  FROM runs`;

/** The catalogue's methods about runs. */
export function runMethods(database: Database, keyOf: RunKey): RunMethods {
  const documents = documentRows(database);
  const insertRun = database.prepare(`
    INSERT INTO runs (id, name, state, created_ms, document_hash, scenario_hash, scenario_name, seed,
      sensors, version, isa, engine, host_name, run_order, origin, identity)
    VALUES (@id, @name, 'running', @createdMs, @documentHash, @scenarioHash, @scenarioName, @seed,
      @sensors, @version, @isa, @engine, @hostName, @order, @origin, @identity)`);
  const end = database.prepare(`
    UPDATE runs SET state = @state, end_reason = @end, figures = @metrics, error = @error,
      ended_ms = @endedMs WHERE run_key = @key`);
  const interrupt = database.prepare(`
    UPDATE runs SET state = 'interrupted', error = @error, ended_ms = @endedMs
    WHERE run_key = @key AND state = 'running'`);
  const setTotals = database.prepare(
    'UPDATE runs SET sim_seconds = @simSeconds, points = @points WHERE run_key = @key',
  );
  const trash = database.prepare('UPDATE runs SET deleted_ms = ? WHERE run_key = ?');
  const byPrefix = database.prepare<[string, string], RunRecord>(
    `${selectRuns} WHERE id >= ? AND id < ? ORDER BY id LIMIT 3`,
  );
  const list = database.prepare<object, RunRecord>(`
    ${selectRuns} WHERE (@state IS NULL OR state = @state) AND (@withTrash OR deleted_ms IS NULL)
    ORDER BY created_ms DESC, run_key DESC LIMIT @limit`);
  const ofScenario = database.prepare<[string], RunRecord>(
    `${selectRuns} WHERE scenario_hash = ? ORDER BY created_ms`,
  );
  const order = database
    .prepare<[number], string>('SELECT run_order FROM runs WHERE run_key = ?')
    .pluck();

  const insert = database.transaction((run: NewRun) => {
    const document = run.document ?? documentOf(run.compiled);
    documents.insert(document, run.baseHash ?? null);
    const { id, name, createdMs, version, hostName } = run;
    const { scenario, scenarioHash, sensors } = run.compiled;
    const { origin = null, engine = null, identity = null } = run;
    insertRun.run({
      id,
      name,
      createdMs,
      documentHash: document.hash,
      scenarioHash,
      scenarioName: scenario.name,
      seed: scenario.seed,
      sensors: JSON.stringify(sensors.map(({ recipe }) => recipe.id)),
      version,
      isa: run.order.isa,
      engine,
      hostName,
      order: JSON.stringify(run.order),
      origin: origin && JSON.stringify(origin),
      identity,
    });
  });

  return {
    insertRun: (...args) => insert.immediate(...args),
    endRun(runId, { metrics, ...outcome }) {
      end.run({ ...outcome, metrics: metrics && JSON.stringify(metrics), key: keyOf(runId) });
    },
    markInterrupted(runId, error, endedMs) {
      interrupt.run({ key: keyOf(runId), error, endedMs });
    },
    setTotals(runId, totals) {
      setTotals.run({ ...totals, key: keyOf(runId) });
    },
    trash(runId, deletedMs) {
      trash.run(deletedMs, keyOf(runId));
    },
    run(idOrPrefix) {
      const found = byPrefix.all(idOrPrefix, `${idOrPrefix}\u{10ffff}`);
      const kept = found.filter((row) => row.id === idOrPrefix || row.deleted_ms === null);
      const [row, another] = kept.length > 0 ? kept : found;
      if (row === undefined) return null;
      if (another !== undefined && row.id !== idOrPrefix) {
        const message = `more than one run starts with '${idOrPrefix}': write more of its id`;
        throw new UnderstoryError('bad-input', message, { runIds: [row.id, another.id] });
      }
      return toRunRow(row);
    },
    runs({ state, withTrash = false, limit = -1 } = {}) {
      const rows = list.all({ state: state ?? null, withTrash: withTrash ? 1 : 0, limit });
      return rows.map(toRunRow);
    },
    runsOfScenario: (scenarioHash) => ofScenario.all(scenarioHash).map(toRunRow),
    order(runId) {
      return JSON.parse(order.get(keyOf(runId)) ?? 'null') as NewRun['order'];
    },
    compiled(runId) {
      return compiledOfRow(documents.ofRun(keyOf(runId)));
    },
    storedScenario: (runId) => documents.ofRun(keyOf(runId)) ?? 'null',
  };
}

function documentOf(compiled: NewRun['compiled']): StoredDocument {
  const json = JSON.stringify(compiled);
  return { json, hash: createHash('sha256').update(json).digest('hex') };
}

/** A row as the port gives it. A damaged cell is empty and named in `error`: one row must not hide all others. */
export function toRunRow(row: RunRecord): RunRow {
  const damaged: string[] = [];
  const cell = <T>(name: 'sensors' | 'figures' | 'tags', empty: T): T => {
    try {
      const value: unknown = JSON.parse(row[name] ?? 'null');
      if (Array.isArray(value) === Array.isArray(empty)) return value as T;
    } catch {
      // Why swallowed: it is reported below, as a list of the wrong kind is.
    }
    damaged.push(name);
    return empty;
  };
  const cells = {
    sensors: cell<string[]>('sensors', []),
    metrics: cell<RunMetrics | null>('figures', null),
    tags: cell<string[]>('tags', []),
  };
  const damage = `the catalogue's row of this run is damaged (${damaged.join(', ')})`;
  return {
    ...cells,
    id: row.id,
    name: row.name,
    state: row.state,
    createdMs: row.created_ms,
    endedMs: row.ended_ms,
    scenarioHash: row.scenario_hash,
    scenarioName: row.scenario_name,
    seed: row.seed,
    version: row.version,
    isa: row.isa,
    engine: row.engine,
    hostName: row.host_name,
    origin: row.origin === null ? null : (JSON.parse(row.origin) as RunOrigin),
    sceneHash: row.scene_hash,
    simSeconds: row.sim_seconds,
    points: row.points,
    end: row.end_reason,
    error: damaged.length === 0 ? row.error : damage,
    deletedMs: row.deleted_ms,
    notes: row.notes,
  };
}
