// Campaigns in a catalogue on a file: plans, results, runs shared by identity, documents as differences.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { openSqlite } from '#catalogue/sqlite.ts';
import type { RunMetrics } from '#contract/host/run.ts';
import type { Catalogue, NewRun } from '#services/ports/catalogue.ts';
import type { NewCampaign, NewCampaignRun } from '#services/ports/campaigns.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { sampleInstances, sampleRun, sampleSavedScene } from './sampleScene.ts';

function open(): { catalogue: Catalogue; file: string } {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const catalogue = openCatalogue(file);
  onTestFinished(() => catalogue.dispose());
  return { catalogue, file };
}

const campaign: NewCampaign = {
  name: 'density',
  file: '/data/density.campaign.yaml',
  fileHash: 'f1',
  document: '{}',
  isa: 'avx2',
  createdMs: 7,
  axes: [
    { name: 'density', kind: 'number' },
    { name: 'sensor', kind: 'text' },
  ],
};

function plan(...densities: number[]): NewCampaignRun[] {
  return densities.map((density) => ({
    planned: `density ${density}`,
    values: [density, 'lms-291'],
  }));
}

const metrics = { simSeconds: 1, points: 20 } as RunMetrics;
const done = { state: 'done', error: null, wallS: 0.5, hostName: 'here' } as const;

function finishRun(catalogue: Catalogue, number: number, changes: Partial<NewRun> = {}): string {
  const run = sampleRun(number, changes);
  catalogue.insertRun(run);
  catalogue.endRun(run.id, { state: 'finished', end: 'seconds', metrics, error: null, endedMs: 9 });
  return run.id;
}

test('a plan is stored with the values of its axes, and its runs go from pending to done or failed', () => {
  const { catalogue } = open();
  const key = catalogue.saveCampaign(campaign, plan(100, 200, 400));
  expect(catalogue.axes(key)).toEqual(campaign.axes);
  expect(catalogue.axisValues(key, 1, 2)).toEqual([
    [200, 'lms-291'],
    [400, 'lms-291'],
  ]);
  const runId = finishRun(catalogue, 1);
  catalogue.beginCampaignRun(key, 0, null);
  expect(catalogue.campaignCounts(key)).toMatchObject({ total: 3, running: 1, pending: 2 });
  catalogue.endCampaignRun(key, 0, { ...done, runId, measures: { points: 20, share: null } });
  catalogue.beginCampaignRun(key, 1, null);
  catalogue.endCampaignRun(key, 1, {
    ...done,
    state: 'failed',
    error: 'no room',
    runId: null,
    measures: null,
  });
  catalogue.beginCampaignRun(key, 2, null);
  catalogue.resetRunning(key);
  expect(catalogue.campaignCounts(key)).toEqual({
    total: 3,
    done: 1,
    failed: 1,
    running: 0,
    pending: 1,
  });
  const [first, second, third] = catalogue.campaignRuns(key);
  expect(first).toMatchObject({ runId, attempts: 1, measures: { points: 20, share: null } });
  expect(second).toMatchObject({ state: 'failed', error: 'no room' });
  expect(third).toMatchObject({ state: 'pending', attempts: 1 });
  expect(catalogue.resetFailed(key, [0, 2])).toBe(0);
  expect(catalogue.resetFailed(key)).toBe(1);
});

test('attempts are those that began, with what a runner repeated and without what it only asked for', () => {
  const { catalogue } = open();
  const key = catalogue.saveCampaign(campaign, plan(100, 200));
  const nothing = { ...done, runId: null, measures: null };
  for (const state of ['pending', 'pending'] as const) {
    catalogue.beginCampaignRun(key, 0, null);
    catalogue.endCampaignRun(key, 0, { ...nothing, state, moreAttempts: -1 });
  }
  catalogue.beginCampaignRun(key, 1, null);
  catalogue.endCampaignRun(key, 1, { ...nothing, moreAttempts: 2 });
  expect(catalogue.campaignRuns(key).map(({ attempts }) => attempts)).toEqual([0, 3]);
});

