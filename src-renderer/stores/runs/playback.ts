// A run's recording as it is played or scrubbed. Clouds go straight to the viewer that subscribed, one for
// each frame on screen. Scrubbing asks for one instant at a time: the newest request replaces older ones.
import { computed, inject, provide, reactive, ref, shallowRef, type InjectionKey } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled } from '#contract/errors.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunMoment } from '#contract/host/runQueries.ts';
import { useClient } from '#renderer/client/injection.ts';
import { usePointBudget } from '../preferences/pointBudget.ts';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import { pointsPerView } from '#renderer/logic/cloud/pointShares.ts';
import { pathUntil, type RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';
import { rowAt } from '#renderer/logic/plots/plotLines.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import {
  runCosts,
  runSeries,
  type RunCosts,
  type RunSeries,
} from '#renderer/logic/runs/runSeries.ts';
import { useConnection } from '../host/connection.ts';
import { readHistory } from './runHistory.ts';
import { useRunRows } from './runRows.ts';

/** So long a time has to stay before the scans before it are read. */
const settleMs = 120;

/** Simulated seconds per second. */
export const playbackSpeeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;

export type Playback = ReturnType<typeof createPlayback>;
const playbackKey: InjectionKey<Playback> = Symbol('playback');

/** A playback for the calling component and all below it: each page of a run has its own. */
export function providePlayback(): Playback {
  const playback = createPlayback();
  provide(playbackKey, playback);
  return playback;
}

/** @throws outside of a page of a run: a bug. */
export function usePlayback(): Playback {
  const playback = inject(playbackKey);
  if (playback === undefined) throw new Error('no playback was provided');
  return playback;
}

