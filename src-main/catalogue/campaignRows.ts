// Campaigns in the catalogue: their plans, the state of each planned run, and the finished runs that they share.
import type { CampaignCounts, CampaignRunState } from '#contract/host/campaignMethods.ts';
import type { RunMetrics } from '#contract/host/run.ts';
import type { Isa } from '#contract/worker/worker.ts';
import type {
  StoredAxisValue,
  AxisRow,
  CampaignCatalogue,
  CampaignPace,
  CampaignRow,
  CampaignRunRow,
  NewCampaign,
  NewCampaignRun,
} from '#services/ports/campaigns.ts';
import type { RunKey } from './runRows.ts';
import type { Database } from './sqlite.ts';

interface CampaignRecord {
  campaign_key: number;
  name: string;
  file: string;
  file_hash: string;
  document: string;
  isa: Isa;
  engine: string | null;
  inputs: string;
  created_ms: number;
  started_ms: number | null;
  is_stopping: number;
  pace: string | null;
}

interface CampaignRunRecord {
  plan_index: number;
  planned: string;
  identity: string | null;
  id: string | null;
  state: CampaignRunState;
  attempts: number;
  error: string | null;
  measures: string | null;
  wall_s: number | null;
  host_name: string | null;
}

interface ValueRecord {
  plan_index: number;
  number_value: number | null;
  text_value: string | null;
}

type Measures = Record<string, number | null>;

/** The catalogue's methods about campaigns. */
export function campaignMethods(database: Database, keyOf: RunKey): CampaignCatalogue {
  return {
    ...stateMethods(database),
    ...plannedRunMethods(database, keyOf),
    ...sharingMethods(database, keyOf),
    together: (work) => database.transaction(work).immediate(),
  };
}

type StateMethods = Pick<
  CampaignCatalogue,
  | 'saveCampaign'
  | 'campaign'
  | 'campaigns'
  | 'removeCampaign'
  | 'axes'
  | 'campaignCounts'
  | 'resetRunning'
  | 'resetFailed'
  | 'resetIdentities'
  | 'setStarted'
  | 'setInputs'
  | 'setPace'
  | 'setStopping'
>;

function stateMethods(database: Database): StateMethods {
  const byName = database.prepare<[string], CampaignRecord>(
    'SELECT * FROM campaigns WHERE name = ?',
  );
  const all = database.prepare<[], CampaignRecord>('SELECT * FROM campaigns ORDER BY name');
  const remove = database.prepare('DELETE FROM campaigns WHERE campaign_key = ?');
  const axes = database.prepare<[number], AxisRow>(
    'SELECT name, kind FROM campaign_axes WHERE campaign_key = ? ORDER BY position',
  );
  const counts = database.prepare<[number], { state: CampaignRunState; runs: number }>(
    'SELECT state, count(*) AS runs FROM campaign_runs WHERE campaign_key = ? GROUP BY state',
  );
  const reset = database.prepare(
    "UPDATE campaign_runs SET state = 'pending', error = NULL WHERE campaign_key = ? AND state = ?",
  );
  const resetThese = database.prepare(`
    UPDATE campaign_runs SET state = 'pending', error = NULL WHERE campaign_key = ?
      AND state = 'failed' AND plan_index IN (SELECT value FROM json_each(?))`);
  const resetIdentities = database.prepare(`
    UPDATE campaign_runs SET state = 'pending', identity = NULL, run_key = NULL, error = NULL,
      measures = NULL, wall_s = NULL, host_name = NULL WHERE campaign_key = ?`);
  const setStarted = database.prepare(
    'UPDATE campaigns SET engine = ?, started_ms = coalesce(started_ms, ?), is_stopping = 0 WHERE campaign_key = ?',
  );
  const setInputs = database.prepare('UPDATE campaigns SET inputs = ? WHERE campaign_key = ?');
  const setPace = database.prepare('UPDATE campaigns SET pace = ? WHERE campaign_key = ?');
  const setStopping = database.prepare(
    'UPDATE campaigns SET is_stopping = ? WHERE campaign_key = ?',
  );
  const save = planSaving(database);
  return {
    saveCampaign: (...args) => save.immediate(...args),
    campaign(name) {
      const row = byName.get(name);
      return row === undefined ? null : toCampaignRow(row);
    },
    campaigns: () => all.all().map(toCampaignRow),
    removeCampaign: (key) => void remove.run(key),
    axes: (key) => axes.all(key),
    campaignCounts(key) {
      const result: CampaignCounts = { total: 0, done: 0, failed: 0, running: 0, pending: 0 };
      for (const { state, runs } of counts.all(key)) {
        result[state] = runs;
        result.total += runs;
      }
      return result;
    },
    resetRunning: (key) => void reset.run(key, 'running'),
    resetFailed: (key, indices) =>
      indices === undefined
        ? reset.run(key, 'failed').changes
        : resetThese.run(key, JSON.stringify(indices)).changes,
    resetIdentities: (key) => void resetIdentities.run(key),
    setStarted: (key, engine, startedMs) => void setStarted.run(engine, startedMs, key),
    setInputs: (key, inputs) => void setInputs.run(JSON.stringify(inputs), key),
    setPace: (key, pace) => void setPace.run(JSON.stringify(pace), key),
    setStopping: (key, isStopping) => void setStopping.run(isStopping ? 1 : 0, key),
  };
}

