// Several runs on one timeline, each as long as it lasted: what is played, all show in step.
import { computed, onScopeDispose, reactive, ref, watch } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { noRanges } from '#renderer/logic/colours/colourRanges.ts';
import { createLockstep } from '#renderer/logic/compare/lockstep.ts';
import { rowAt } from '#renderer/logic/plots/plotLines.ts';
import { pointsOf } from '#renderer/logic/cloud/pointColumns.ts';
import { createPlayback, type Playback } from '#renderer/stores/runs/playback.ts';
import type { RunLook } from '#renderer/logic/viewer/viewSettings.ts';
import { widenRanges } from './useCloudView.ts';

export type Comparison = ReturnType<typeof useComparison>;

/** Shares of a run at which the ranges of the shared colours are measured, and how many points are read. */
const measuredShares = [0.1, 0.4, 0.7, 1];
const measuredPoints = 4000;

/** Opens the runs, and gives `look` ranges that hold for all of them and stay. Within a set-up. */
export function useComparison(runIds: readonly string[], look: RunLook) {
  // Why from the start: which instants the views show before the ranges are measured depends on the machine.
  look.hasFixedRanges = true;
  const client = useClient();
  const playbacks: Playback[] = runIds.map(() => createPlayback());
  const lockstep = createLockstep(playbacks.length);
  const timeS = ref(0);
  const speed = ref(1);
  const startS = computed(() =>
    isReady.value ? Math.min(...playbacks.map((one) => one.startS)) : 0,
  );
  const endS = computed(() => Math.max(0, ...opened.value.map((one) => one.endS)));
  const isPlaying = computed(() => playbacks.some((one) => one.isPlaying));
  const opened = computed(() => playbacks.filter(({ series }) => series !== null));
  const isReady = computed(() => opened.value.length === playbacks.length);

  for (const [index, playback] of playbacks.entries()) {
    playback.waitAt((atS) => lockstep.arrive(index, atS));
    watch(
      () => playback.isPlaying,
      (isOn) => !isOn && lockstep.leave(index),
      { flush: 'sync' },
    );
  }
  watch(
    () => playbacks.map((one) => one.timeS),
    (times) => isPlaying.value && (timeS.value = Math.max(...times)),
  );
  watch(isReady, (is) => {
    if (!is) return;
    timeS.value = endS.value;
    void measure();
  });
  onScopeDispose(() => {
    for (const playback of playbacks) playback.dispose();
  });
  return reactive({
    playbacks,
    timeS,
    speed,
    startS,
    endS,
    isPlaying,
    isReady,
    open,
    toggle,
    pause,
    seek,
    step,
    setSpeed,
  });

  function open(): void {
    for (const [index, playback] of playbacks.entries()) void playback.open(runIds[index] ?? '');
  }

  function toggle(): void {
    if (isPlaying.value) {
      pause();
      return;
    }
    // Why: at the end, playing means from the beginning.
    if (timeS.value >= endS.value - 1e-6) seek(startS.value);
    play();
  }

  function play(): void {
    lockstep.restart();
    for (const [index, playback] of playbacks.entries()) {
      if (playback.series !== null && timeS.value < playback.endS - 1e-6) playback.play();
      else lockstep.leave(index);
    }
  }

  function pause(): void {
    for (const playback of playbacks) playback.pause();
  }

  function seek(toS: number): void {
    const wasPlaying = isPlaying.value;
    pause();
    timeS.value = Math.min(Math.max(toS, startS.value), endS.value);
    for (const playback of opened.value) playback.seek(timeS.value);
    if (wasPlaying) play();
  }

  /** By the ticks of the run that lasted longest. */
  function step(ticks: number): void {
    const longest = opened.value.find((one) => one.endS === endS.value)?.series?.timeS;
    if (longest === undefined) return;
    pause();
    const next = rowAt(longest, timeS.value) + ticks;
    seek(longest[Math.min(Math.max(next, 0), longest.length - 1)] ?? 0);
  }

  function setSpeed(next: number): void {
    const wasPlaying = isPlaying.value;
    pause();
    speed.value = next;
    for (const playback of playbacks) playback.setSpeed(next);
    if (wasPlaying) play();
  }

  /** The ranges over instants of all runs. */
  async function measure(): Promise<void> {
    const requests = playbacks.flatMap(({ runId, endS: lastS }) =>
      runId === null || lastS <= 0
        ? []
        : measuredShares.map((share) => ({
            runId,
            timeS: share * lastS,
            maxPoints: measuredPoints,
          })),
    );
    const measured = { ranges: noRanges() };
    for (const request of requests) {
      // Why nothing on failure: before its first tick a run has no instant, and the others give the ranges.
      const answer = await client.query('runs.at', request).catch(() => null);
      const points = answer === null ? null : pointsOf(answer.columns);
      if (points !== null) widenRanges(measured, points);
    }
    look.colouring.ranges = measured.ranges;
  }
}
