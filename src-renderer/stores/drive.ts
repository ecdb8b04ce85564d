// The run that is being watched. Its figures are reactive; its clouds and maps are not: they go straight
// to the viewer that subscribed, one view for each frame on screen, so that a slow screen slows the host.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled } from '#contract/errors.ts';
import type { Replies, RequestInputOf } from '#contract/methods.ts';
import type { RunView } from '#contract/run.ts';
import type { Progress } from '#contract/worker.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { nextFrame } from '#renderer/composables/nextFrame.ts';
import { driveCommand } from '#renderer/logic/driveCommand.ts';
import { useConnection } from './connection.ts';
import { useJobs } from './jobs.ts';

/** What takes the views of a run as they come. */
export interface ViewTaker {
  /** Another run is watched from now on. */
  onRun(): void;
  onView(view: RunView, columns: Columns): void;
}

/** 'opening': asked for, nothing has come yet. */
export type WatchState = 'idle' | 'opening' | 'live' | 'ended' | 'failed';

export const useDrive = defineStore('drive', () => {
  const client = useClient();
  const jobs = useJobs();
  const runId = ref<string | null>(null);
  const state = ref<WatchState>('idle');
  const view = shallowRef<RunView | null>(null);
  const ending = shallowRef<Replies['drive.watch'] | null>(null);
  const progress = shallowRef<Progress | null>(null);
  const error = ref<string | null>(null);
  const isPaused = ref(false);
  const isStopping = ref(false);
  const maxPoints = ref(30_000);
  const isLive = computed(() => state.value === 'live' || state.value === 'opening');
  const takers: ViewTaker[] = [];
  let watching: AbortController | null = null;
  /** What came while the view was paused: the newest of each kind, points apart. */
  let held: { view: RunView; columns: Columns } | null = null;

  useConnection().whenOpen(() => {
    if (runId.value !== null && state.value === 'failed') void watch(runId.value);
  });
  return {
    runId,
    state,
    view,
    ending,
    progress,
    error,
    isPaused,
    isStopping,
    isLive,
    maxPoints,
    start,
    stop,
    watch,
    togglePause,
    subscribe: (taker: ViewTaker) => void takers.push(taker),
  };

  /** Starts a drive and watches it. @throws UnderstoryError where the host refuses it. */
  async function start(request: RequestInputOf<'drive.start'>): Promise<string> {
    const reply = await client.call('drive.start', { ...request, viewPoints: maxPoints.value });
    jobs.knowRun(reply.runId, {
      command: driveCommand(request),
      seconds: request.seconds ?? null,
    });
    void watch(reply.runId);
    return reply.runId;
  }

  async function stop(): Promise<void> {
    if (runId.value === null) return;
    isStopping.value = true;
    try {
      await client.call('drive.stop', { runId: runId.value });
    } catch (failure) {
      error.value = sentenceOf(failure);
      isStopping.value = false;
    }
  }

  /** Follows a run to its end; one that has ended gives its figures at once. */
  async function watch(id: string): Promise<void> {
    watching?.abort();
    const controller = new AbortController();
    watching = controller;
    reset(id);
    try {
      const reply = await client.call(
        'drive.watch',
        { runId: id, maxPoints: maxPoints.value },
        {
          signal: controller.signal,
          onProgress: (next) => {
            if (watching === controller) progress.value = next;
          },
          onChunk: async (body, columns) => {
            if (watching === controller) take(body as RunView, columns);
            await nextFrame();
          },
        },
      );
      if (watching !== controller) return;
      ending.value = reply;
      state.value = 'ended';
    } catch (failure) {
      if (watching !== controller || isCancelled(failure)) return;
      error.value = sentenceOf(failure);
      state.value = 'failed';
    }
    isStopping.value = false;
  }

  function take(next: RunView, columns: Columns): void {
    state.value = 'live';
    progress.value = null;
    if (isPaused.value) {
      held = { view: next, columns: { ...held?.columns, ...columns } };
      return;
    }
    show(next, columns);
  }

  function show(next: RunView, columns: Columns): void {
    view.value = next;
    for (const taker of takers) taker.onView(next, columns);
  }

  /** Freezes the picture; the run itself goes on. */
  function togglePause(): void {
    isPaused.value = !isPaused.value;
    if (isPaused.value || held === null) return;
    show(held.view, held.columns);
    held = null;
  }

  function reset(id: string): void {
    if (runId.value !== id) {
      view.value = null;
      for (const taker of takers) taker.onRun();
    }
    runId.value = id;
    state.value = 'opening';
    ending.value = null;
    progress.value = null;
    error.value = null;
    isPaused.value = false;
    isStopping.value = false;
    held = null;
  }
});
