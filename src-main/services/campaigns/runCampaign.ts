// One call of campaign.run: the plan in the catalogue, the engine, what may be reused, the runner. Guarantees: one
// process at a time executes a campaign; what an earlier one left under way is pending again; identities are computed
// again when an input or the engine has changed.
import { UnderstoryError } from '#contract/errors.ts';
import type { CampaignProgress } from '#contract/host/campaignMethods.ts';
import { axesOf, planRuns } from '#domain/campaign/planRuns.ts';
import { engineHash } from '#services/engine.ts';
import type {
  CampaignPace,
  CampaignRow,
  CampaignRunRow,
  StoredAxisValue,
} from '#services/ports/campaigns.ts';
import type { Files } from '#services/ports/files.ts';
import type { CampaignRunner } from '#services/ports/campaignRunner.ts';
import type { OpenSharedResults, SharedResults } from '#services/ports/sharedResults.ts';
import type { RunProcesses } from '#services/ports/runProcesses.ts';
import type { ProcessMeter, Product } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { createYield } from '#services/yielding.ts';
import { createCellDocuments } from './cellDocuments.ts';
import { expectBakes } from './checkBakes.ts';
import { jobsFor, openedWorker } from './campaignWorker.ts';
import { createCampaignCounter } from './campaignCounter.ts';
import { createPaceMeter } from './campaignPace.ts';
import {
  executeCampaign,
  type ExecutePorts,
  type RunTiming,
  type TimedRun,
} from './executeCampaign.ts';
import { changedInputs, createFileSnapshot } from './fileSnapshot.ts';
import { hashOfCampaign, type LoadedCampaign } from './loadCampaign.ts';
import { createLocalRunner } from './localRunner.ts';
import { createMeasuring } from './measureRun.ts';
import { createSharedRunner } from './sharedRunner.ts';
import { plannedOf, plannedText, type PlannedText, type RunTerms } from './prepareRun.ts';

export interface RunCampaignPorts extends Omit<ExecutePorts, 'documents'> {
  files: Files;
  processes: RunProcesses;
  launcher: WorkerLauncher;
  product: Product;
  meter: ProcessMeter;
  openSharedResults: OpenSharedResults;
  /** A data folder that is gone after `work`, on the disk of the real one: what is measured there holds here. */
  withTrialFolder: <T>(work: (trial: TrialFolder) => Promise<T>) => Promise<T>;
}

export type TrialFolder = Pick<ExecutePorts, 'catalogue' | 'folders'>;

export interface CampaignCall {
  loaded: LoadedCampaign;
  /** Runs of the call at most, the first of the plan. */
  limit: number;
  /** Only these places in the plan; null: all. */
  indices: readonly number[] | null;
  /**
   * Results are shared through a folder; where it is only collected from, nothing is executed. `engine`: of the machine
   * that collects; null: not known. `isRetrying`: what has failed is removed from it. Null: neither.
   */
  share: {
    results: SharedResults;
    isCollecting: boolean;
    isRetrying: boolean;
    engine: string | null;
  } | null;
  /** Runs at once; null: as many as cores and memory allow. */
  jobs: number | null;
  signal: AbortSignal;
  onProgress: (progress: CampaignProgress) => void;
  /** Called when an executed run has ended well. */
  onTimed?: (run: TimedRun) => void;
}

export interface CampaignEnd {
  /** Executed runs that ended well. */
  doneNow: number;
  /** Runs that finished ones stand in for. */
  reusedNow: number;
  failedNow: number;
  /** Runs of the call that it ended without: it was stopped, or reached a limit of the campaign. */
  pendingNow: number;
  /** Null: too few runs were executed. */
  pace: CampaignPace | null;
  /** Sentences about what a person should know. */
  notices: string[];
}

/**
 * Executes the runs of a campaign that are missing.
 * @throws 'locked' where another process executes it, 'unsupported' without its instruction set, and as executeCampaign
 */
export async function runCampaign(
  ports: RunCampaignPorts,
  call: CampaignCall,
): Promise<CampaignEnd> {
  const { loaded, signal } = call;
  const { name } = loaded.campaign;
  const startS = ports.clock.seconds();
  const lock = acquire(ports, name);
  try {
    const { catalogue } = ports;
    const timings = new Map<string, RunTiming>();
    const row = savePlan(ports, loaded, timings);
    await removeInterrupted(ports, row.key);
    catalogue.resetRunning(row.key);
    return await execute(ports, row, call, { startS, timings });
  } finally {
    lock.release();
    if (signal.aborted) ports.log.info('a campaign was stopped', { campaign: name });
  }
}

/** The lock of a campaign. @throws 'locked' */
function acquire({ locks, folders }: RunCampaignPorts, name: string): { release(): void } {
  try {
    return locks.acquire(folders.campaignLockFile(name));
  } catch (error) {
    if (!(error instanceof UnderstoryError) || error.code !== 'locked') throw error;
    const message = `another process executes the campaign '${name}': 'campaign status ${name}' shows its progress`;
    throw new UnderstoryError('locked', message, { name });
  }
}

