// A run's recording as it is played or scrubbed. Clouds go straight to the viewer that subscribed, one for
// each frame on screen. Scrubbing asks for one instant at a time: the newest request replaces older ones.
import {
  computed,
  inject,
  provide,
  reactive,
  ref,
  shallowRef,
  watch,
  type InjectionKey,
} from 'vue';
import type { Columns } from '#contract/columns.ts';
import type { RunSnapshot } from '#contract/host/runQueries.ts';
import { useClient } from '#renderer/client/injection.ts';
import { usePointBudget } from '../preferences/pointBudget.ts';
import { pointsPerView } from '#renderer/logic/cloud/pointShares.ts';
import { createNewestRequest } from '#renderer/logic/newestRequest.ts';
import { rowAt } from '#renderer/logic/plots/plotLines.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { createInstantDisplays } from './instantDisplays.ts';
import { createPlayedRun } from './playedRun.ts';
import { createReplay } from './replay.ts';

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

/** One without an owner: its creator disposes of it. Within a set-up. */
export function createPlayback() {
  const client = useClient();
  const { budget } = usePointBudget();
  const run = createPlayedRun((ticks) => {
    if (ticks > 0) seek(run.endS.value);
  });
  const { runId, series, error, startS, endS } = run;
  const fail = (failure: unknown): void => void (error.value = sentenceOf(failure));
  const timeS = ref(0);
  const speed = ref(1);
  /** The instant on screen. */
  const instant = shallowRef<RunSnapshot | null>(null);
  const row = computed(() => (series.value === null ? 0 : rowAt(series.value.timeS, timeS.value)));
  const displays = createInstantDisplays(client, () => budget.value, fail);
  /** Playing continues from the instant that was on screen when it was started. */
  let isContinued = false;
  const replay = createReplay(client, {
    show(next, columns, isFirst) {
      timeS.value = next.tick.timeNs / 1e9;
      show(next, columns, isFirst && !isContinued);
    },
    drawn: displays.drawn,
    failed: fail,
  });
  const { isPlaying, stop: pause, waitAt } = replay;
  const sought = createNewestRequest(readInstant);
  // Why afterwards: a view of other points has dropped those that it had.
  watch(budget, () => showAgain(), { flush: 'post' });

  return reactive({
    ...run,
    timeS,
    speed,
    isPlaying,
    instant,
    row,
    open,
    dispose,
    seek,
    step,
    toggle,
    setSpeed,
    play,
    pause,
    subscribe: displays.subscribe,
    waitAt,
  });

  function dispose(): void {
    clear();
    run.dispose();
  }

  async function open(id: string): Promise<void> {
    clear();
    displays.reset();
    await run.open(id);
  }

  function clear(): void {
    pause();
    displays.cancelHistory();
    sought.drop();
    instant.value = null;
    timeS.value = 0;
  }

  /** Goes to a time; what plays continues from there. */
  function seek(toS: number): void {
    timeS.value = Math.min(Math.max(toS, startS.value), endS.value);
    if (isPlaying.value) play();
    else if (runId.value !== null) sought.make({ id: runId.value, atS: timeS.value });
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
    const isAtEnd = timeS.value >= endS.value - 1e-6;
    // Why: at the end, playing means from the beginning.
    if (isAtEnd && !isPlaying.value) timeS.value = startS.value;
    if (isPlaying.value) pause();
    else play();
  }

  function setSpeed(next: number): void {
    speed.value = next;
    if (isPlaying.value) play();
  }

  function showAgain(): void {
    if (instant.value === null) return;
    seek(timeS.value);
    isContinued = false;
  }

  function play(): void {
    if (runId.value === null) return;
    isContinued = isShown();
    const maxPoints = pointsPerView(budget.value);
    replay.start({ runId: runId.value, fromS: timeS.value, speed: speed.value, maxPoints });
  }

  async function readInstant({ id, atS }: { id: string; atS: number }): Promise<void> {
    try {
      const maxPoints = pointsPerView(budget.value);
      // Why the tenth of a millisecond: a rounded time must not fall into the tick before.
      const request = { runId: id, timeS: atS + 1e-4, maxPoints };
      const { reply, columns } = await client.query('runs.at', request);
      if (runId.value !== id) return;
      error.value = null;
      if (!isPlaying.value) show(reply, columns, !isNext(reply));
    } catch (failure) {
      if (runId.value === id) fail(failure);
    }
  }

  function show(next: RunSnapshot, columns: Columns, isJump: boolean): void {
    instant.value = next;
    if (isJump && series.value !== null && runId.value !== null) {
      displays.jump(runId.value, series.value, next, columns);
    } else displays.show(next, columns);
  }

  /** Whether the tick of the present time is on screen. */
  function isShown(): boolean {
    const [shown, tickS] = [instant.value, series.value?.timeS[row.value]];
    return (
      shown !== null && tickS !== undefined && Math.abs(shown.tick.timeNs / 1e9 - tickS) < 1e-4
    );
  }

  /** Whether an instant is the one after that on screen. */
  function isNext(next: RunSnapshot): boolean {
    return instant.value !== null && next.tick.tick === instant.value.tick.tick + 1;
  }
}
