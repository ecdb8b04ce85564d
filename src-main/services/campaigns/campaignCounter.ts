// Counts the runs of a campaign while it is executed, and estimates the wall time until the last has ended.
import type { CampaignCounts, CampaignProgress } from '#contract/host/campaignMethods.ts';
import type { Clock } from '#services/ports/system.ts';

export interface CampaignCounter {
  /** Runs of this call that were executed and ended well. */
  readonly doneNow: number;
  /** Runs of this call that a finished run stands in for. */
  readonly reusedNow: number;
  readonly failedNow: number;
  began(): void;
  done(): void;
  /** A finished run was taken. */
  reused(): void;
  failed(error: { index: number; message: string }): void;
  /** A run that had begun is pending again. */
  stopped(): void;
  progress(): CampaignProgress;
}

/** Number of runs, those that ended last, by which the speed is measured. */
const recentRuns = 50;

/**
 * @param counts at the start of the call
 * @param calledFor runs of the call that are pending then
 * @param onChange called after each change
 */
export function createCampaignCounter(
  clock: Clock,
  counts: CampaignCounts,
  calledFor: number,
  onChange: () => void,
): CampaignCounter {
  const current = { ...counts };
  const startS = clock.seconds();
  /** Ends of executed runs; those that were shared cost nothing. */
  let ends: number[] = [startS];
  let ended = 0;
  let doneNow = 0;
  let reusedNow = 0;
  let failedNow = 0;
  let lastError: CampaignProgress['lastError'] = null;
  const end = (state: 'done' | 'failed', from: 'running' | 'pending'): void => {
    current[from] -= 1;
    current[state] += 1;
    ended += 1;
    if (state === 'failed') failedNow += 1;
    else if (from === 'running') doneNow += 1;
    else reusedNow += 1;
    if (from === 'running') ends = [...ends, clock.seconds()].slice(-recentRuns);
    onChange();
  };
  return {
    get doneNow() {
      return doneNow;
    },
    get reusedNow() {
      return reusedNow;
    },
    get failedNow() {
      return failedNow;
    },
    began() {
      current.pending -= 1;
      current.running += 1;
      onChange();
    },
    done: () => end('done', 'running'),
    reused: () => end('done', 'pending'),
    failed(error) {
      lastError = error;
      end('failed', 'running');
    },
    stopped() {
      current.running -= 1;
      current.pending += 1;
      onChange();
    },
    progress() {
      const [first = startS] = ends;
      const passedS = (ends.at(-1) ?? startS) - first;
      const perS = ends.length > 1 && passedS > 0 ? (ends.length - 1) / passedS : null;
      const left = calledFor - ended;
      return {
        ...current,
        ended,
        calledFor,
        runsPerMinute: perS === null ? null : 60 * perS,
        remainingS: left === 0 ? 0 : perS === null ? null : left / perS,
        lastError,
      };
    },
  };
}