type PlannedRunMethods = Pick<
  CampaignCatalogue,
  | 'campaignRuns'
  | 'axisValues'
  | 'setIdentity'
  | 'beginCampaignRun'
  | 'setCampaignRun'
  | 'endCampaignRun'
>;

function plannedRunMethods(database: Database, keyOf: RunKey): PlannedRunMethods {
  const select = `SELECT campaign_runs.*, runs.id FROM campaign_runs
    LEFT JOIN runs USING (run_key) WHERE campaign_key = @key AND plan_index >= @fromIndex`;
  const runsOf = database.prepare<object, CampaignRunRecord>(
    `${select} ORDER BY plan_index LIMIT @limit`,
  );
  const runsIn = database.prepare<object, CampaignRunRecord>(
    `${select} AND campaign_runs.state IN (SELECT value FROM json_each(@states))
     ORDER BY plan_index LIMIT @limit`,
  );
  const values = database.prepare<object, ValueRecord>(`
    SELECT plan_index, number_value, text_value FROM campaign_values
    WHERE campaign_key = @key AND plan_index BETWEEN @fromIndex AND @toIndex
    ORDER BY plan_index, axis_position`);
  const setIdentity = database.prepare(
    'UPDATE campaign_runs SET identity = ? WHERE campaign_key = ? AND plan_index = ?',
  );
  const begin = database.prepare(`
    UPDATE campaign_runs SET state = 'running', attempts = attempts + 1, error = NULL, run_key = ?
    WHERE campaign_key = ? AND plan_index = ?`);
  const setRun = database.prepare(
    'UPDATE campaign_runs SET run_key = ? WHERE campaign_key = ? AND plan_index = ?',
  );
  const end = database.prepare(`
    UPDATE campaign_runs SET state = @state, error = @error, measures = @measures, wall_s = @wallS,
      host_name = @hostName, run_key = @runKey, attempts = attempts + @moreAttempts
    WHERE campaign_key = @key AND plan_index = @planIndex`);
  return {
    campaignRuns(key, { states, fromIndex = 0, limit = -1 } = {}) {
      const asked = { key, fromIndex, limit };
      const rows =
        states === undefined
          ? runsOf.all(asked)
          : runsIn.all({ ...asked, states: JSON.stringify(states) });
      return rows.map(toCampaignRunRow);
    },
    axisValues(key, fromIndex, limit) {
      const rows: StoredAxisValue[][] = [];
      let last = -1;
      for (const row of values.iterate({ key, fromIndex, toIndex: fromIndex + limit - 1 })) {
        if (row.plan_index !== last) rows.push([]);
        last = row.plan_index;
        rows.at(-1)?.push(row.number_value ?? row.text_value);
      }
      return rows;
    },
    setIdentity: (key, planIndex, identity) => void setIdentity.run(identity, key, planIndex),
    beginCampaignRun: (key, planIndex, runId) =>
      void begin.run(runId === null ? null : keyOf(runId), key, planIndex),
    setCampaignRun: (key, planIndex, runId) => void setRun.run(keyOf(runId), key, planIndex),
    endCampaignRun(key, planIndex, { runId, measures, moreAttempts = 0, ...row }) {
      const runKey = runId === null ? null : keyOf(runId);
      const text = measures === null ? null : JSON.stringify(measures);
      end.run({ ...row, measures: text, runKey, moreAttempts, key, planIndex });
    },
  };
}

type SharingMethods = Pick<CampaignCatalogue, 'sharedRuns' | 'addMeasures' | 'setRunIdentity'>;

function sharingMethods(database: Database, keyOf: RunKey): SharingMethods {
  const shared = database.prepare<
    [string],
    { id: string; figures: string; measures: string | null; has_records: number }
  >(`
    SELECT id, figures, measures,
      EXISTS (SELECT 1 FROM ticks WHERE ticks.run_key = runs.run_key) AS has_records
    FROM runs WHERE identity = ? AND state = 'finished' AND deleted_ms IS NULL AND figures IS NOT NULL
    ORDER BY has_records DESC, run_key`);
  const measuresOf = database
    .prepare<[number], string | null>('SELECT measures FROM runs WHERE run_key = ?')
    .pluck();
  const setMeasures = database.prepare('UPDATE runs SET measures = ? WHERE run_key = ?');
  const setRunIdentity = database.prepare('UPDATE runs SET identity = ? WHERE run_key = ?');
  return {
    sharedRuns: (identity) =>
      shared.all(identity).map(({ id, figures, measures, has_records: hasRecords }) => ({
        runId: id,
        metrics: JSON.parse(figures) as RunMetrics,
        measures: JSON.parse(measures ?? '{}') as Measures,
        hasRecords: hasRecords === 1,
      })),
    addMeasures(runId, measures) {
      const key = keyOf(runId);
      const before = JSON.parse(measuresOf.get(key) ?? '{}') as Measures;
      setMeasures.run(JSON.stringify({ ...before, ...measures }), key);
    },
    setRunIdentity: (runId, identity) => void setRunIdentity.run(identity, keyOf(runId)),
  };
}

