// The wall time and disk space of runs before they are executed: from runs of the campaign that have ended, else from
// runs that are executed for it, whole ones where they are short, a few ticks of longer ones. Guarantee: nothing of such
// runs is left.
import type { Campaign } from '#contract/documents/campaign.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { PlannedRun } from '#domain/campaign/planRuns.ts';
import type { CampaignOrder } from '#services/ports/campaignRunner.ts';
import type { RunFolders } from '#services/ports/files.ts';
import { createLocalRunner, type LocalRunnerPorts } from './localRunner.ts';
import { orderOf, prepareRun, type PreparePorts, type RunTerms } from './prepareRun.ts';

export interface EstimatePorts extends LocalRunnerPorts, PreparePorts {
  folders: RunFolders;
  newId(): string;
}

export interface Estimate {
  wallSeconds: number;
  /** Of recordings. */
  bytes: number;
}

/** A run that has ended, of the same campaign. */
export interface EndedRun {
  planned: PlannedRun;
  wallS: number;
  recordingBytes: number;
}

/** Simulated time up to which a run is executed whole for an estimate, and the two times of longer ones. */
const wholeS = 1.2;
const [shortS, longS] = [0.5, 1.5];

/** Runs of the beginning that an estimate is about: later ones are like them. */
const firstRuns = 30;
const maxBlocks = 3;
const maxBlockRuns = 4;

/** From ended runs of the same scenario and sensor; null: some of the runs are like none of them. */
export function estimateFromEnded(
  runs: readonly PlannedRun[],
  ended: readonly EndedRun[],
  jobs: number,
): Estimate | null {
  const exact = averages(ended, (planned) => `${kindOf(planned)} ${planned.settings.join(' ')}`);
  const alike = averages(ended, kindOf);
  let wallSeconds = 0;
  let bytes = 0;
  for (const run of runs) {
    const found = exact.get(`${kindOf(run)} ${run.settings.join(' ')}`) ?? alike.get(kindOf(run));
    if (found === undefined) return null;
    wallSeconds += found.wallS / jobs;
    bytes += found.recordingBytes;
  }
  return { wallSeconds, bytes };
}

/**
 * From runs that are executed now. Neighbours of the plan are executed one after another, as in the campaign, where they
 * share a scene.
 * @throws what ends such a run
 */
export async function estimateByRuns(
  ports: EstimatePorts,
  campaign: Campaign,
  runs: readonly PlannedRun[],
  { jobs, ...terms }: RunTerms & { jobs: number },
  signal: AbortSignal,
): Promise<Estimate> {
  const seconds = campaign.limits.simSeconds ?? null;
  const [first] = runs;
  if (first === undefined) return { wallSeconds: 0, bytes: 0 };
  const isWhole = seconds !== null && seconds <= wholeS;
  const lengths = isWhole ? [seconds] : [shortS, longS];
  const samples = sampleOf(runs.slice(0, firstRuns)).flatMap((run) =>
    lengths.map((lengthS) => ({ run, lengthS })),
  );
  // Why: the first order of each process waits for its start.
  const cold = Array.from({ length: Math.min(jobs, runs.length) }, () => ({
    run: first,
    lengthS: lengths[0] ?? shortS,
  }));
  const measured = await executed(
    ports,
    campaign,
    [...cold, ...samples],
    { jobs, ...terms },
    signal,
  );
  const coldest = measured.slice(0, cold.length).map(({ wallS }) => wallS);
  const warm = measured.slice(cold.length);
  const expectedS = seconds ?? (await expectedSeconds(ports, first, terms, signal));
  const model = modelOf(warm, lengths, expectedS);
  const startS = Math.max(0, Math.max(...coldest) - (warm[0]?.wallS ?? 0));
  let wallSeconds = startS;
  let bytes = 0;
  for (const run of runs) {
    const { wallS, recordingBytes } = model(run);
    wallSeconds += wallS / jobs;
    bytes += recordingBytes;
  }
  return { wallSeconds, bytes };
}

interface Sample {
  run: PlannedRun;
  /** Simulated time. */
  lengthS: number;
}

interface MeasuredSample extends Sample {
  wallS: number;
  recordingBytes: number;
}

/** Blocks of neighbours, evenly spread. */
function sampleOf(runs: readonly PlannedRun[]): PlannedRun[] {
  const sensors = new Set(runs.map(({ sensor }) => sensor)).size;
  const length = Math.min(maxBlockRuns, sensors);
  const blocks = Math.min(maxBlocks, Math.max(1, Math.floor(runs.length / length)));
  const last = Math.max(0, runs.length - length);
  const starts = Array.from({ length: blocks }, (_, block) => {
    const at = blocks === 1 ? 0 : Math.round((last * block) / (blocks - 1));
    return at - (at % length);
  });
  return [...new Set(starts)].flatMap((start) => runs.slice(start, start + length));
}