test('a changed file is a new plan: equal runs keep identity and failure, others have none', () => {
  const { catalogue } = open();
  const key = catalogue.saveCampaign(campaign, plan(100, 200));
  catalogue.setIdentity(key, 0, 'i100');
  catalogue.beginCampaignRun(key, 1, null);
  const failure = { ...done, state: 'failed' as const, error: 'no room' };
  catalogue.endCampaignRun(key, 1, { ...failure, runId: null, measures: null });
  const changed = { ...campaign, fileHash: 'f2' };
  expect(catalogue.saveCampaign(changed, plan(300, 200, 100))).toBe(key);
  const rows = catalogue.campaignRuns(key);
  expect(rows.map(({ state, identity, error }) => ({ state, identity, error }))).toEqual([
    { state: 'pending', identity: null, error: null },
    { state: 'failed', identity: null, error: 'no room' },
    { state: 'pending', identity: 'i100', error: null },
  ]);
  // Another instruction set, other identities.
  catalogue.saveCampaign({ ...campaign, isa: 'avx512' }, plan(100));
  expect(catalogue.campaignRuns(key)[0]).toMatchObject({ identity: null, state: 'pending' });
});

test('finished runs are found by identity, not those in the trash', () => {
  const { catalogue } = open();
  const id = finishRun(catalogue, 1, { identity: 'same' });
  const trashed = finishRun(catalogue, 2, { identity: 'same' });
  finishRun(catalogue, 3, { identity: 'other' });
  catalogue.insertRun(sampleRun(4, { identity: 'same' }));
  catalogue.trash(trashed, 1);
  catalogue.addMeasures(id, { 'points / 2': 10 });
  catalogue.addMeasures(id, { 'points / 3': null });
  expect(catalogue.sharedRuns('same')).toEqual([
    { runId: id, metrics, measures: { 'points / 2': 10, 'points / 3': null }, hasRecords: false },
  ]);
});

test('a run that is deleted leaves the result of the campaign', () => {
  const { catalogue } = open();
  const key = catalogue.saveCampaign(campaign, plan(100));
  const runId = finishRun(catalogue, 1);
  catalogue.beginCampaignRun(key, 0, null);
  catalogue.endCampaignRun(key, 0, { ...done, runId, measures: { points: 20 } });
  expect(catalogue.removeRun(runId, 1000)).toBe(true);
  expect(catalogue.campaignRuns(key)).toMatchObject([
    { state: 'done', runId: null, measures: { points: 20 } },
  ]);
});

test('documents of similar runs are stored as differences, and outlive the run of their base', () => {
  const { catalogue, file } = open();
  const [base, ...others] = [0, 1, 2, 3].map((seed) => {
    const run = sampleRun(seed);
    const { scenario, recipe } = run.compiled;
    const compiled = {
      ...run.compiled,
      scenario: { ...scenario, seed },
      recipe: { ...recipe, seed },
    };
    const json = JSON.stringify(compiled);
    return { ...run, compiled, document: { json, hash: `document-${seed}` } };
  });
  if (base === undefined) throw new Error('there is no run');
  catalogue.insertRun(base);
  const baseHash = base.document.hash;
  for (const run of others) catalogue.insertRun({ ...run, baseHash });
  const sizes = documentSizes(file);
  expect(sizes['document-0']).toBe(base.document.json.length);
  for (const run of others) expect(sizes[run.document.hash]).toBeLessThan(200);
  catalogue.removeRun(base.id, 1000);
  for (const run of others) {
    expect(catalogue.storedScenario(run.id)).toBe(run.document.json);
    expect(catalogue.compiled(run.id).scenario.seed).toBe(run.compiled.scenario.seed);
    // The index of a run without a scene is read from its recipe.
    catalogue.saveScene(run.id, sampleSavedScene(), sampleInstances());
  }
  for (const run of others) catalogue.removeRun(run.id, 1000);
  expect(documentSizes(file)).toEqual({});
});

/** Bytes of each document in the file. */
function documentSizes(file: string): Record<string, number> {
  const database = openSqlite(file, { timeoutMs: 1000 });
  try {
    const sql = 'SELECT hash, length(json) + coalesce(length(packed), 0) AS bytes FROM documents';
    const rows = database.prepare<[], { hash: string; bytes: number }>(sql).all();
    return Object.fromEntries(rows.map(({ hash, bytes }) => [hash, bytes]));
  } finally {
    database.close();
  }
}

test('several writes are one transaction', () => {
  const { catalogue } = open();
  const key = catalogue.saveCampaign(campaign, plan(100));
  expect(() =>
    catalogue.together(() => {
      catalogue.beginCampaignRun(key, 0, null);
      catalogue.insertRun(sampleRun(1));
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(catalogue.runs()).toHaveLength(0);
  expect(catalogue.campaignCounts(key).pending).toBe(1);
});