/** Notes what is known of the runs that the campaign has executed, before its plan or identities are replaced. */
function noteTimings(
  { catalogue }: Pick<RunCampaignPorts, 'catalogue'>,
  key: number,
  timings: Map<string, RunTiming>,
): void {
  for (const run of catalogue.campaignRuns(key, { states: ['done', 'pending'] })) {
    const { identity, wallS, hostName, attempts } = run;
    if (identity !== null && wallS !== null) timings.set(identity, { wallS, hostName, attempts });
  }
}

/** The row of a campaign in the catalogue; its plan is written where the file is new or has changed. */
function savePlan(
  { catalogue, clock }: Pick<RunCampaignPorts, 'catalogue' | 'clock'>,
  { campaign, file, fileHash }: LoadedCampaign,
  timings: Map<string, RunTiming>,
): CampaignRow {
  const before = catalogue.campaign(campaign.name);
  if (before?.fileHash === fileHash && before.file === file) return before;
  if (before !== null) noteTimings({ catalogue }, before.key, timings);
  const plan = planRuns(campaign);
  const axes = axesOf(campaign, plan);
  const seconds = campaign.limits.simSeconds ?? null;
  catalogue.saveCampaign(
    {
      name: campaign.name,
      file,
      fileHash,
      isa: campaign.isa,
      document: JSON.stringify(campaign),
      createdMs: clock.nowMs(),
      axes: axes.map(({ name, values }) => ({
        name,
        kind: values.every((value) => typeof value === 'number') ? 'number' : 'text',
      })),
    },
    plan.map((run) => {
      const others: Record<string, StoredAxisValue> = {
        scenario: run.scenario,
        sensor: run.sensor,
        seed: run.seed,
      };
      const values = axes.map(({ name }) => run.values[name] ?? others[name] ?? null);
      return { planned: plannedText({ ...run, seconds }), values };
    }),
  );
  const row = catalogue.campaign(campaign.name);
  if (row === null) throw new TypeError('a campaign was not stored');
  return row;
}

/** A run process closes its recording after its host was killed; a killed one takes a moment to be gone. */
const endingS = 10;

/** Removes recorded runs that a killed host left under way. Those that do not end in time stay, as interrupted runs. */
async function removeInterrupted(ports: RunCampaignPorts, key: number): Promise<void> {
  const { catalogue, clock, folders, locks } = ports;
  const startS = clock.seconds();
  for (const { runId } of catalogue.campaignRuns(key, { states: ['running'] })) {
    if (runId === null) continue;
    const { lockFile, hostLockFile } = folders.files(runId);
    const isAlive = (): boolean => locks.isHeld(lockFile) || locks.isHeld(hostLockFile);
    while (isAlive() && clock.seconds() - startS < endingS) await ports.timer.pause(0.1, unending);
    if (isAlive()) continue;
    while (!catalogue.removeRun(runId, 10_000)) await ports.timer.pause(0, unending);
    folders.discard(runId, []);
  }
}

const unending = new AbortController().signal;