/** One that belongs to nobody: who makes it disposes of it. Within a set-up. */
export function createPlayback() {
  const client = useClient();
  const connection = useConnection();
  const runId = ref<string | null>(null);
  const details = shallowRef<RunDetails | null>(null);
  const series = shallowRef<RunSeries | null>(null);
  const costs = shallowRef<RunCosts | null>(null);
  const timeS = ref(0);
  const speed = ref(1);
  const isPlaying = ref(false);
  const instant = shallowRef<RunMoment | null>(null);
  const error = ref<string | null>(null);
  const startS = computed(() => series.value?.timeS[0] ?? 0);
  const endS = computed(() => series.value?.timeS.at(-1) ?? 0);
  const row = computed(() => (series.value === null ? 0 : rowAt(series.value.timeS, timeS.value)));
  const displays = new Set<RunDisplay>();
  const { budget } = usePointBudget();
  const perView = (): number => pointsPerView(budget.value);
  let playing: AbortController | null = null;
  let readingHistory = new AbortController();
  let isSeeking = false;
  let requestedS: number | null = null;
  let gate: ((timeS: number) => Promise<void>) | null = null;

  const unwatchLink = connection.whenOpen(() => {
    if (runId.value !== null && series.value === null) void open(runId.value);
  });
  const rows = useRunRows();
  const unwatchRuns = rows.onChanged((changed) => {
    if (changed === runId.value) void readDetails(changed);
  });
  const unwatchTags = rows.onTagged((tagged, tags) => {
    if (details.value?.id === tagged) details.value = { ...details.value, tags };
  });
  return reactive({
    ...{ runId, details, series, costs, timeS, speed, isPlaying, instant, error },
    ...{ startS, endS, row, open, dispose, seek, step, toggle, setSpeed, play, pause },
    ...{ subscribe, waitAt },
  });

  function dispose(): void {
    close();
    unwatchLink();
    unwatchRuns();
    unwatchTags();
  }

  /** Returns what ends the subscription. */
  function subscribe(display: RunDisplay): () => void {
    displays.add(display);
    return () => void displays.delete(display);
  }

  /** What is played is shown only when this resolves: for playing several in step. */
  function waitAt(next: (timeS: number) => Promise<void>): void {
    gate = next;
  }

  async function open(id: string): Promise<void> {
    close();
    runId.value = id;
    for (const display of displays) display.reset();
    // Why not a failure: a page that was reloaded opens a run before its connection; see below.
    if (connection.state !== 'open') return;
    try {
      await readDetails(id);
      const { reply, columns } = await client.query('runs.ticks', { runId: id });
      if (runId.value !== id) return;
      series.value = runSeries(columns, reply.classes);
      if (reply.ticks > 0) seek(endS.value);
      const { columns: costColumns } = await client.query('runs.costs', { runId: id });
      if (runId.value === id) costs.value = runCosts(costColumns);
    } catch (failure) {
      if (runId.value === id) error.value = sentenceOf(failure);
    }
  }

  async function readDetails(id: string): Promise<void> {
    try {
      const read = await client.call('runs.show', { runId: id });
      if (runId.value === id) details.value = read;
    } catch (failure) {
      if (runId.value === id) error.value = sentenceOf(failure);
    }
  }

  function close(): void {
    pause();
    readingHistory.abort();
    runId.value = null;
    details.value = null;
    series.value = null;
    costs.value = null;
    instant.value = null;
    error.value = null;
    requestedS = null;
    timeS.value = 0;
  }

  /** Goes to a time; what plays continues from there. */
  function seek(toS: number): void {
    timeS.value = Math.min(Math.max(toS, startS.value), endS.value);
    if (isPlaying.value) {
      pause();
      void play();
    } else {
      requestedS = timeS.value;
      void readRequested();
    }
  }

  /** Goes so many ticks on, or back. */
  function step(ticks: number): void {
    pause();
    const times = series.value?.timeS;
    if (times === undefined) return;
    const next = Math.min(Math.max(row.value + ticks, 0), times.length - 1);
    seek(times[next] ?? 0);
  }

  function toggle(): void {
    if (isPlaying.value) {
      pause();
      return;
    }
    // Why: at the end, playing means from the beginning.
    if (timeS.value >= endS.value - 1e-6) timeS.value = startS.value;
    void play();
  }

  function setSpeed(next: number): void {
    speed.value = next;
    if (!isPlaying.value) return;
    pause();
    void play();
  }

  function pause(): void {
    playing?.abort();
    playing = null;
    isPlaying.value = false;
  }

  async function play(): Promise<void> {
    const id = runId.value;
    if (id === null) return;
    const controller = new AbortController();
    playing = controller;
    isPlaying.value = true;
    // Why: what continues from the instant on screen keeps what that instant shows.
    let isJump = !isShown();
    try {
      await client.call(
        'runs.replay',
        { runId: id, fromS: timeS.value, speed: speed.value, maxPoints: perView() },
        {
          signal: controller.signal,
          onChunk: async (body, columns) => {
            await gate?.((body as RunMoment).tick.timeNs / 1e9);
            if (playing !== controller) return;
            take(body as RunMoment, columns, isJump);
            isJump = false;
            await nextFrame();
          },
        },
      );
    } catch (failure) {
      if (playing === controller && !isCancelled(failure)) error.value = sentenceOf(failure);
    }
    if (playing === controller) pause();
  }

  /** Asks for the instant that was requested last, until none has been requested meanwhile. */
  async function readRequested(): Promise<void> {
    if (isSeeking) return;
    isSeeking = true;
    while (requestedS !== null && runId.value !== null) {
      const [id, at] = [runId.value, requestedS];
      requestedS = null;
      try {
        // Why the tenth of a millisecond: a time that was rounded on its way must not fall into the tick before.
        const request = { runId: id, timeS: at + 1e-4, maxPoints: perView() };
        const { reply, columns } = await client.query('runs.at', request);
        if (runId.value === id && !isPlaying.value) take(reply, columns, !isNext(reply));
        error.value = null;
      } catch (failure) {
        if (runId.value === id) error.value = sentenceOf(failure);
      }
    }
    isSeeking = false;
  }

  function take(next: RunMoment, columns: Columns, isJump: boolean): void {
    instant.value = next;
    if (isPlaying.value) timeS.value = next.tick.timeNs / 1e9;
    if (isJump && series.value !== null) {
      // Why before: the instant itself follows.
      const path = pathUntil(series.value, next.tick.timeNs / 1e9 - 1e-3);
      for (const display of displays) display.jump(path);
      void lookBack(next, columns['x_m']?.length ?? 0);
    }
    for (const display of displays) display.show(next, columns);
  }

  /** Whether the tick of the present time is on screen. */
  function isShown(): boolean {
    const [shown, tickS] = [instant.value, series.value?.timeS[row.value]];
    return (
      shown !== null && tickS !== undefined && Math.abs(shown.tick.timeNs / 1e9 - tickS) < 1e-4
    );
  }

  /** Whether an instant is the one after that on screen. */
  function isNext(next: RunMoment): boolean {
    return instant.value !== null && next.tick.tick === instant.value.tick.tick + 1;
  }

  /** Adds what playing up to this instant would have left on screen. */
  async function lookBack(to: RunMoment, viewPoints: number): Promise<void> {
    readingHistory.abort();
    const controller = new AbortController();
    readingHistory = controller;
    const [id, times] = [runId.value, series.value?.timeS];
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    if (controller.signal.aborted || id === null || times === undefined) return;
    const atS = to.tick.timeNs / 1e9;
    const past = { runId: id, timeS: times, atS, budgetPoints: budget.value, viewPoints };
    try {
      await readHistory(client, past, controller.signal, (points, isNewest) => {
        for (const display of displays) display.addHistory(points, isNewest);
      });
    } catch (failure) {
      if (!controller.signal.aborted) error.value = sentenceOf(failure);
    }
  }
}
