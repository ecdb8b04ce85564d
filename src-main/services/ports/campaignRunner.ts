// Executes the runs of a campaign: in processes of this machine, or of others.
import type { WireError } from '#contract/errors.ts';
import type { Columns } from '#contract/columns.ts';
import type { RunEvent, RunOrder, RunOutcome } from '#contract/host/run.ts';

/** A run of a campaign that is missing, ready to be executed. */
export interface CampaignOrder {
  /** Place in the plan. */
  planIndex: number;
  /** Equal for runs of one scene (domain/campaign/sceneAffinity.ts): a process with that scene is preferred. */
  scene: string;
  order: RunOrder;
  heights: Float32Array;
  /** Wall time after which it is stopped and has failed; null: never. */
  wallLimitS: number | null;
  /** Called before it starts; where it throws, no further order is executed. */
  begin(): Promise<void>;
  /** Called before it is executed again, because its process or worker was lost. */
  beginAgain(): Promise<void>;
  onRunEvent(event: RunEvent, columns: Columns): void | Promise<void>;
}

/** The time that a run took of the process that executes one after another. */
export interface LaneTime {
  /** Wall time since the process's run before had ended; of its first, since the runner began. */
  sinceS: number;
  isFirst: boolean;
}

/** `hostName`: where it was executed; left out: on this machine. `lane`: left out of runs that were not executed now. */
export type CampaignResult = {
  wallS: number;
  /** 0: it was not executed. */
  attempts: number;
  hostName?: string;
  lane?: LaneTime;
} & ({ outcome: RunOutcome; error: null } | { outcome: null; error: WireError });

export interface CampaignRunner {
  /**
   * Executes orders, several at once, and reports each result. Resolves when all have ended; after an abort, when those
   * under way have ended, which report 'cancelled'.
   * @throws what orders, `begin` and `report` throw; no run is under way then
   */
  run(
    orders: AsyncGenerator<CampaignOrder, void>,
    report: (order: CampaignOrder, result: CampaignResult) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}
