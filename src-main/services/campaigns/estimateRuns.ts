// The wall time and disk space of runs before they are executed: from runs of the campaign that have ended, where there
// are such for all of them, else from a trial: a few of the runs, executed as the campaign would, in a data folder that
// is gone afterwards. Why as a whole campaign: processes, catalogue and disk take their part of a short run's time.
import { toWire, UnderstoryError } from '#contract/errors.ts';
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import type { PlannedRun } from '#domain/campaign/planRuns.ts';
import {
  costModel,
  executionS,
  isCovered,
  type CostPoint,
  type CostTerms,
  type RunCost,
} from '#domain/campaign/runCosts.ts';
import type { TimedRun } from './executeCampaign.ts';
import type { CampaignPace } from '#services/ports/campaigns.ts';
import { finishedPoints } from './finishedRuns.ts';
import type { LoadedCampaign } from './loadCampaign.ts';
import { prepareRun, type PreparePorts, type RunTerms } from './prepareRun.ts';
import { runCampaign, type RunCampaignPorts } from './runCampaign.ts';

export type Estimate = Pick<
  CampaignPlan,
  'wallSeconds' | 'bytes' | 'startUpS' | 'runSeconds' | 'hostRunS' | 'basis'
>;

export interface EstimateCall {
  loaded: LoadedCampaign;
  /** Those to be executed, in plan order; at least one. */
  runs: readonly PlannedRun[];
  terms: RunTerms;
  /** Runs at once. */
  jobs: number;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** Simulated time up to which runs are executed whole in a trial, and the two times of longer ones. */
const wholeS = 1.2;
const [shortS, longS] = [0.5, 1.5];
/** Blocks of neighbours, which share scenes as in the campaign. */
const [shortBlocks, wholeBlocks, blockRuns] = [2, 4, 4];
/** Runs from which start-up and pauses are known well enough. */
const minPaceRuns = 8;
/** Wall time after which a trial begins no further run, and for which longer runs are executed whole. */
const trialWallS = 20;

/** @throws what ends the runs of a trial, where none ends well */
export async function estimateRuns(
  ports: RunCampaignPorts & PreparePorts,
  call: EstimateCall,
): Promise<Estimate> {
  const { loaded, runs, jobs } = call;
  const pace = ports.catalogue.campaign(loaded.campaign.name)?.pace ?? null;
  const finished = finishedPoints(ports, call, pace?.laneFactor ?? 1);
  const isKnown = pace !== null && pace.jobs === jobs && pace.runs >= minPaceRuns;
  if (isKnown && isCovered(finished, runs)) {
    return estimateOf(runs, costModel(finished, runs), pace, jobs, 'finished-runs');
  }
  const { points, ...trial } = await trialOf(ports, call);
  return estimateOf(runs, costModel([...points, ...finished], runs), trial, jobs, 'trial');
}

function estimateOf(
  runs: readonly CostTerms[],
  costOf: (run: CostTerms) => RunCost,
  { startUpS, hostRunS = 0 }: Pick<CampaignPace, 'startUpS' | 'hostRunS'>,
  jobs: number,
  basis: CampaignPlan['basis'],
): Estimate {
  const alone = executionS(runs, costOf, 1);
  return {
    startUpS,
    hostRunS,
    basis,
    runSeconds: alone / runs.length,
    wallSeconds: startUpS + executionS(runs, costOf, jobs),
    bytes: runs.reduce((sum, run) => sum + costOf(run).bytes, 0),
  };
}

interface Trial extends Pick<CampaignPace, 'startUpS' | 'hostRunS'> {
  points: CostPoint[];
}

/** Costs of whole runs. Those of long ones follow from two short times, and from whole ones that fit into the trial. */
async function trialOf(ports: RunCampaignPorts & PreparePorts, call: EstimateCall): Promise<Trial> {
  const { loaded, runs, jobs } = call;
  const seconds = loaded.campaign.limits.simSeconds ?? null;
  if (seconds !== null && seconds <= wholeS) {
    return executed(ports, call, sampleOf(runs, wholeBlocks), seconds);
  }
  const sample = sampleOf(runs, shortBlocks);
  const short = await executed(ports, call, sample, shortS);
  const long = await executed(ports, call, sample, longS);
  const [shortOf, longOf] = [costModel(short.points, runs), costModel(long.points, runs)];
  const simulatedS = seconds ?? (await expectedSeconds(ports, runs[0], call));
  const share = (simulatedS - shortS) / (longS - shortS);
  const onward = (from: number, to: number): number => from + Math.max(0, to - from) * share;
  const wholeOf = (run: CostTerms): RunCost => {
    const [from, to] = [shortOf(run), longOf(run)];
    return {
      runS: onward(from.runS, to.runS),
      bytes: onward(from.bytes, to.bytes),
      buildS: (from.buildS + to.buildS) / 2,
    };
  };
  const fitting = wholeThatFit(runs, wholeOf, jobs);
  const whole = fitting.length === 0 ? null : await executed(ports, call, fitting, seconds);
  const factors = factorsOf(whole?.points ?? [], wholeOf);
  const points = [...short.points, ...long.points].map(({ run, buildS }): CostPoint => {
    const { runS, bytes } = wholeOf(run);
    return { run, buildS, runS: factors.runS * runS, bytes: factors.bytes * bytes };
  });
  return { ...(whole ?? long), points };
}

/** Runs, evenly spread, that the trial has time to execute whole. */
function wholeThatFit(
  runs: readonly PlannedRun[],
  wholeOf: (run: CostTerms) => RunCost,
  jobs: number,
): PlannedRun[] {
  for (let blocks = wholeBlocks; blocks > 0; blocks -= 1) {
    const sample = sampleOf(runs, blocks);
    if (executionS(sample, wholeOf, jobs) <= trialWallS) return sample;
  }
  const [first] = runs;
  return first !== undefined && executionS([first], wholeOf, 1) <= trialWallS
    ? runs.slice(0, jobs)
    : [];
}

/** Measured whole runs over what was expected of them; 1 without any. */
function factorsOf(
  measured: readonly CostPoint[],
  expectedOf: (run: CostTerms) => RunCost,
): { runS: number; bytes: number } {
  const ratio = (field: 'runS' | 'bytes'): number => {
    const expected = measured.reduce((sum, { run }) => sum + expectedOf(run)[field], 0);
    const found = measured.reduce((sum, point) => sum + point[field], 0);
    return expected > 0 && found > 0 ? found / expected : 1;
  };
  return { runS: ratio('runS'), bytes: ratio('bytes') };
}

/** Blocks of neighbours, evenly spread. */
function sampleOf(runs: readonly PlannedRun[], blocks: number): PlannedRun[] {
  const last = Math.max(0, runs.length - blockRuns);
  const starts = Array.from({ length: blocks }, (_, block) =>
    blocks === 1 ? 0 : Math.round((last * block) / (blocks - 1)),
  );
  return [...new Set(starts.flatMap((start) => runs.slice(start, start + blockRuns)))];
}

/** Executes runs as a campaign of its own, up to a limit of wall time. `seconds`: of simulated time; null: to the end. */
async function executed(
  ports: RunCampaignPorts,
  { loaded, signal, onProgress }: EstimateCall,
  sample: readonly PlannedRun[],
  seconds: number | null,
): Promise<Trial> {
  const { campaign } = loaded;
  const limits = {
    ...campaign.limits,
    // Why without a limit of failures: those of a few runs say nothing about all.
    failures: undefined,
    simSeconds: seconds ?? undefined,
  };
  return ports.withTrialFolder(async (trial) => {
    const timed: TimedRun[] = [];
    const enough = new AbortController();
    const startS = ports.clock.seconds();
    const trialRun = runCampaign(
      { ...ports, ...trial },
      {
        loaded: { ...loaded, campaign: { ...campaign, limits } },
        limit: Infinity,
        indices: sample.map(({ index }) => index),
        share: null,
        jobs: null,
        signal: AbortSignal.any([signal, enough.signal]),
        onProgress: ({ ended }) => onProgress(ended, sample.length),
        onTimed: (run) => {
          timed.push(run);
          if (ports.clock.seconds() - startS > trialWallS) enough.abort();
        },
      },
    );
    const { pace } = await trialRun.catch((error: unknown) => {
      throw fullDiskOf(error, ports.folders.dataFolder) ?? error;
    });
    if (signal.aborted)
      throw new UnderstoryError('cancelled', 'the plan is not asked for any more');
    if (pace === null) throw failureOf(trial.catalogue, campaign.name);
    return { ...pace, points: pointsOf(timed) };
  });
}

/** The sentence about a disk on which a trial has no room; null: the error is another one. */
function fullDiskOf(error: unknown, dataFolder: string): UnderstoryError | null {
  const { code } = toWire(error);
  if (code !== 'disk-full') return null;
  const message = `nothing can be estimated: the disk of ${dataFolder} has no room for a few runs`;
  return new UnderstoryError(code, message, { dataFolder });
}

/** Why no run of a trial ended well. */
function failureOf(
  catalogue: Pick<RunCampaignPorts['catalogue'], 'campaign' | 'campaignRuns'>,
  name: string,
): UnderstoryError {
  const key = catalogue.campaign(name)?.key ?? 0;
  const [failed] = catalogue.campaignRuns(key, { states: ['failed'], limit: 1 });
  const reason = failed?.error ?? 'no run ended in time';
  return new UnderstoryError('worker-failed', `nothing can be estimated: ${reason}`);
}

/** The first run of each process is left out where there are others: its time is that of the start. */
function pointsOf(timed: readonly TimedRun[]): CostPoint[] {
  const later = timed.filter(({ isFirst }) => !isFirst);
  const used = later.length > 0 ? later : timed;
  return used.map(({ planned, isFirst, sinceS, wallS, buildS, recordingBytes }) => ({
    run: planned,
    runS: (isFirst ? wallS : sinceS) - buildS,
    buildS: buildS > 0 ? buildS : null,
    bytes: recordingBytes,
  }));
}

/** How long a drive takes that ends at its goal: some way around, at some share of the speed. */
async function expectedSeconds(
  ports: PreparePorts,
  run: PlannedRun | undefined,
  { terms, signal }: EstimateCall,
): Promise<number> {
  if (run === undefined) return 0;
  const { compiled } = await prepareRun(ports, { ...run, seconds: null }, terms, signal);
  const { mission, vehicle } = compiled.scenario;
  if (mission === undefined) return 0;
  const [dx, dy] = [0, 1].map((axis) => (mission.goalM[axis] ?? 0) - (mission.startM[axis] ?? 0));
  const distanceM = Math.hypot(dx ?? 0, dy ?? 0);
  return Math.min(mission.timeoutS, (detour * distanceM) / (speedShare * vehicle.maxSpeedMPerS));
}

/** Ratios for drives that reach the goal: path over straight line, mean speed over the vehicle's. */
const detour = 1.3;
const speedShare = 0.6;
