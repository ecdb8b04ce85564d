// Executes the runs of a campaign that are missing. Guarantees: a finished run is never repeated; the catalogue has each
// result before the next run starts in its process; a failed run is marked and the rest continues. Killed at any instant,
// only the runs under way are lost.
import { toWire, UnderstoryError, type WireError } from '#contract/errors.ts';
import type { Campaign } from '#contract/documents/campaign.ts';
import type { RunOutcome } from '#contract/host/run.ts';
import { bytesText } from '#domain/shared/formats.ts';
import type { MeasuredValues, RunMeasuring } from './measureRun.ts';
import type { CampaignRow, CampaignRunRow } from '#services/ports/campaigns.ts';
import type {
  CampaignOrder,
  CampaignResult,
  CampaignRunner,
  LaneTime,
} from '#services/ports/campaignRunner.ts';
import { sceneTextOf } from '#domain/campaign/sceneAffinity.ts';
import { expectFreeSpace, expectRoomForRows } from '#services/liveRuns/freeSpace.ts';
import type { CampaignCounter } from './campaignCounter.ts';
import { createRecordCollector } from './collectRecords.ts';
import {
  orderOf,
  plannedOf,
  prepareRun,
  type PlannedText,
  type PreparePorts,
  type PreparedRun,
  type RunTerms,
} from './prepareRun.ts';
import { findShared, type ShareTerms } from './shareRuns.ts';
import {
  createRunRecord,
  type BaseDocuments,
  type RunRecord,
  type RunRecordPorts,
} from './runRecord.ts';

export interface ExecutePorts extends RunRecordPorts, PreparePorts {
  newId(): string;
}

export interface CampaignWork {
  row: CampaignRow;
  campaign: Campaign;
  terms: RunTerms;
  measuring: RunMeasuring;
  /** Timings of runs that the campaign executed and whose identities were removed since, by identity. */
  timings: ReadonlyMap<string, RunTiming>;
  runner: CampaignRunner;
  jobs: number;
  /** Runs of the call at most, in plan order. */
  limit: number;
  /** Only these places in the plan; null: all. */
  indices: ReadonlySet<number> | null;
  counter: CampaignCounter;
  /** Called when an executed run has ended well. */
  onTimed?: (run: TimedRun) => void;
  /** Called after a run was compiled: the files that were read are stored before its identity. */
  saveInputs(): void;
  signal: AbortSignal;
}

/** Timing of a run that the campaign executed before. */
export type RunTiming = Pick<CampaignRunRow, 'wallS' | 'hostName' | 'attempts'>;

/** Cost of an executed run. */
export interface TimedRun extends LaneTime {
  planned: PlannedText;
  wallS: number;
  /** Wall time of building its scene; 0: the process had it. */
  buildS: number;
  recordingBytes: number;
}

/** Rows of the plan that are read at a time. */
const rowsAtOnce = 256;

/** A run that was handed to the runner and has not ended. */
interface OpenRun {
  planned: PlannedText;
  record: RunRecord;
  identity: string;
  measure: (outcome: RunOutcome) => MeasuredValues;
  /** Equal runs may continue. */
  settle: () => void;
}

/** A call under way. */
interface Execution extends CampaignWork {
  ports: ExecutePorts;
  hasRecording: boolean;
  bases: BaseDocuments;
  /** By identity: equal runs wait for them. */
  underWay: Map<string, Promise<void>>;
  /** By place in the plan. */
  open: Map<number, OpenRun>;
  /** Recordings of the campaign. */
  savedBytes: number;
  /** Why it ended before its last run. */
  earlyEnd: string | null;
  ended: AbortController;
  /** `signal`, or a limit of the campaign. */
  stop: AbortSignal;
}

/**
 * Executes runs until all of the call have ended, a limit of the campaign is reached or `signal` is aborted.
 * @returns why it ended before its last run; null: it did not
 * @throws 'disk-full' and what the catalogue refuses; runs that had not ended are pending then
 */
export async function executeCampaign(
  ports: ExecutePorts,
  work: CampaignWork,
): Promise<string | null> {
  const ended = new AbortController();
  const hasRecording = work.campaign.save.recording;
  const execution: Execution = {
    ...work,
    ports,
    hasRecording,
    ended,
    bases: new Map(),
    underWay: new Map(),
    open: new Map(),
    savedBytes: hasRecording ? bytesOfRecordings(ports, work.row.key) : 0,
    earlyEnd: null,
    stop: AbortSignal.any([work.signal, ended.signal]),
  };
  await work.runner.run(
    missingRuns(execution),
    ({ planIndex }, result) => report(execution, planIndex, result),
    execution.stop,
  );
  return execution.earlyEnd;
}

