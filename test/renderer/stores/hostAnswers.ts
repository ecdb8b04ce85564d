// Answers of a host that tests of several stores and composables share: lists, scenarios, documents in files, campaigns,
// logs, ticks of a recording. A test sets its own answers after these.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { WithColumns, type FakePage } from './pageOf.ts';

/** The lists that stores read at the start, all empty. */
export function answerEmptyLists(page: FakePage): void {
  for (const method of ['scenario.list', 'sensor.list', 'plant.list'])
    page.answer(method, () => []);
  page.answer('runs.list', () => ({ runs: [], total: 0 }));
}

/** The scenario /s.yaml with `text`, and flat ground at `heightM`. `parse` returns the data of an edited text. */
export function answerScenario(
  page: FakePage,
  { text = '', heightM = 0, parse = (_: string): unknown => ({}) } = {},
): void {
  page.answer('document.read', () => ({ text, file: '/s.yaml', hash: 'h', isSample: false }));
  page.answer('document.edit', (request) => {
    const { text: edited } = request as { text: string };
    const data = parse(edited);
    return { text: edited, value: data, data, problems: [] };
  });
  page.answer('scene.heightAt', () => ({ heightM }));
}

/** An open scene from the origin to `maxM`. */
export function sceneContents(
  maxM: readonly [number, number, number],
  { sceneHash = 'a', ...more }: Partial<SceneContents> & { sceneHash?: string } = {},
): SceneContents {
  const summary = { minM: [0, 0, 0], maxM, sceneHash };
  return { scene: '1', originM: [0, 0, 0], ...more, summary } as unknown as SceneContents;
}

export interface SaveRequest {
  file: string;
  text: string;
  isReplacing: boolean;
  from?: string;
  knownHash?: string;
}

export interface StoredFiles {
  /** Texts by file; the hash of a file is its text. */
  files: Map<string, string>;
  samples: Set<string>;
  saves: SaveRequest[];
}

/** A host that reads and saves documents in `files`. */
export function answerFiles(page: FakePage, files: Map<string, string>): StoredFiles {
  const stored: StoredFiles = { files, samples: new Set(), saves: [] };
  page.answer('document.read', (request) => {
    const { document } = request as { document: string };
    const text = files.get(document);
    if (text === undefined) throw new UnderstoryError('bad-input', `no ${document}`);
    return { file: document, text, isSample: stored.samples.has(document), hash: text };
  });
  page.answer('document.save', (request) => {
    const saved = request as SaveRequest;
    const { knownHash } = saved;
    stored.saves.push(saved);
    const before = files.get(saved.file);
    const refuse = (reason: string): never => {
      throw new UnderstoryError('bad-input', `refused: ${reason}`, { reason });
    };
    if (before !== undefined && !saved.isReplacing) refuse('exists');
    if (knownHash !== undefined && knownHash !== before) refuse('changed-on-disk');
    files.set(saved.file, saved.text);
    return { file: saved.file, text: saved.text, hash: saved.text };
  });
  return stored;
}

/** The campaign `name` in a list, planned and unchanged. */
export function campaignOf(name: string, more: object): object {
  return { name, description: '', file: `/${name}.yaml`, hasChanged: false, ...more };
}

/** A sample campaign and those of `campaigns`, without a status. */
export function answerCampaigns(page: FakePage, campaigns: () => readonly object[]): void {
  answerEmptyLists(page);
  const sample = { id: 'sample', description: '', file: '/samples/sample.yaml' };
  page.answer('host.info', () => ({ dataFolder: '/d' }));
  page.answer('campaign.list', () => ({ samples: [sample], campaigns: campaigns() }));
  page.answer('campaign.status', () => ({}));
}

/** The log `name` in a list. */
export function logOf(name: string): object {
  return {
    file: `/d/logs/${name}.log`,
    bytes: 1,
    modifiedMs: 1,
    problem: null,
    statistics: { hash: name, beams: 10, returns: 8, missesAre: 'recorded' },
  };
}

/** The learned model `name` in a list. */
export function modelOf(name: string, header: object = {}): object {
  return {
    file: `/d/models/${name}.ply`,
    bytes: 1,
    modifiedMs: 1,
    problem: null,
    header: { kind: 'voxel', elements: 2, logHashes: ['a'], ...header },
  };
}

/** Lists of these logs and models, and clouds with one return; the hash of a log is `hashOf` its file. */
export function answerLearning(
  page: FakePage,
  { logs = ['a', 'b'], models = [] as readonly object[], hashOf = (_: string): string => 'a' } = {},
): void {
  answerEmptyLists(page);
  page.answer('log.list', () => ({ folder: '/d/logs', logs: logs.map(logOf) }));
  page.answer('learn.models', () => ({ folder: '/d/models', models }));
  page.answer('log.cloud', (request, { onChunk }) => {
    const position = Float32Array.of(1, 2, 3);
    const columns = { position, intensity: Float32Array.of(0.5), class_id: new Uint16Array(1) };
    void onChunk?.({ rows: 1 }, columns);
    const hash = hashOf((request as { log: string }).log);
    return { originM: [100, 0, 0], sent: 1, returns: 8, classes: [], hash };
  });
}

/** A recording of `ticksOf(run)` ticks of 0.1 s, stationary at the origin, without cost maps and earlier marks. */
export function answerRecording(page: FakePage, ticksOf: (runId: string) => number): void {
  page.answer('runs.show', (request) => ({ id: (request as { runId: string }).runId, tags: [] }));
  page.answer('runs.ticks', (request) => {
    const count = ticksOf((request as { runId: string }).runId);
    return new WithColumns({ ticks: count, classes: [] }, tickColumns(count));
  });
  page.answer('runs.costs', () => {
    const none = new Float64Array();
    const plans = { plan_time_s: none, plan_change_m: none };
    return new WithColumns({ maps: 0, plans: 0 }, { time_s: none, cost_here: none, ...plans });
  });
  page.answer('runs.past', () => null);
}

function tickColumns(count: number): Columns {
  const zeros = new Float64Array(count);
  const places = ['truth_x_m', 'truth_y_m', 'truth_z_m', 'gps_x_m', 'gps_y_m', 'gps_z_m'];
  const numbers = ['speed_m_per_s', 'position_error_m', 'distance_to_goal_m'];
  return {
    ...Object.fromEntries([...places, ...numbers].map((name) => [name, zeros])),
    time_s: Float64Array.from(zeros, (_, tick) => tick / 10),
    collisions: new Uint32Array(count),
    class_returns: new Uint32Array(),
  };
}
