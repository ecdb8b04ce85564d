// One job's record: its state, progress and log. Pure but for the clock.
import { shallowReactive } from 'vue';
import { isCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { secondsText } from '#domain/shared/formats.ts';
import { shareDone, type ShareAt } from '#renderer/logic/frame/remainingTime.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';

/** 'lost': the host went away; what became of the work is not known here. */
export type JobState = 'running' | 'done' | 'failed' | 'cancelled' | 'lost';

export interface Job {
  /** Id of a run, otherwise a number of this page. */
  id: string;
  kind: 'call' | 'run';
  title: string;
  state: JobState;
  startedMs: number;
  endedMs: number | null;
  progress: Progress | null;
  /** When the present phase was first heard of, and how far it was then. */
  phaseStart: ShareAt;
  log: { atMs: number; text: string; isError: boolean }[];
  command: string | null;
  isCancelling: boolean;
  cancel: () => void;
}

/** Lines stored of a job. */
const logLines = 200;

/** Running; cancelling it is logged, then asked for. */
export function createJob(job: Pick<Job, 'id' | 'kind' | 'title' | 'command' | 'cancel'>): Job {
  const now = Date.now();
  const made: Job = shallowReactive({
    ...job,
    state: 'running' as const,
    startedMs: now,
    endedMs: null,
    progress: null,
    phaseStart: { share: 0, atMs: now },
    log: shallowReactive([{ atMs: now, text: 'started', isError: false }]),
    isCancelling: false,
    cancel: () => {
      made.isCancelling = true;
      logLine(made, 'stopping');
      job.cancel();
    },
  });
  return made;
}

/** Sets a job's progress; a new phase becomes a line of its log. */
export function advanceJob(job: Job, progress: Progress): void {
  if (progress.phase !== job.progress?.phase) {
    job.phaseStart = { share: shareDone(progress) ?? 0, atMs: Date.now() };
    logLine(job, progress.phase);
  }
  job.progress = progress;
}

/** Once: an ended job stays as it ended. */
export function endJob(job: Job, state: JobState, text: string = endTexts[state]): void {
  if (job.state !== 'running') return;
  const isError = state === 'failed' || state === 'lost';
  job.state = state;
  job.endedMs = Date.now();
  job.isCancelling = false;
  logLine(job, `${text} after ${secondsText((job.endedMs - job.startedMs) / 1000)}`, isError);
}

/** `isLinked`: the connection to the host is open. */
export function failJob(job: Job, failure: unknown, isLinked: boolean): void {
  const isIo = failure instanceof UnderstoryError && failure.code === 'io';
  if (isCancelled(failure)) endJob(job, 'cancelled');
  else if (isIo && !isLinked) endJob(job, 'lost');
  else endJob(job, 'failed', sentenceOf(failure));
}

/** Adds a line to a job's log. */
export function logLine(job: Job, text: string, isError = false): void {
  job.log.push({ atMs: Date.now(), text, isError });
  if (job.log.length > logLines) job.log.splice(1, 1);
}

/** Refused before anything was done: the caller shows it at the fields, and there is no job yet. */
export function isRefusal(failure: unknown): boolean {
  return failure instanceof UnderstoryError && Array.isArray(failure.details['problems']);
}

const endTexts: Record<JobState, string> = {
  running: '',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  lost: 'the host stopped responding; the result is unknown',
};
