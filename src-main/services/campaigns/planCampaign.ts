// The plan of a call of campaign.run: the number of new runs, and their time and disk space. Nothing is stored.
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import { axesOf, planRuns, type PlannedRun } from '#domain/campaign/planRuns.ts';
import { engineHash } from '#services/engine.ts';
import type { CampaignRow } from '#services/ports/campaigns.ts';
import { createYield } from '#services/yielding.ts';
import { createCellDocuments } from './cellDocuments.ts';
import { jobsFor, openedWorker } from './campaignWorker.ts';
import { campaignProblems } from './checkBakes.ts';
import { runProblems } from './checkCampaign.ts';
import { estimateRuns } from './estimateRuns.ts';
import { changedInputs, createFileSnapshot } from './fileSnapshot.ts';
import type { LoadedCampaign } from './loadCampaign.ts';
import { createMeasuring } from './measureRun.ts';
import { prepareRun, type PreparePorts, type RunTerms } from './prepareRun.ts';
import { findShared } from './shareRuns.ts';
import type { RunCampaignPorts } from './runCampaign.ts';

export interface PlanCall {
  loaded: LoadedCampaign;
  /** Runs at most, the first of the plan. */
  limit: number;
  signal: AbortSignal;
  /** Runs that were checked. */
  onProgress: (done: number, total: number) => void;
  /** Runs that were executed for the estimate. */
  onTrial: (done: number, total: number) => void;
}

/** @throws 'bad-input' with every problem of the runs, 'unsupported' without the campaign's instruction set */
export async function planCampaign(ports: RunCampaignPorts, call: PlanCall): Promise<CampaignPlan> {
  const { loaded, limit, signal } = call;
  const { campaign, file } = loaded;
  const all = planRuns(campaign);
  const runs = all.slice(0, limit);
  const yieldNow = createYield(ports, signal);
  const problems = await runProblems(ports.files, campaign, {
    file,
    signal,
    yieldNow,
    onProgress: call.onProgress,
  });
  if (problems.length > 0) throw campaignProblems(campaign, problems);
  const { files } = createFileSnapshot(ports.files);
  const prepare = { files, documents: createCellDocuments(files) };
  const worker = await openedWorker(ports, campaign.isa);
  let terms: RunTerms;
  let jobs: number;
  try {
    const engine = await engineHash(worker.hello, ports.product.simulatingSources);
    terms = { file, engine, isa: campaign.isa };
    const [first] = runs;
    const seconds = campaign.limits.simSeconds ?? null;
    const planned = first === undefined ? null : { ...first, seconds };
    jobs = await jobsFor(ports, planned, prepare, terms, worker, signal);
  } finally {
    await worker.dispose();
  }
  const { missing, remeasured } = await missingRuns(ports, prepare, runs, terms, call);
  const shared = {
    name: campaign.name,
    runs: runs.length,
    new: missing.length,
    isa: campaign.isa,
    jobs,
    reused: runs.length - missing.length,
    remeasured,
    axes: axesOf(campaign, all),
  };
  if (missing.length === 0) {
    const nothing = { wallSeconds: 0, bytes: 0, startUpS: 0, runSeconds: 0, hostRunS: 0 };
    return { ...shared, ...nothing, basis: 'nothing-new' };
  }
  const estimate = await estimateRuns(
    { ...ports, ...prepare },
    { loaded, terms, jobs, signal, runs: missing, onProgress: call.onTrial },
  );
  return { ...shared, ...estimate };
}

/** Runs without a finished run of equal identity that has all measures; those of them that lack only measures. */
async function missingRuns(
  ports: RunCampaignPorts,
  prepare: PreparePorts,
  runs: readonly PlannedRun[],
  terms: RunTerms,
  { loaded, signal, onProgress }: PlanCall,
): Promise<{ missing: PlannedRun[]; remeasured: number }> {
  const { catalogue } = ports;
  const { campaign } = loaded;
  // Why: without any run there is nothing to be shared, and no identity is needed.
  if (catalogue.runs({ limit: 1 }).length === 0) return { missing: [...runs], remeasured: 0 };
  const row = await validRow(ports, loaded, terms.engine);
  const stored = new Map(
    row === null ? [] : catalogue.campaignRuns(row.key).map((each) => [each.planIndex, each]),
  );
  const measuring = createMeasuring(campaign.measures);
  const seconds = campaign.limits.simSeconds ?? null;
  const missing: PlannedRun[] = [];
  let remeasured = 0;
  const yieldNow = createYield(ports, signal);
  for (const [done, run] of runs.entries()) {
    onProgress(done, runs.length);
    await yieldNow();
    const known = stored.get(run.index);
    if (known?.state === 'done') continue;
    const knownIdentity = campaign.save.recording ? null : (known?.identity ?? null);
    const prepared =
      knownIdentity === null ? await prepareRun(prepare, { ...run, seconds }, terms, signal) : null;
    const identity = prepared?.identity ?? knownIdentity ?? '';
    const recorded = prepared !== null && campaign.save.recording ? prepared.compiled : null;
    const isShared = (await findShared(ports, { identity, measuring, recorded })) !== null;
    if (isShared) continue;
    missing.push(run);
    const finished = catalogue.sharedRuns(identity);
    const isMeasured = finished.some((each) => {
      return measuring.fromStored(each.metrics, each.measures) !== null;
    });
    if (finished.length > 0 && !isMeasured) remeasured += 1;
  }
  return { missing, remeasured };
}

/** The campaign's row where its plan and identities hold now; else null. */
async function validRow(
  { catalogue, files }: RunCampaignPorts,
  { campaign, file, fileHash }: LoadedCampaign,
  engine: string,
): Promise<CampaignRow | null> {
  const row = catalogue.campaign(campaign.name);
  if (row === null || row.fileHash !== fileHash || row.file !== file) return null;
  if (row.engine !== engine || (await changedInputs(files, row.inputs)).length > 0) return null;
  return row;
}
