// Limits and failures of a campaign that real processes cannot be brought to in a test: a disk that fills, processes that
// are lost. Catalogue, documents and files are real; the runs are made up by the runner.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUIDv7 } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunMetrics, RunOrder } from '#contract/host/run.ts';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { createNodeTimer } from '#hosts/node/nodeTimer.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createCampaignCounter } from '#services/campaigns/campaignCounter.ts';
import { createCellDocuments } from '#services/campaigns/cellDocuments.ts';
import { executeCampaign } from '#services/campaigns/executeCampaign.ts';
import { loadCampaign } from '#services/campaigns/loadCampaign.ts';
import { createLocalRunner } from '#services/campaigns/localRunner.ts';
import { createMeasuring } from '#services/campaigns/measureRun.ts';
import { plannedText } from '#services/campaigns/prepareRun.ts';
import type { RunProcesses } from '#services/ports/runProcesses.ts';
import { planRuns } from '#domain/campaign/planRuns.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {} from '#test/workers/realWorker.ts';
import { keptLog } from '#test/support/log.ts';

const metrics = { simSeconds: 1, points: 7, goalReached: false } as RunMetrics;

/** Processes whose runs end at once, or as `execute` says; counts how many were started. */
function madeUpProcesses(execute: (order: RunOrder, call: number) => void): {
  processes: RunProcesses;
  started: () => number;
} {
  let started = 0;
  let calls = 0;
  const start: RunProcesses['start'] = () => {
    started += 1;
    return Promise.resolve({
      pid: started,
      control: () => undefined,
      dispose: () => Promise.resolve(),
      execute: (order) => {
        calls += 1;
        execute(order, calls);
        return Promise.resolve({ end: 'seconds', metrics });
      },
    });
  };
  return { processes: { start }, started: () => started };
}

/** Executes a campaign of ten runs; one at a time by default. */
async function executeTen(
  processes: RunProcesses,
  {
    more = '',
    freeDiskBytes = () => 1e12,
    jobs = 1,
    cores = 2,
  }: { more?: string; freeDiskBytes?: () => number; jobs?: number; cores?: number } = {},
) {
  const folder = temporaryFolder();
  const file = join(folder, 'ten.campaign.yaml');
  const lines = ['understoryCampaign: 1', 'name: ten', 'scenarios: [clearing]', 'replicates: 10'];
  writeFileSync(file, `${[...lines, 'measures: { points: points }', more].join('\n')}\n`);
  const catalogue = openCatalogue(join(folder, 'catalogue.sqlite'));
  onTestFinished(() => catalogue.dispose());
  const files = createNodeFiles({ assetsFolder });
  const loaded = await loadCampaign({ files, catalogue }, file);
  const { campaign, fileHash } = loaded;
  const plan = planRuns(campaign);
  const key = catalogue.saveCampaign(
    { name: 'ten', file, fileHash, document: '{}', isa: 'avx2', createdMs: 1, axes: [] },
    plan.map((run) => ({ planned: plannedText({ ...run, seconds: 1 }), values: [] })),
  );
  const row = catalogue.campaign('ten');
  if (row === null) throw new Error('there is no campaign');
  const clock = createNodeClock();
  const timer = createNodeTimer();
  const { log } = keptLog();
  const ports = {
    catalogue,
    clock,
    timer,
    log,
    files,
    version: '0',
    newId: randomUUIDv7,
    documents: createCellDocuments(files),
    recordings: createRecordings(),
    folders: createNodeRunFolders({ dataFolder: folder }),
    locks: createRunLocks(),
    machine: { ...createNodeMachine(), cores, freeDiskBytes },
  };
  const counts = catalogue.campaignCounts(key);
  const counter = createCampaignCounter(clock, counts, counts.total, () => undefined);
  const execution = executeCampaign(ports, {
    row,
    campaign,
    counter,
    jobs,
    limit: Infinity,
    indices: null,
    terms: { file, engine: 'e', isa: 'avx2' },
    measuring: createMeasuring(campaign.measures),
    timings: new Map(),
    runner: createLocalRunner({ processes, clock, timer, log }, jobs),
    signal: new AbortController().signal,
    saveInputs: () => undefined,
  });
  return { execution, catalogue, key, counter };
}