/** Orders of the runs that no finished run replaces. */
async function* missingRuns(execution: Execution): AsyncGenerator<CampaignOrder, void> {
  const { ports, row, limit, indices, stop } = execution;
  let fromIndex = 0;
  while (fromIndex < limit) {
    const rows = ports.catalogue.campaignRuns(row.key, {
      fromIndex,
      limit: Math.min(limit - fromIndex, rowsAtOnce),
    });
    if (rows.length === 0) return;
    for (const planned of rows) {
      fromIndex = planned.planIndex + 1;
      if (planned.state !== 'pending') continue;
      if (indices !== null && !indices.has(planned.planIndex)) continue;
      if (stop.aborted) return;
      const order = await orderOfRow(execution, planned);
      if (order !== null) yield order;
    }
  }
}

/** Null: the run is shared, or cannot be executed. */
async function orderOfRow(
  execution: Execution,
  planRow: CampaignRunRow,
): Promise<CampaignOrder | null> {
  const { ports, terms, stop, underWay, hasRecording } = execution;
  const { planIndex, identity: known } = planRow;
  // Why not with recordings: what is recorded is known once the run is compiled.
  if (known !== null && !hasRecording && (await shareRun(execution, planRow, known, null))) {
    return null;
  }
  const run = plannedOf(planRow);
  let prepared: PreparedRun;
  try {
    prepared = await prepareRun(ports, run, terms, stop);
    execution.saveInputs();
  } catch (error) {
    const wire = toWire(error);
    if (wire.code !== 'bad-input' && wire.code !== 'not-found') throw error;
    failUnprepared(execution, planIndex, wire);
    return null;
  }
  const { identity, compiled } = prepared;
  await underWay.get(identity);
  const recorded = hasRecording ? compiled : null;
  if (stop.aborted || (await shareRun(execution, planRow, identity, recorded))) return null;
  return orderOfRun(execution, planIndex, run, prepared);
}

/**
 * Uses the results of a finished run of this identity; false: there is none that has all that is asked for. A run that the
 * campaign executed itself keeps its wall time and host.
 */
async function shareRun(
  { ports, row, measuring, counter, timings }: Execution,
  { planIndex, identity: known, wallS, hostName, attempts }: CampaignRunRow,
  identity: string,
  recorded: ShareTerms['recorded'],
): Promise<boolean> {
  const shared = await findShared(ports, { identity, measuring, recorded });
  if (shared === null) return false;
  const { catalogue } = ports;
  catalogue.together(() => {
    catalogue.setIdentity(row.key, planIndex, identity);
    const own = known === identity ? { wallS, hostName, attempts } : null;
    const timing = (own?.wallS == null ? timings.get(identity) : own) ?? noTiming;
    const end = {
      state: 'done' as const,
      error: null,
      wallS: timing.wallS,
      hostName: timing.hostName,
      moreAttempts: Math.max(0, timing.attempts - attempts),
    };
    catalogue.endCampaignRun(row.key, planIndex, { ...end, ...shared });
  });
  counter.reused();
  return true;
}

const noTiming: RunTiming = { wallS: null, hostName: null, attempts: 0 };

async function orderOfRun(
  execution: Execution,
  planIndex: number,
  planned: PlannedText,
  prepared: PreparedRun,
): Promise<CampaignOrder> {
  const { ports, row, campaign, terms, jobs, measuring, counter, hasRecording } = execution;
  const { folders, machine, catalogue } = ports;
  const { compiled, heights, identity, seconds } = prepared;
  const record = await createRunRecord(ports, execution.bases, {
    runId: ports.newId(),
    prepared,
    hasRecording,
    engine: terms.engine,
    order: { seconds, threads: null, isa: terms.isa, control: 'autonomy' },
  });
  let collector = createRecordCollector(compiled, measuring.instances);
  const { promise, resolve } = Promise.withResolvers<void>();
  execution.underWay.set(identity, promise);
  execution.open.set(planIndex, {
    planned,
    record,
    identity,
    settle: () => {
      execution.underWay.delete(identity);
      resolve();
    },
    measure: ({ metrics }) => measuring.measure(collector.measured(metrics)),
  });
  return {
    planIndex,
    scene: sceneTextOf(planned),
    order: orderOf(prepared, terms, { jobs, cores: machine.cores }, record.files),
    heights,
    wallLimitS: campaign.limits.wallSeconds ?? null,
    begin: async () => {
      if (hasRecording) expectFreeSpace({ folders, machine }, compiled, seconds);
      else expectRoomForRows(ports);
      await record.begin(() =>
        catalogue.beginCampaignRun(row.key, planIndex, record.runIdInCatalogue),
      );
      counter.began();
    },
    beginAgain: async () => {
      collector = createRecordCollector(compiled, measuring.instances);
      // Why: its row was removed, and with it the reference to it.
      await record.beginAgain(() => catalogue.setCampaignRun(row.key, planIndex, record.runId));
    },
    onRunEvent: async (event, columns) => {
      collector.take(event, columns);
      await record.take(event, columns);
    },
  };
}

