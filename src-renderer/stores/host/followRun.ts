// A running drive as a job: followed for its progress alone, from its first report to its end.
import { clamp } from '#domain/shared/numbers.ts';
import type { RunView } from '#contract/host/run.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { Client } from '#renderer/client/client.ts';
import { advanceJob, endJob, type Job } from './jobRecord.ts';

/** A run that is followed only for its progress is asked no oftener. */
const followMs = 400;

export interface FollowedRun {
  job: Job;
  /** Simulated time after which it stops, in seconds; null: not known. */
  seconds: () => number | null;
  onPaused: (isPaused: boolean) => void;
}

/** Resolves when the run has ended. @throws what the host throws */
export async function followRun(
  client: Client,
  runId: string,
  { job, seconds, onPaused }: FollowedRun,
): Promise<void> {
  const { mission, createdMs } = await client.call('runs.show', { runId });
  job.startedMs = createdMs;
  const totalM = mission === null ? 0 : distanceM(mission.startM, mission.goalM);
  const reply = await client.call(
    'drive.watch',
    { runId, maxPoints: 0 },
    {
      onProgress: (progress) => advanceJob(job, progress),
      onChunk: async (body) => {
        const view = body as RunView;
        onPaused(view.isPaused);
        advanceJob(job, driveProgress(view, totalM, seconds()));
        await new Promise((resolve) => setTimeout(resolve, followMs));
      },
    },
  );
  if (reply.state === 'finished') endJob(job, 'done');
  else if (reply.state === 'cancelled') endJob(job, 'cancelled');
  else endJob(job, 'failed', reply.error ?? 'the run was interrupted');
}

/** By the distance to the goal, or by the time to the end, whichever comes first. */
export function driveProgress(
  { tick, isPaused, control }: RunView,
  totalM: number,
  seconds: number | null,
): Progress {
  // Why not by hand: where a person drives to is not known.
  const isToGoal = totalM > 0 && control !== 'hand';
  const wayShare = isToGoal ? 1 - tick.distanceToGoalM / totalM : 0;
  const timeShare = seconds === null ? 0 : tick.timeNs / 1e9 / seconds;
  const isPartKnown = isToGoal || seconds !== null;
  const done = clamp(Math.max(wayShare, timeShare), 0, 1);
  return { phase: isPaused ? 'paused' : 'driving', done, total: isPartKnown ? 1 : 0 };
}

function distanceM([ax, ay]: readonly number[], [bx, by]: readonly number[]): number {
  return Math.hypot((bx ?? 0) - (ax ?? 0), (by ?? 0) - (ay ?? 0));
}
