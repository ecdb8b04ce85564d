// Everything that takes long: calls of this page, and the runs of the host, also those that others started.
// Each has progress, remaining time, a log, a way to cancel it and the command that does the same.
import { defineStore } from 'pinia';
import { computed, ref, shallowReactive, watch } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import type { RunView } from '#contract/host/run.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { ClientCallOptions } from '#renderer/client/client.ts';
import { useClient } from '#renderer/client/injection.ts';
import { formatSeconds } from '#renderer/logic/format.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { remainingMs, shareDone, type ShareAt } from '#renderer/logic/frame/remainingTime.ts';
import { useConnection } from './connection.ts';
import { useRuns } from '../runs/runs.ts';

/** 'lost': the host went away; what became of the work is not known here. */
export type JobState = 'running' | 'done' | 'failed' | 'cancelled' | 'lost';

export interface Job {
  /** Of a run its id, otherwise a number of this page. */
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

export interface JobOptions extends ClientCallOptions {
  /** The same as a line for the command line. */
  command?: string;
}

export interface TrackedJob {
  advance: (progress: Progress) => void;
  done: () => void;
  /** 'cancelled' and a lost host do not count as failures. */
  failed: (failure: unknown) => void;
}

/** Lines kept of a job, and jobs that have ended. */
const logLines = 200;
const keptEnded = 50;
/** A run that is followed only for its progress is asked no oftener. */
const followMs = 400;

export const useJobs = defineStore('jobs', () => {
  const client = useClient();
  const runs = useRuns();
  const connection = useConnection();
  const list = shallowReactive<Job[]>([]);
  /** Runs that stand still for now. */
  const pausedRuns = shallowReactive(new Set<string>());
  const nowMs = ref(Date.now());
  const isDrawerOpen = ref(false);
  const running = computed(() => list.filter(({ state }) => state === 'running'));
  const known = new Map<string, { command: string; seconds: number | null }>();
  let nextId = 1;
  let ticking: ReturnType<typeof setInterval> | undefined;

  watch(
    () => running.value.length > 0,
    (isBusy) => {
      clearInterval(ticking);
      if (isBusy) ticking = setInterval(() => (nowMs.value = Date.now()), 500);
    },
  );
  watch(() => runs.runs, followRuns, { immediate: true });
  connection.whenOpen(followRuns);
  return {
    list,
    running,
    pausedRuns,
    nowMs,
    isDrawerOpen,
    run,
    track,
    knowRun,
    remainingOf,
    clearEnded,
  };

  /**
   * Like client.query, and in sight as a job while it lasts and after.
   * @throws UnderstoryError as the call does; 'cancelled' where somebody cancelled it here.
   */
  async function run<M extends Method>(
    title: string,
    method: M,
    request: RequestInputOf<M>,
    options: JobOptions = {},
  ): Promise<{ reply: Replies[M]; columns: Columns }> {
    const { command, signal, onProgress, ...rest } = options;
    const controller = new AbortController();
    const onAbort = (): void => controller.abort();
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) controller.abort();
    const job = begin('call', `call-${nextId++}`, title, command ?? null, onAbort);
    try {
      const answer = await client.query(method, request, {
        ...rest,
        signal: controller.signal,
        onProgress: (progress) => {
          advance(job, progress);
          onProgress?.(progress);
        },
      });
      end(job, 'done');
      return answer;
    } catch (failure) {
      endWith(job, failure);
      throw failure;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** For a call that outlives its work: its owner says how far it is and how it ended. */
  function track(title: string, cancel: () => void, command: string | null = null): TrackedJob {
    const job = begin('call', `call-${nextId++}`, title, command, cancel);
    return {
      advance: (progress) => advance(job, progress),
      done: () => end(job, 'done'),
      failed: (failure) => endWith(job, failure),
    };
  }

  /** What only the page that started a run can know of it. */
  function knowRun(runId: string, facts: { command: string; seconds: number | null }): void {
    known.set(runId, facts);
    const job = list.find(({ id }) => id === runId);
    if (job !== undefined) job.command = facts.command;
  }

  /** Milliseconds; null: nobody can know yet. */
  function remainingOf(job: Job): number | null {
    const share = shareDone(job.progress);
    if (share === null || job.state !== 'running') return null;
    return remainingMs(job.phaseStart, { share, atMs: Math.max(nowMs.value, Date.now()) });
  }

  function clearEnded(): void {
    for (let at = list.length - 1; at >= 0; at -= 1) {
      if (list[at]?.state !== 'running') list.splice(at, 1);
    }
  }

  function begin(
    kind: Job['kind'],
    id: string,
    title: string,
    command: string | null,
    cancel: () => void,
  ): Job {
    const now = Date.now();
    const job: Job = shallowReactive({
      ...{ id, kind, title, command, state: 'running' as const },
      startedMs: now,
      endedMs: null,
      progress: null,
      phaseStart: { share: 0, atMs: now },
      log: shallowReactive([{ atMs: now, text: 'started', isError: false }]),
      isCancelling: false,
      cancel: () => {
        job.isCancelling = true;
        say(job, 'stopping');
        cancel();
      },
    });
    list.unshift(job);
    const ended = list.filter(({ state }) => state !== 'running');
    for (const old of ended.slice(keptEnded)) list.splice(list.indexOf(old), 1);
    nowMs.value = now;
    return job;
  }

  function advance(job: Job, progress: Progress): void {
    if (progress.phase !== job.progress?.phase) {
      job.phaseStart = { share: shareDone(progress) ?? 0, atMs: Date.now() };
      say(job, progress.phase);
    }
    job.progress = progress;
  }

  function end(job: Job, state: JobState, text: string = endTexts[state]): void {
    if (job.state !== 'running') return;
    const isError = state === 'failed' || state === 'lost';
    job.state = state;
    job.endedMs = Date.now();
    job.isCancelling = false;
    say(job, `${text} after ${formatSeconds((job.endedMs - job.startedMs) / 1000)}`, isError);
  }

  function endWith(job: Job, failure: unknown): void {
    if (isRefusal(failure)) list.splice(list.indexOf(job), 1);
    else if (isCancelled(failure)) end(job, 'cancelled');
    else if (isHostLost(failure)) end(job, 'lost');
    else end(job, 'failed', sentenceOf(failure));
  }

  function say(job: Job, text: string, isError = false): void {
    job.log.push({ atMs: Date.now(), text, isError });
    if (job.log.length > logLines) job.log.splice(1, 1);
  }

  function isHostLost(failure: unknown): boolean {
    const isIo = failure instanceof UnderstoryError && failure.code === 'io';
    return isIo && connection.state !== 'open';
  }

  /** Running drives get a job; jobs of runs that are no longer reported end. */
  function followRuns(): void {
    for (const { id, name, sensors, seed, state } of runs.runs) {
      const job = list.find((one) => one.id === id && one.state === 'running');
      if (state === 'running' && job === undefined)
        void follow(id, `Drive: ${name}, ${sensors.join(', ')}, seed ${seed}`);
    }
  }

  async function follow(runId: string, title: string): Promise<void> {
    const lost = list.findIndex(({ id }) => id === runId);
    if (lost !== -1) list.splice(lost, 1);
    const facts = known.get(runId);
    const job = begin('run', runId, title, facts?.command ?? null, () => {
      client.call('drive.stop', { runId }).catch((failure: unknown) => {
        job.isCancelling = false;
        say(job, sentenceOf(failure), true);
      });
    });
    try {
      const { mission, createdMs } = await client.call('runs.show', { runId });
      job.startedMs = createdMs;
      const totalM = mission === null ? 0 : distanceM(mission.startM, mission.goalM);
      const reply = await client.call(
        'drive.watch',
        { runId, maxPoints: 0 },
        {
          onProgress: (progress) => advance(job, progress),
          onChunk: async (body) => {
            const view = body as RunView;
            if (view.isPaused) pausedRuns.add(runId);
            else pausedRuns.delete(runId);
            advance(job, driveProgress(view, totalM, known.get(runId)?.seconds ?? null));
            await new Promise((resolve) => setTimeout(resolve, followMs));
          },
        },
      );
      if (reply.state === 'finished') end(job, 'done');
      else if (reply.state === 'cancelled') end(job, 'cancelled');
      else end(job, 'failed', reply.error ?? 'the run was interrupted');
    } catch (failure) {
      endWith(job, failure);
    } finally {
      pausedRuns.delete(runId);
    }
  }
});

/** Refused before anything was done: what asked for it says so at the fields, and there is no job yet. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof UnderstoryError && Array.isArray(failure.details['problems']);
}

const endTexts: Record<JobState, string> = {
  running: '',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  lost: 'the host stopped responding; the result is unknown',
};

/** By the way to the goal, or by the time to the end, whichever comes first. */
function driveProgress(
  { tick, isPaused, control }: RunView,
  totalM: number,
  seconds: number | null,
): Progress {
  // Why not by hand: where a person drives to is not known.
  const isToGoal = totalM > 0 && control !== 'hand';
  const wayShare = isToGoal ? 1 - tick.distanceToGoalM / totalM : 0;
  const timeShare = seconds === null ? 0 : tick.timeNs / 1e9 / seconds;
  const isPartKnown = isToGoal || seconds !== null;
  const done = Math.max(0, Math.min(1, Math.max(wayShare, timeShare)));
  return { phase: isPaused ? 'paused' : 'driving', done, total: isPartKnown ? 1 : 0 };
}

function distanceM([ax, ay]: readonly number[], [bx, by]: readonly number[]): number {
  return Math.hypot((bx ?? 0) - (ax ?? 0), (by ?? 0) - (ay ?? 0));
}