async function report(
  execution: Execution,
  planIndex: number,
  result: CampaignResult,
): Promise<void> {
  const run = execution.open.get(planIndex);
  if (run === undefined) throw new TypeError('a run was reported that is not under way');
  execution.open.delete(planIndex);
  try {
    if (result.error === null) await finish(execution, planIndex, run, result);
    else await endWithError(execution, planIndex, run, result);
  } finally {
    run.settle();
  }
}

async function finish(
  execution: Execution,
  planIndex: number,
  { planned, record, identity, measure }: OpenRun,
  { outcome, wallS, attempts, hostName, lane }: CampaignResult & { error: null },
): Promise<void> {
  const { ports, row, campaign, counter, hasRecording } = execution;
  const { catalogue, folders, machine } = ports;
  const { byName, byText } = measure(outcome);
  await record.finish(outcome, byText, () => {
    catalogue.setIdentity(row.key, planIndex, identity);
    const end = { state: 'done' as const, error: null, wallS };
    const at = { hostName: hostName ?? machine.hostName, moreAttempts: attempts - 1 };
    catalogue.endCampaignRun(row.key, planIndex, {
      ...end,
      ...at,
      runId: record.runId,
      measures: byName,
    });
  });
  counter.done();
  const recordingBytes = hasRecording ? (folders.recordingBytes(record.runId) ?? 0) : 0;
  const buildS = outcome.metrics.buildSeconds ?? 0;
  if (lane !== undefined) execution.onTimed?.({ planned, wallS, buildS, recordingBytes, ...lane });
  if (!hasRecording) return;
  execution.savedBytes += recordingBytes;
  const limitBytes = (campaign.limits.diskMB ?? Infinity) * 1e6;
  if (execution.savedBytes > limitBytes) {
    endEarly(execution, `its recordings reached the limit of ${bytesText(limitBytes)}`);
  }
}

/** A run that was stopped is pending again; a full disk ends the campaign; all else is a failure of this run. */
async function endWithError(
  execution: Execution,
  planIndex: number,
  { record }: OpenRun,
  { error, wallS, attempts, hostName }: CampaignResult & { outcome: null },
): Promise<void> {
  const { ports, row, counter } = execution;
  const { catalogue, machine } = ports;
  const at = { hostName: hostName ?? machine.hostName, moreAttempts: attempts - 1 };
  const end = { error: null, measures: null, ...at };
  if (error.code === 'cancelled' || error.code === 'disk-full') {
    await record.discard(() =>
      catalogue.endCampaignRun(row.key, planIndex, {
        ...end,
        state: 'pending',
        wallS: null,
        runId: null,
      }),
    );
    counter.stopped();
    if (error.code === 'disk-full') throw new UnderstoryError(error.code, error.message);
    return;
  }
  await record.fail(error, () =>
    catalogue.endCampaignRun(row.key, planIndex, {
      ...end,
      state: 'failed',
      error: error.message,
      wallS,
      runId: record.runId,
    }),
  );
  countFailure(execution, planIndex, error.message);
}

function failUnprepared(execution: Execution, planIndex: number, { message }: WireError): void {
  const { ports, row, counter } = execution;
  const { catalogue, machine } = ports;
  const end = { measures: null, wallS: null, hostName: machine.hostName, runId: null };
  catalogue.together(() => {
    catalogue.beginCampaignRun(row.key, planIndex, null);
    catalogue.endCampaignRun(row.key, planIndex, { ...end, state: 'failed', error: message });
  });
  counter.began();
  countFailure(execution, planIndex, message);
}

function countFailure(execution: Execution, planIndex: number, message: string): void {
  const { ports, row, campaign, counter } = execution;
  counter.failed({ index: planIndex, message });
  const sentence = `run ${planIndex} of campaign '${row.name}' failed: ${message}`;
  ports.log.warn(sentence.replace(/\s*\n\s*/g, ' '), { campaign: row.name, planIndex });
  const { failures = Infinity } = campaign.limits;
  if (counter.failedNow >= failures) {
    endEarly(execution, `${counter.failedNow} runs failed, which is its limit`);
  }
}

function endEarly(execution: Execution, reason: string): void {
  execution.earlyEnd ??= reason;
  execution.ended.abort();
}

function bytesOfRecordings({ catalogue, folders }: ExecutePorts, key: number): number {
  const done = catalogue.campaignRuns(key, { states: ['done'] });
  const bytes = done.map(({ runId }) =>
    runId === null ? 0 : (folders.recordingBytes(runId) ?? 0),
  );
  return bytes.reduce((sum, each) => sum + each, 0);
}