/** Writes a campaign and its plan, in place of those of the same name. */
function planSaving(database: Database) {
  const upsert = database.prepare<[object], { campaign_key: number }>(`
    INSERT INTO campaigns (name, file, file_hash, document, isa, inputs, created_ms)
    VALUES (@name, @file, @fileHash, @document, @isa, '{}', @createdMs)
    ON CONFLICT (name) DO UPDATE SET file = excluded.file, file_hash = excluded.file_hash,
      document = excluded.document, isa = excluded.isa RETURNING campaign_key`);
  const termsOf = database.prepare<[string], { isa: Isa; file: string }>(
    'SELECT isa, file FROM campaigns WHERE name = ?',
  );
  const oldRuns = database.prepare<[number], CampaignRunRecord>(
    "SELECT *, NULL AS id FROM campaign_runs WHERE campaign_key = ? AND (identity IS NOT NULL OR state = 'failed')",
  );
  const removeParts = ['campaign_values', 'campaign_runs', 'campaign_axes'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE campaign_key = ?`),
  );
  const insertAxis = database.prepare(
    'INSERT INTO campaign_axes (campaign_key, position, name, kind) VALUES (?, ?, ?, ?)',
  );
  const insertRun = database.prepare(`
    INSERT INTO campaign_runs
      (campaign_key, plan_index, planned, identity, state, attempts, error, wall_s, host_name)
    VALUES (@key, @planIndex, @planned, @identity, @state, @attempts, @error, @wallS, @hostName)`);
  const insertValue = database.prepare(`
    INSERT INTO campaign_values (campaign_key, plan_index, axis_position, number_value, text_value)
    VALUES (?, ?, ?, ?, ?)`);

  return database.transaction(
    ({ axes, ...campaign }: NewCampaign, runs: readonly NewCampaignRun[]): number => {
      const { isa, file } = termsOf.get(campaign.name) ?? {};
      // Why: runs of another instruction set, and of files beside another file, have other identities.
      const keepsRuns = isa === campaign.isa && file === campaign.file;
      const key = upsert.get(campaign)?.campaign_key ?? 0;
      const before = new Map(
        keepsRuns ? oldRuns.all(key).map((row) => [row.planned, row] as const) : [],
      );
      for (const statement of removeParts) statement.run(key);
      for (const [position, { name, kind }] of axes.entries())
        insertAxis.run(key, position, name, kind);
      for (const [planIndex, { planned, values }] of runs.entries()) {
        const old = before.get(planned);
        const { identity = null, state, attempts = 0, error = null } = old ?? {};
        const isFailed = state === 'failed';
        insertRun.run({
          key,
          planIndex,
          planned,
          identity,
          attempts,
          wallS: old?.wall_s ?? null,
          hostName: old?.host_name ?? null,
          state: isFailed ? 'failed' : 'pending',
          error: isFailed ? error : null,
        });
        for (const [position, value] of values.entries())
          insertValue.run(key, planIndex, position, ...cellsOf(value));
      }
      return key;
    },
  );
}

/** number_value and text_value. */
function cellsOf(value: StoredAxisValue): [number | null, string | null] {
  if (value === null) return [null, null];
  return typeof value === 'number' ? [value, null] : [null, String(value)];
}

function toCampaignRow(row: CampaignRecord): CampaignRow {
  return {
    key: row.campaign_key,
    name: row.name,
    file: row.file,
    fileHash: row.file_hash,
    document: row.document,
    isa: row.isa,
    engine: row.engine,
    inputs: JSON.parse(row.inputs) as Record<string, string>,
    createdMs: row.created_ms,
    startedMs: row.started_ms,
    isStopping: row.is_stopping === 1,
    pace: row.pace === null ? null : (JSON.parse(row.pace) as CampaignPace),
  };
}

function toCampaignRunRow(row: CampaignRunRecord): CampaignRunRow {
  return {
    planIndex: row.plan_index,
    planned: row.planned,
    identity: row.identity,
    runId: row.id,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    measures: row.measures === null ? null : (JSON.parse(row.measures) as Measures),
    wallS: row.wall_s,
    hostName: row.host_name,
  };
}
