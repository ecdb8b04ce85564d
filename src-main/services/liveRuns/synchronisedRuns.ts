// Runs that go in step: all drive to the same simulated time, wait there for one another, and continue together. It
// only ever makes runs wait between ticks, so that no recording changes by it.
import type { RunControl } from '#contract/host/run.ts';
import type { Clock } from '#services/ports/system.ts';

/** The part of a run under way that the group uses. */
export interface SynchronisedRun {
  readonly runId: string;
  readonly tickNs: number;
  /** End of the last reported tick; 0: none. */
  readonly reachedNs: number;
  readonly done: Promise<unknown>;
  control(control: RunControl): void;
  /** Returns what ends the listening. */
  onTick(listener: () => void): () => void;
}

export interface RunGroup {
  /** Called with each pause of its runs: while they are paused there is no next meeting. */
  pause(isPaused: boolean): void;
  /** The run no longer waits for others, nor others for it. */
  leave(runId: string): void;
}

/** Runs meet about as often as a screen shows them. */
const meetingS = 0.1;
const maxTicks = 10;

/** A group of runs of which each leaves when it ends; a single remaining run is released. */
export function createRunGroup(runs: readonly SynchronisedRun[], clock: Clock): RunGroup {
  const members = new Map(runs.map((run) => [run.runId, run]));
  const stepNs = Math.max(...runs.map(({ tickNs }) => tickNs));
  const unlisten = new Map(runs.map((run) => [run.runId, run.onTick(meet)]));
  let isPaused = false;
  let ticks = 1;
  let sinceS = clock.seconds();
  let meetingNs = 0;
  for (const run of runs) void run.done.then(() => leave(run.runId));
  goTo(Math.max(stepNs, ...runs.map(({ reachedNs }) => reachedNs)));
  return {
    pause(is) {
      isPaused = is;
      meet();
    },
    leave,
  };

  function meet(): void {
    if (isPaused || members.size === 0) return;
    const reached = [...members.values()].map(({ reachedNs }) => reachedNs);
    if (Math.min(...reached) < meetingNs) return;
    const tookS = Math.max(clock.seconds() - sinceS, 1e-3);
    ticks = Math.min(maxTicks, Math.max(1, Math.round((ticks * meetingS) / tookS)));
    // Why the greatest: runs may have been stepped while they were paused.
    goTo(Math.max(...reached) + ticks * stepNs);
  }

  function goTo(timeNs: number): void {
    meetingNs = timeNs;
    sinceS = clock.seconds();
    for (const run of members.values()) run.control({ kind: 'hold', untilNs: timeNs });
  }

  function leave(runId: string): void {
    const run = members.get(runId);
    if (run === undefined) return;
    members.delete(runId);
    unlisten.get(runId)?.();
    run.control({ kind: 'hold', untilNs: null });
    const [last] = members.keys();
    if (members.size === 1 && last !== undefined) leave(last);
    else meet();
  }
}
