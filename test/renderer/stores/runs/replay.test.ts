// A recording that is played: in order, one instant a frame, and nothing of what was stopped.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { useClient } from '#renderer/client/injection.ts';
import { createReplay, type Replay } from '#renderer/stores/runs/replay.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
let replay: Replay;
let shown: [timeS: number, isFirst: boolean][];
let failures: unknown[];
/** Each call of runs.replay. */
let sent: {
  signal: AbortSignal | undefined;
  instant: (timeS: number) => Promise<void>;
  end: () => void;
  fail: (error: Error) => void;
}[];

beforeEach(() => {
  [shown, failures, sent] = [[], [], []];
  page = openPage({ at: '#/runs' });
  page.answer('runs.replay', (_, { signal, onChunk }) => {
    return new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new UnderstoryError('cancelled', 'stopped')));
      sent.push({
        signal,
        instant: async (timeS) => void (await onChunk?.({ tick: { timeNs: timeS * 1e9 } }, {})),
        end: () => resolve(),
        fail: reject,
      });
    });
  });
  replay = page.within(() =>
    createReplay(useClient(), {
      show: ({ tick }, _, isFirst) => shown.push([tick.timeNs / 1e9, isFirst]),
      drawn: () => Promise.resolve(),
      failed: (error) => failures.push(error),
    }),
  );
});

const request = { runId: 'run', fromS: 0, speed: 1, maxPoints: 100 };

async function start(): Promise<(typeof sent)[number]> {
  const before = sent.length;
  replay.start(request);
  return vi.waitFor(() => {
    const call = sent[before];
    if (call === undefined) throw new Error('not asked yet');
    return call;
  });
}

describe('playing', () => {
  it('shows instants in order, the first one as such, and ends with the recording', async () => {
    const call = await start();
    expect(replay.isPlaying.value).toBe(true);
    await call.instant(1);
    await call.instant(2);
    expect(shown).toEqual([
      [1, true],
      [2, false],
    ]);
    call.end();
    await vi.waitFor(() => expect(replay.isPlaying.value).toBe(false));
    expect(failures).toEqual([]);
  });

  it('shows nothing that arrives after it was stopped, and reports no failure', async () => {
    const call = await start();
    await call.instant(1);
    replay.stop();
    expect(call.signal?.aborted).toBe(true);
    await call.instant(2);
    expect(shown).toHaveLength(1);
    expect([replay.isPlaying.value, failures]).toEqual([false, []]);
  });

  it('takes the place of what was played before', async () => {
    const first = await start();
    const second = await start();
    await first.instant(1);
    await second.instant(5);
    expect(shown).toEqual([[5, true]]);
    expect(replay.isPlaying.value).toBe(true);
  });

  it('waits for the others of a comparison before each instant', async () => {
    let pass = (): void => undefined;
    const asked: number[] = [];
    replay.waitAt((timeS) => {
      asked.push(timeS);
      return new Promise((resolve) => (pass = resolve));
    });
    const call = await start();
    const arrived = call.instant(3);
    await vi.waitFor(() => expect(asked).toEqual([3]));
    expect(shown).toEqual([]);
    pass();
    await arrived;
    expect(shown).toEqual([[3, true]]);
  });

  it('reports a failure of the host', async () => {
    const call = await start();
    call.fail(new UnderstoryError('corrupt', 'damaged'));
    await vi.waitFor(() => expect(failures).toHaveLength(1));
    expect(replay.isPlaying.value).toBe(false);
  });
});
