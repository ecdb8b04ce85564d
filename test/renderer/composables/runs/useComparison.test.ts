// Several runs on one timeline: opened together, sought together, and coloured by ranges that hold for all.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, type EffectScope } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { createRunLook } from '#renderer/logic/viewer/viewSettings.ts';
import { useComparison } from '#renderer/composables/runs/useComparison.ts';
import { answerRecording } from '#test/renderer/stores/hostAnswers.ts';
import { WithColumns } from '#test/renderer/stores/pageOf.ts';
import { openPage, type OpenPage } from '#test/renderer/stores/openPage.ts';

let page: OpenPage;
let scope: EffectScope;
/** Ticks of the runs, by id: a tick each 0.1 s from 0 on. */
let ticks: Record<string, number>;
/** Instants that were asked for to measure, and to show. */
let measured: { runId: string; timeS: number }[];
let replays: { runId: string; fromS: number; signal: AbortSignal | undefined }[];

beforeEach(() => {
  [measured, replays, ticks] = [[], [], { short: 6, long: 11 }];
  scope = effectScope(true);
  page = openPage({ at: '#/runs' });
  answerRecording(page, (runId) => ticks[runId] ?? 0);
  page.answer('runs.at', (request) => {
    const { runId, timeS, maxPoints } = request as Record<'timeS' | 'maxPoints', number> & {
      runId: string;
    };
    if (maxPoints === 4000) measured.push({ runId, timeS });
    const tick = { tick: Math.round(10 * timeS), timeNs: timeS * 1e9 };
    return new WithColumns({ tick, returns: 0, map: null }, pointAt(runId === 'long' ? 30 : 2));
  });
  page.answer('runs.replay', (request, { signal }) => {
    const { runId, fromS } = request as { runId: string; fromS: number };
    replays.push({ runId, fromS, signal });
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
});

/** One point at a height. */
function pointAt(zM: number): Columns {
  const zero = new Float32Array(1);
  return {
    x_m: zero,
    y_m: zero,
    z_m: Float32Array.of(zM),
    intensity: zero,
    range_m: zero,
    range_error_m: zero,
    ring: new Uint16Array(1),
    return_no: new Uint8Array(1),
    sensor: new Uint8Array(1),
    class_id: new Uint16Array(1),
  };
}

async function open() {
  const look = createRunLook();
  const runs = page.within(() => scope.run(() => useComparison(['short', 'long'], look))!);
  runs.open();
  await vi.waitFor(() => expect(runs.isReady).toBe(true));
  await vi.waitFor(() => expect(look.colouring.ranges.height).not.toBeNull());
  return { runs, look };
}

const times = (runs: { playbacks: { timeS: number }[] }): number[] =>
  runs.playbacks.map(({ timeS }) => Math.round(10 * timeS) / 10);

describe('the timeline', () => {
  it('is as long as the longest run, and begins at its end', async () => {
    const { runs } = await open();
    expect([runs.startS, runs.endS, runs.timeS]).toEqual([0, 1, 1]);
  });

  it('seeks in all runs; a shorter one is at its end', async () => {
    const { runs } = await open();
    runs.seek(0.3);
    expect([runs.timeS, times(runs)]).toEqual([0.3, [0.3, 0.3]]);
    runs.seek(7);
    expect([runs.timeS, times(runs)]).toEqual([1, [0.5, 1]]);
    runs.seek(-1);
    expect(runs.timeS).toBe(0);
  });

  it('steps by the ticks of the longest run, and no farther than its ends', async () => {
    const { runs } = await open();
    runs.step(-3);
    expect(runs.timeS).toBeCloseTo(0.7, 9);
    runs.step(1);
    expect(runs.timeS).toBeCloseTo(0.8, 9);
    runs.step(9);
    expect(runs.timeS).toBe(1);
  });
});

describe('playing', () => {
  it('begins again from the end, with all runs', async () => {
    const { runs } = await open();
    runs.toggle();
    await vi.waitFor(() => expect(replays).toHaveLength(2));
    expect(replays.map(({ runId, fromS }) => [runId, fromS])).toEqual([
      ['short', 0],
      ['long', 0],
    ]);
    runs.toggle();
    expect(runs.isPlaying).toBe(false);
    expect(replays.every(({ signal }) => signal?.aborted)).toBe(true);
  });

  it('does not play a run that has ended by then', async () => {
    const { runs } = await open();
    runs.seek(0.8);
    runs.toggle();
    await vi.waitFor(() => expect(replays).toHaveLength(1));
    expect(replays[0]?.runId).toBe('long');
    expect(runs.isPlaying).toBe(true);
  });

  it('continues from another time or at another speed; paused it stays paused', async () => {
    const { runs } = await open();
    runs.seek(0.1);
    runs.setSpeed(2);
    expect([runs.isPlaying, replays.length]).toEqual([false, 0]);
    runs.toggle();
    await vi.waitFor(() => expect(replays).toHaveLength(2));
    runs.seek(0.3);
    await vi.waitFor(() => expect(replays).toHaveLength(4));
    expect(replays.slice(2).map(({ fromS }) => fromS)).toEqual([0.3, 0.3]);
    expect(runs.isPlaying).toBe(true);
  });
});

describe('the ranges of the colours', () => {
  it('are measured over all runs, and fixed from the start', async () => {
    const { look } = await open();
    expect(look.hasFixedRanges).toBe(true);
    expect(new Set(measured.map(({ runId }) => runId))).toEqual(new Set(['short', 'long']));
    const [from = 0, to = 0] = look.colouring.ranges.height ?? [];
    expect(from).toBeLessThanOrEqual(2);
    expect(to).toBeGreaterThanOrEqual(30);
  });

  it('shows the other runs if one cannot be read', async () => {
    const before = new Map([['short', pointAt(2)]]);
    page.answer('runs.at', (request) => {
      const { runId } = request as { runId: string };
      const columns = before.get(runId);
      if (columns === undefined) throw new Error('no instant');
      return new WithColumns({ tick: { tick: 0, timeNs: 0 }, returns: 0, map: null }, columns);
    });
    const { look } = await open();
    expect(look.colouring.ranges.height?.[1]).toBeLessThan(30);
  });
});

it('ends what it plays when it goes', async () => {
  const { runs } = await open();
  runs.toggle();
  await vi.waitFor(() => expect(replays).toHaveLength(2));
  scope.stop();
  expect(replays.every(({ signal }) => signal?.aborted)).toBe(true);
});
