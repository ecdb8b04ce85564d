// Campaigns in the catalogue: the plan, the state of each planned run, and the runs that are shared by identity.
import type { CampaignCounts, CampaignRunState } from '#contract/host/campaignMethods.ts';
import type { RunMetrics } from '#contract/host/run.ts';
import type { Isa } from '#contract/worker/worker.ts';

/** An axis of a campaign as the catalogue has it. */
export interface AxisRow {
  name: string;
  /** 'text' for what is no number, truth values included. */
  kind: 'number' | 'text';
}

export interface NewCampaign {
  name: string;
  /** Absolute: scenarios and sensors are looked for beside it. */
  file: string;
  /** SHA-256 of its text, hex. */
  fileHash: string;
  /** The checked document, as JSON. */
  document: string;
  isa: Isa;
  createdMs: number;
  axes: readonly AxisRow[];
}

/** A value of an axis; null: the axis has none in this run. */
export type StoredAxisValue = number | string | boolean | null;

export interface NewCampaignRun {
  /** Scenario, sensor, settings and seed, as JSON: equal texts are equal runs while no input changes. */
  planned: string;
  /** In the order of the axes. */
  values: readonly StoredAxisValue[];
}

/** Cost of executing a campaign beside its runs, as its last call measured it. */
export interface CampaignPace {
  /** Runs at once. */
  jobs: number;
  /** Wall time of a call that is none of its runs: plan, processes, workers, their ends. */
  startUpS: number;
  /** Wall time from the end of one run to the end of the next in a process, over that of the run; at least 1. */
  laneFactor: number;
  /** Runs from which it follows, beside the first of each process. */
  runs: number;
  /** Processor time of the host for a run: it prepares, starts and stores them one by one. Left out: by older versions. */
  hostRunS?: number;
}

export interface CampaignRow extends Omit<NewCampaign, 'axes'> {
  key: number;
  /** services/engine.ts, of the runs; null: none was started yet. */
  engine: string | null;
  /** Null: it was never started. */
  startedMs: number | null;
  /** SHA-256 by path of the files that identities were computed from. */
  inputs: Record<string, string>;
  /** Its runner was asked to stop. */
  isStopping: boolean;
  /** Null: not known. */
  pace: CampaignPace | null;
}

export interface CampaignRunRow {
  planIndex: number;
  planned: string;
  identity: string | null;
  /** Null: it has not ended, or the run was deleted since. */
  runId: string | null;
  state: CampaignRunState;
  attempts: number;
  error: string | null;
  /** By the name of the measure. */
  measures: Record<string, number | null> | null;
  wallS: number | null;
  hostName: string | null;
}

/** A finished run that a planned run can share. */
export interface SharedRun {
  runId: string;
  metrics: RunMetrics;
  /** Measured values by the text of their expression. */
  measures: Record<string, number | null>;
  hasRecords: boolean;
}

/** Facts about campaigns. Synchronous: each call is one short transaction. */
export interface CampaignCatalogue {
  /** All writes of `work` in one transaction; it is undone where `work` throws. */
  together<T>(work: () => T): T;
  /**
   * Stores a campaign and its plan. A campaign of this name is replaced: planned runs of equal text keep their
   * identity, wall time and host, and failed ones their failure; all others are pending, and share the runs of their
   * identity again.
   * Returns its key.
   */
  saveCampaign(campaign: NewCampaign, runs: readonly NewCampaignRun[]): number;
  campaign(name: string): CampaignRow | null;
  /** In alphabetical order. */
  campaigns(): CampaignRow[];
  removeCampaign(key: number): void;
  axes(key: number): AxisRow[];
  campaignCounts(key: number): CampaignCounts;
  /** Counts running rows as pending, when no process works on the campaign. */
  resetRunning(key: number): void;
  /** Makes failed runs pending, those of `indices` or all. Returns how many. */
  resetFailed(key: number, indices?: readonly number[]): number;
  /** Makes runs pending and removes all identities, because an input or the engine changed. */
  resetIdentities(key: number): void;
  /** Notes that runs are executed from now on, by this engine. */
  setStarted(key: number, engine: string, startedMs: number): void;
  setInputs(key: number, inputs: Record<string, string>): void;
  setPace(key: number, pace: CampaignPace): void;
  setStopping(key: number, isStopping: boolean): void;
  /** Rows in plan order; `states` left out: all. */
  campaignRuns(
    key: number,
    filter?: { states?: readonly CampaignRunState[]; fromIndex?: number; limit?: number },
  ): CampaignRunRow[];
  /** Values of the axes of these runs, in order of index, each in order of the axes. */
  axisValues(key: number, fromIndex: number, limit: number): StoredAxisValue[][];
  setIdentity(key: number, planIndex: number, identity: string): void;
  /** Marks it as running, and counts the attempt. `runId`: null where its run has no row yet. */
  beginCampaignRun(key: number, planIndex: number, runId: string | null): void;
  /** Names its run after the row of that was written a second time. */
  setCampaignRun(key: number, planIndex: number, runId: string): void;
  endCampaignRun(
    key: number,
    planIndex: number,
    end: Pick<CampaignRunRow, 'error' | 'measures' | 'wallS' | 'hostName' | 'runId'> & {
      state: 'pending' | 'done' | 'failed';
      /** Attempts beside the one that was counted when it began; −1: there was none. Left out: 0. */
      moreAttempts?: number;
    },
  ): void;
  /** A finished run of this identity that is not in the trash; with recordings first. */
  sharedRuns(identity: string): SharedRun[];
  /** Adds measured values to a run. */
  addMeasures(runId: string, measures: Record<string, number | null>): void;
  setRunIdentity(runId: string, identity: string): void;
}
