// A recording that is played: what is asked of the host, and what the displays get.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { effectScope, type EffectScope } from 'vue';
import type { RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';
import { createPlayback, type Playback } from '#renderer/stores/runs/playback.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import { answerRecording } from '../hostAnswers.ts';
import { WithColumns } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

const ticks = 10;
let page: OpenPage;
let playback: Playback;
let scope: EffectScope;
/** Instants of the display, in order. */
let got: string[];
/** Times of the requests for one instant, and how to answer the oldest of them. */
let sought: number[];
let answers: (() => void)[];
let replays: { fromS: number; signal: AbortSignal | undefined; send: (tick: number) => unknown }[];

beforeEach(async () => {
  [got, sought, answers, replays] = [[], [], [], []];
  page = openPage({ at: '#/runs' });
  answerRecording(page, () => ticks);
  page.answer('runs.at', async (request) => {
    const { timeS } = request as { timeS: number };
    sought.push(timeS);
    await new Promise<void>((resolve) => answers.push(resolve));
    return new WithColumns(instant(Math.round(10 * timeS)), {});
  });
  page.answer('runs.replay', (request, { signal, onChunk }) => {
    const { fromS } = request as { fromS: number };
    return new Promise((_, reject) => {
      replays.push({ fromS, signal, send: (tick) => onChunk?.(instant(tick), {}) });
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  scope = effectScope(true);
  playback = page.within(() => scope.run(createPlayback)!);
  playback.subscribe(display());
  await playback.open('a');
  await answered();
});

afterEach(() => scope.stop());

/** Tick n is at n / 10 s. */
function instant(tick: number) {
  return { tick: { tick, timeNs: tick * 1e8 }, returns: 0, map: null };
}

function display(): RunDisplay {
  return {
    reset: () => void got.push('reset'),
    show: ({ tick }) => void got.push(`show ${tick.tick}`),
    jump: ({ xyzM }) => void got.push(`jump after ${xyzM.length / 3}`),
    setPath: () => undefined,
    addHistory: () => undefined,
    drawn: () => Promise.resolve(),
  };
}

/** Answers the oldest request for an instant, as soon as there is one. */
async function answered(): Promise<void> {
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(0));
  const before = got.length;
  answers.shift()?.();
  await vi.waitFor(() => expect(got.length).toBeGreaterThan(before));
}

describe('a recording', () => {
  it('is opened at its end, with the path until then', () => {
    expect(playback.timeS).toBeCloseTo(0.9, 9);
    expect(got).toEqual(['reset', 'jump after 9', 'show 9']);
  });

  it('shows its instant again, and what was before, once another number of points is chosen', async () => {
    playback.seek(0.4);
    await answered();
    [got, sought] = [[], []];
    const { budget } = page.within(usePointBudget);
    const before = budget.value;
    // Why: it is that of the browser, and other tests count on the default.
    onTestFinished(() => void (budget.value = before));
    budget.value = 1_000_000;
    await answered();
    expect(sought.map((timeS) => timeS.toFixed(2))).toEqual(['0.40']);
    expect(got).toEqual(['jump after 4', 'show 4']);
  });

  it('reads one instant at a time, and of those that were sought meanwhile only the last', async () => {
    sought = [];
    for (const atS of [0.1, 0.2, 0.3, 0.4]) playback.seek(atS);
    await answered();
    await answered();
    expect(sought.map((timeS) => Math.round(10 * timeS))).toEqual([1, 4]);
    expect(playback.instant?.tick.tick).toBe(4);
  });

  it('clears no points for the tick after the one on screen', async () => {
    playback.seek(0.4);
    await answered();
    got = [];
    playback.step(1);
    await answered();
    expect(got).toEqual(['show 5']);
    playback.step(-3);
    await answered();
    expect(got).toEqual(['show 5', 'jump after 2', 'show 2']);
  });

  it('plays on from what is on screen, and from the beginning at the end', async () => {
    playback.toggle();
    await vi.waitFor(() => expect(replays).toHaveLength(1));
    expect(replays[0]?.fromS).toBe(0);
    got = [];
    await replays[0]?.send(0);
    await replays[0]?.send(1);
    expect(got).toEqual(['jump after 0', 'show 0', 'show 1']);
    expect(playback.timeS).toBeCloseTo(0.1, 9);
    playback.pause();
    expect(replays[0]?.signal?.aborted).toBe(true);
    playback.play();
    await vi.waitFor(() => expect(replays).toHaveLength(2));
    got = [];
    await replays[1]?.send(2);
    expect(got).toEqual(['show 2']);
  });

  it('shows nothing of a replay that was replaced', async () => {
    playback.seek(0);
    await answered();
    playback.play();
    await vi.waitFor(() => expect(replays).toHaveLength(1));
    playback.setSpeed(4);
    await vi.waitFor(() => expect(replays).toHaveLength(2));
    got = [];
    await replays[0]?.send(5);
    expect(got).toEqual([]);
    expect(playback.isPlaying).toBe(true);
    expect(playback.error).toBeNull();
  });

  it('follows changes of its tags, and none after it is disposed of', async () => {
    page.answer('runs.show', () => ({ id: 'a', tags: ['wet'] }));
    page.emit('runs.changed', { runId: 'a', state: 'finished' });
    await vi.waitFor(() => expect(playback.details?.tags).toEqual(['wet']));
    playback.dispose();
    const before = page.calls.length;
    page.emit('runs.changed', { runId: 'a', state: 'finished' });
    expect(page.calls).toHaveLength(before);
    expect(playback.runId).toBeNull();
  });
});