/** Wall time and bytes of a run: means of the samples of its kind, and straight on to its whole length. */
function modelOf(
  samples: readonly MeasuredSample[],
  lengths: readonly number[],
  expectedS: number,
): (run: PlannedRun) => { wallS: number; recordingBytes: number } {
  const at = (lengthS: number | undefined) =>
    samples
      .filter((sample) => sample.lengthS === lengthS)
      .map(({ run, ...rest }) => {
        return { planned: run, wallS: rest.wallS, recordingBytes: rest.recordingBytes };
      });
  const [low = 0, high] = lengths;
  const means = [at(low), at(high)].map((some) => ({
    byKind: averages(some, kindOf),
    all: averages(some, () => '').get('') ?? { wallS: 0, recordingBytes: 0 },
  }));
  return (run) => {
    const [short, long] = means.map(({ byKind, all }) => byKind.get(kindOf(run)) ?? all);
    if (short === undefined || long === undefined || high === undefined) {
      return short ?? { wallS: 0, recordingBytes: 0 };
    }
    const share = (expectedS - low) / (high - low);
    const onward = (from: number, to: number): number => from + Math.max(0, to - from) * share;
    return {
      wallS: onward(short.wallS, long.wallS),
      recordingBytes: onward(short.recordingBytes, long.recordingBytes),
    };
  };
}

/** Executes samples, in order and several at once. */
async function executed(
  ports: EstimatePorts,
  { save }: Campaign,
  samples: readonly Sample[],
  { jobs, ...terms }: RunTerms & { jobs: number },
  signal: AbortSignal,
): Promise<MeasuredSample[]> {
  const runner = createLocalRunner(ports, jobs);
  const ids = samples.map(() => ports.newId());
  const measured: MeasuredSample[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  try {
    await runner.run(
      (async function* orders(): AsyncGenerator<CampaignOrder, void> {
        for (const [planIndex, { run, lengthS }] of samples.entries()) {
          const prepared = await prepareRun(ports, { ...run, seconds: lengthS }, terms, signal);
          const { recordingFile, lockFile } = save.recording
            ? ports.folders.create(ids[planIndex] ?? '')
            : { recordingFile: null, lockFile: null };
          yield {
            planIndex,
            order: orderOf(prepared, terms, jobs, { recordingFile, lockFile }),
            heights: prepared.heights,
            wallLimitS: null,
            ...{ begin: nothing, beginAgain: nothing, onRunEvent: nothing },
          };
        }
      })(),
      ({ planIndex }, { wallS, error }) => {
        const sample = samples[planIndex];
        if (sample === undefined) throw new TypeError('a run was reported that was not ordered');
        if (error !== null) throw new UnderstoryError(error.code, error.message, error.details);
        const recordingBytes = ports.folders.recordingBytes(ids[planIndex] ?? '') ?? 0;
        measured[planIndex] = { ...sample, wallS, recordingBytes };
        return Promise.resolve();
      },
      signal,
    );
  } finally {
    if (save.recording) for (const id of ids) ports.folders.discard(id, []);
  }
  return measured.filter((sample) => sample !== undefined);
}

/** How long a drive takes that ends at its goal: some way around, at some share of the speed. */
async function expectedSeconds(
  ports: PreparePorts,
  run: PlannedRun,
  terms: RunTerms,
  signal: AbortSignal,
): Promise<number> {
  const { compiled } = await prepareRun(ports, { ...run, seconds: null }, terms, signal);
  const { mission, vehicle } = compiled.scenario;
  if (mission === undefined) return 0;
  const [dx, dy] = [0, 1].map((axis) => (mission.goalM[axis] ?? 0) - (mission.startM[axis] ?? 0));
  const distanceM = Math.hypot(dx ?? 0, dy ?? 0);
  return Math.min(mission.timeoutS, (detour * distanceM) / (speedShare * vehicle.maxSpeedMPerS));
}

/** Of drives that reach the goal: path over straight line, mean speed over the vehicle's. */
const detour = 1.3;
const speedShare = 0.6;

function kindOf({ scenario, sensor }: PlannedRun): string {
  return JSON.stringify([scenario, sensor]);
}

function averages(
  ended: readonly EndedRun[],
  keyOf: (planned: PlannedRun) => string,
): Map<string, { wallS: number; recordingBytes: number }> {
  const groups = Map.groupBy(ended, ({ planned }) => keyOf(planned));
  return new Map(
    [...groups].map(([key, members]) => {
      const sum = (field: 'wallS' | 'recordingBytes'): number =>
        members.reduce((total, member) => total + member[field], 0);
      const n = members.length;
      return [key, { wallS: sum('wallS') / n, recordingBytes: sum('recordingBytes') / n }];
    }),
  );
}