test.each([
  { jobs: 1, cores: 16, threads: null },
  { jobs: 2, cores: 16, threads: 8 },
  { jobs: 3, cores: 16, threads: 6 },
  { jobs: 16, cores: 16, threads: 1 },
  { jobs: 4, cores: 2, threads: 1 },
])('$jobs runs at once use all of $cores cores', async ({ jobs, cores, threads }) => {
  const found = new Set<number | null>();
  const { processes } = madeUpProcesses((order) => found.add(order.threads));
  const { execution } = await executeTen(processes, { jobs, cores });
  expect(await execution).toBeNull();
  expect([...found]).toEqual([threads]);
});

test('a full disk ends the campaign with one sentence, and the runs so far are kept', async () => {
  let runs = 0;
  const { processes } = madeUpProcesses(() => (runs += 1));
  const free = { freeDiskBytes: () => (runs >= 4 ? 1e6 : 1e12) };
  const { execution, catalogue, key } = await executeTen(processes, free);
  await expect(execution).rejects.toMatchObject({
    code: 'disk-full',
    message: expect.stringMatching(/ has only 1\.0 MB free$/) as string,
  });
  const { done, pending, failed } = catalogue.campaignCounts(key);
  expect({ done: done >= 4, failed, sum: done + pending }).toEqual({
    done: true,
    failed: 0,
    sum: 10,
  });
});

test('a disk that fills in a run leaves that run pending', async () => {
  const { processes } = madeUpProcesses((_, call) => {
    if (call === 3) throw new UnderstoryError('disk-full', 'there is no room left');
  });
  const { execution, catalogue, key } = await executeTen(processes);
  await expect(execution).rejects.toMatchObject({ code: 'disk-full' });
  expect(catalogue.campaignCounts(key)).toMatchObject({ done: 2, failed: 0, running: 0 });
  expect(catalogue.runs()).toHaveLength(2);
});

test('a lost process costs another attempt, one that is lost each time fails alone', async () => {
  const { processes, started } = madeUpProcesses((order, call) => {
    const { seed } = order.compiled.scenario;
    if (call === 2 || seed === 5) throw new UnderstoryError('run-lost', 'the run process ended');
  });
  const { execution, catalogue, key, counter } = await executeTen(processes);
  expect(await execution).toBeNull();
  expect(catalogue.campaignCounts(key)).toMatchObject({ done: 9, failed: 1, pending: 0 });
  expect(catalogue.campaignRuns(key, { states: ['failed'] })).toMatchObject([
    { planIndex: 4, error: 'the run process ended', attempts: 3 },
  ]);
  expect(counter.progress()).toMatchObject({ ended: 10, remainingS: 0 });
  // One at first, one after the lost call, one after each of the three losses of seed 5.
  expect(started()).toBe(5);
});

test('a recorded run that is repeated stays known as that of its campaign', async () => {
  let look = (): void => undefined;
  const { processes } = madeUpProcesses((_, call) => {
    look();
    if (call === 1) throw new UnderstoryError('worker-lost', 'the worker ended');
  });
  const more = 'save: { recording: true }';
  const { execution, catalogue, key } = await executeTen(processes, { more });
  const known: boolean[] = [];
  look = () => {
    const [running] = catalogue.campaignRuns(key, { states: ['running'] });
    known.push(typeof running?.runId === 'string');
  };
  expect(await execution).toBeNull();
  expect(known).toEqual(Array(11).fill(true));
});

test('a campaign ends at its limit of failures', async () => {
  const { processes } = madeUpProcesses(() => {
    throw new UnderstoryError('worker-failed', 'no');
  });
  const more = 'limits: { failures: 3 }';
  const { execution, catalogue, key } = await executeTen(processes, { more });
  expect(await execution).toBe('3 runs failed, which is its limit');
  expect(catalogue.campaignCounts(key)).toMatchObject({ failed: 3, pending: 7 });
});