async function execute(
  ports: RunCampaignPorts,
  row: CampaignRow,
  call: CampaignCall,
  { startS, timings }: { startS: number; timings: Map<string, RunTiming> },
): Promise<CampaignEnd> {
  const { catalogue, clock } = ports;
  const { loaded, limit, signal } = call;
  const indices = call.indices === null ? null : new Set(call.indices);
  const { campaign, file } = loaded;
  const snapshot = createFileSnapshot(ports.files);
  const prepare = { files: snapshot.files, documents: createCellDocuments(snapshot.files) };
  const pendingRuns = (): CampaignRunRow[] =>
    catalogue
      .campaignRuns(row.key, { states: ['pending'] })
      .filter(({ planIndex }) => planIndex < limit && indices?.has(planIndex) !== false);
  const worker = await openedWorker(ports, campaign.isa);
  let terms: RunTerms;
  let jobs: number;
  try {
    const engine = await engineHash(worker.hello, ports.product.simulatingSources);
    requireEngine(call.share?.engine ?? null, engine);
    terms = { file, engine, isa: campaign.isa };
    await dropStaleIdentities(ports, row, engine, timings);
    if (call.share?.isCollecting !== true) {
      const check = { ...prepare, file, signal, yieldNow: createYield(ports, signal) };
      await expectBakes(check, campaign, pendingRuns().map(plannedOf));
    }
    catalogue.setStarted(row.key, engine, clock.nowMs());
    jobs =
      call.jobs ?? (await jobsFor(ports, firstPlanned(ports, row), prepare, terms, worker, signal));
  } finally {
    await worker.dispose();
  }
  const calledFor = pendingRuns().length;
  const counter = createCampaignCounter(clock, catalogue.campaignCounts(row.key), calledFor, () =>
    call.onProgress(counter.progress()),
  );
  call.onProgress(counter.progress());
  const stored = catalogue.campaign(campaign.name)?.inputs ?? {};
  let inputCount = 0;
  const saveInputs = (): void => {
    const inputs = snapshot.inputs();
    const count = Object.keys(inputs).length;
    if (count > inputCount) catalogue.setInputs(row.key, { ...stored, ...inputs });
    inputCount = count;
  };
  const ended = new AbortController();
  const stop = stopOnRequest(ports, campaign.name, ended.signal);
  const paceMeter = createPaceMeter();
  const hostSeconds = (): number => ports.meter.cpuSeconds(ports.meter.ownPid);
  let hostFromS: number | null = null;
  const runsFromS = clock.seconds();
  let lastEndS = runsFromS;
  let earlyEnd: string | null = null;
  try {
    earlyEnd = await executeCampaign(
      { ...ports, ...prepare },
      {
        row,
        campaign,
        terms,
        jobs,
        limit,
        indices,
        counter,
        timings,
        measuring: createMeasuring(campaign.measures),
        runner: runnerOf(ports, call, jobs, terms.engine),
        signal: AbortSignal.any([signal, stop]),
        saveInputs,
        onTimed: (run) => {
          lastEndS = clock.seconds();
          hostFromS ??= hostSeconds();
          paceMeter.take(run);
          call.onTimed?.(run);
        },
      },
    );
  } finally {
    ended.abort();
  }
  const notices = await noticesOf(ports, loaded, await snapshot.changed(), earlyEnd);
  const pace = paceMeter.pace(
    jobs,
    runsFromS - startS,
    clock.seconds() - lastEndS,
    hostFromS === null ? 0 : hostSeconds() - hostFromS,
  );
  if (pace !== null && pace.runs > 0) catalogue.setPace(row.key, pace);
  const { doneNow, reusedNow, failedNow } = counter;
  const pendingNow = calledFor - doneNow - reusedNow - failedNow;
  return { doneNow, reusedNow, failedNow, pendingNow, pace, notices };
}

function runnerOf(
  ports: RunCampaignPorts,
  { share }: CampaignCall,
  jobs: number,
  engine: string,
): CampaignRunner {
  if (share === null) return createLocalRunner(ports, jobs);
  const { results, isCollecting, isRetrying } = share;
  const local = isCollecting ? null : createLocalRunner(ports, jobs);
  return createSharedRunner(
    { results, hostName: ports.machine.hostName, isRetrying },
    engine,
    local,
  );
}

/** Why: what another engine writes is never collected. @throws 'unsupported' */
function requireEngine(wanted: string | null, here: string): void {
  if (wanted === null || wanted === here) return;
  const message =
    'this node has another engine than the machine that submitted the campaign: another build, another Embree or a ' +
    'processor of another maker; submit it from a node like this one, or to nodes like that one';
  throw new UnderstoryError('unsupported', message, { wanted, here });
}

/** Identities of another engine, or of files that have changed since, are computed again. */
async function dropStaleIdentities(
  { catalogue, files }: RunCampaignPorts,
  row: CampaignRow,
  engine: string,
  timings: Map<string, RunTiming>,
): Promise<void> {
  const isOther = row.engine !== null && row.engine !== engine;
  if (!isOther && (await changedInputs(files, row.inputs)).length === 0) return;
  noteTimings({ catalogue }, row.key, timings);
  catalogue.together(() => {
    catalogue.resetIdentities(row.key);
    catalogue.setInputs(row.key, {});
  });
}

function firstPlanned({ catalogue }: RunCampaignPorts, { key }: CampaignRow): PlannedText | null {
  const [first] = catalogue.campaignRuns(key, { states: ['pending'], limit: 1 });
  return first === undefined ? null : plannedOf(first);
}

/** Aborted when campaign.stop was called, in any process. */
function stopOnRequest(
  { catalogue, timer }: RunCampaignPorts,
  name: string,
  ended: AbortSignal,
): AbortSignal {
  const stop = new AbortController();
  void (async () => {
    while (!ended.aborted && !stop.signal.aborted) {
      await timer.pause(1, ended);
      if (!ended.aborted && catalogue.campaign(name)?.isStopping === true) stop.abort();
    }
  })();
  return stop.signal;
}

/** One sentence for each thing that happened beside the runs. */
async function noticesOf(
  { files }: RunCampaignPorts,
  { campaign, file, fileHash }: LoadedCampaign,
  changed: readonly string[],
  earlyEnd: string | null,
): Promise<string[]> {
  const { name } = campaign;
  const now = await files.readText(file).then(hashOfCampaign, () => fileHash);
  return [
    ...(earlyEnd === null ? [] : [`the campaign '${name}' ended early: ${earlyEnd}`]),
    ...(now === fileHash
      ? []
      : [`'${file}' changed while the campaign ran: start it again for the new plan`]),
    ...changed.map(
      (path) =>
        `'${path}' changed while the campaign ran: start it again for runs with the new file`,
    ),
  ];
}
