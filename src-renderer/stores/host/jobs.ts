// Everything that takes long: calls of this page, and the runs of the host, also those that others started.
// Each has progress, remaining time, a log, a button that cancels it and the command that does the same.
import { defineStore } from 'pinia';
import { computed, ref, shallowReactive, watch } from 'vue';
import type { Columns } from '#contract/columns.ts';
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { Client, ClientCallOptions } from '#renderer/client/client.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { remainingMs, shareDone } from '#renderer/logic/frame/remainingTime.ts';
import { useConnection } from './connection.ts';
import { useRuns } from '../runs/runs.ts';
import { followRun } from './followRun.ts';
import {
  advanceJob,
  createJob,
  endJob,
  failJob,
  isRefusal,
  logLine,
  type Job,
} from './jobRecord.ts';

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

/** Jobs that have ended. */
const maxEnded = 50;

export const useJobs = defineStore('jobs', () => {
  const client = useClient();
  const runs = useRuns();
  const connection = useConnection();
  const list = shallowReactive<Job[]>([]);
  /** Paused runs. */
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
  const actions = { run, track, knowRun, remainingOf, clearEnded };
  return { list, running, pausedRuns, nowMs, isDrawerOpen, ...actions };

  /**
   * Like client.query, and visible as a job while it lasts and after.
   * @throws UnderstoryError as the call does; 'cancelled' where it was cancelled here.
   */
  async function run<M extends Method>(
    title: string,
    method: M,
    request: RequestInputOf<M>,
    options: JobOptions = {},
  ): Promise<{ reply: Replies[M]; columns: Columns }> {
    const controller = new AbortController();
    const onAbort = (): void => controller.abort();
    const job = begin('call', `call-${nextId++}`, title, options.command ?? null, onAbort);
    try {
      const answer = await queryFor(job, client, method, request, options, controller);
      endJob(job, 'done');
      return answer;
    } catch (failure) {
      endWith(job, failure);
      throw failure;
    }
  }

  /** For a call that outlives its work: its owner says how far it is and how it ended. */
  function track(title: string, cancel: () => void, command: string | null = null): TrackedJob {
    const job = begin('call', `call-${nextId++}`, title, command, cancel);
    return {
      advance: (progress) => advanceJob(job, progress),
      done: () => endJob(job, 'done'),
      failed: (failure) => endWith(job, failure),
    };
  }

  /** Records that only the page that started a run has. */
  function knowRun(runId: string, run: { command: string; seconds: number | null }): void {
    known.set(runId, run);
    const job = list.find(({ id }) => id === runId);
    if (job !== undefined) job.command = run.command;
  }

  /** Milliseconds; null: not known yet. */
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
    const job = createJob({ kind, id, title, command, cancel });
    list.unshift(job);
    const ended = list.filter(({ state }) => state !== 'running');
    for (const old of ended.slice(maxEnded)) list.splice(list.indexOf(old), 1);
    nowMs.value = job.startedMs;
    return job;
  }

  function endWith(job: Job, failure: unknown): void {
    if (isRefusal(failure)) list.splice(list.indexOf(job), 1);
    else failJob(job, failure, connection.state === 'open');
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
    const run = known.get(runId);
    const job = begin('run', runId, title, run?.command ?? null, () => {
      client.call('drive.stop', { runId }).catch((failure: unknown) => {
        job.isCancelling = false;
        logLine(job, sentenceOf(failure), true);
      });
    });
    try {
      await followRun(client, runId, {
        job,
        seconds: () => known.get(runId)?.seconds ?? null,
        onPaused(isPaused) {
          if (isPaused) pausedRuns.add(runId);
          else pausedRuns.delete(runId);
        },
      });
    } catch (failure) {
      endWith(job, failure);
    } finally {
      pausedRuns.delete(runId);
    }
  }
});

/** The call of a job: cancelled by the job, or by whom it is made for. */
async function queryFor<M extends Method>(
  job: Job,
  client: Client,
  method: M,
  request: RequestInputOf<M>,
  { signal, onProgress, onChunk }: JobOptions,
  controller: AbortController,
): Promise<{ reply: Replies[M]; columns: Columns }> {
  const onAbort = (): void => controller.abort();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) controller.abort();
  try {
    return await client.query(method, request, {
      ...(onChunk && { onChunk }),
      signal: controller.signal,
      onProgress: (progress) => {
        advanceJob(job, progress);
        onProgress?.(progress);
      },
    });
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
