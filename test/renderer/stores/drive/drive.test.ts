// The runs that are watched: found again, commanded all at once, replaced and left.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useDrive } from '#renderer/stores/drive/drive.ts';
import { sampleView } from '#test/services/scriptedRun.ts';
import { stubBrowser } from '../browserStubs.ts';
import { fakePage, type FakePage } from '../pageOf.ts';

let page: FakePage;
let told: unknown[] = [];

beforeEach(() => {
  told = [];
  stubBrowser('#/drive');
  openPage();
});

/** A page on a host in which the runs 'a' and 'b' are under way. */
function openPage(): void {
  page = fakePage();
  page.answer('runs.list', () => ({ runs: [{ id: 'a' }, { id: 'b' }], total: 2 }));
  page.answer('runs.show', (request) => {
    const { runId } = request as { runId: string };
    if (runId === 'gone') throw new Error('there is no such run');
    return { id: runId, sensors: ['one'] };
  });
  page.answer('drive.watch', async (_, { onChunk, signal }) => {
    const { view, columns } = sampleView(3, 10, 7);
    await onChunk?.({ ...view, isPaused: true, control: 'hand' }, columns);
    const ended = Promise.withResolvers<never>();
    signal?.addEventListener('abort', () => ended.reject(new Error('cancelled')));
    return ended.promise;
  });
  for (const method of ['drive.control', 'drive.command', 'drive.stop']) {
    page.answer(method, (request) => {
      told.push([method, request]);
      return { taken: true, stopped: true };
    });
  }
}

const idsOf = (drive: ReturnType<typeof useDrive>): string[] =>
  drive.watches.map(({ run }) => run.runId);

describe('the runs that are watched', () => {
  it('are those under way, where the page has stored no others', async () => {
    const drive = useDrive();
    await vi.waitFor(() => expect(idsOf(drive)).toEqual(['a', 'b']));
    await vi.waitFor(() => expect(drive.byHand).toHaveLength(2));
    expect(drive.isPaused).toBe(true);
  });

  it('are shown again after a reload, except deleted runs', async () => {
    useDrive().show(['gone', 'b', 'c']);
    openPage();
    const drive = useDrive();
    await vi.waitFor(() => expect(idsOf(drive)).toEqual(['b', 'c']));
  });

  it('are at most four, and each is kept where it stays', () => {
    const drive = useDrive();
    drive.show(['a', 'b']);
    const kept = drive.watchOf('b');
    drive.show(['b', 'c', 'd', 'e', 'f']);
    expect(idsOf(drive)).toEqual(['b', 'c', 'd', 'e']);
    expect(drive.watchOf('b')).toBe(kept);
    drive.remove('c');
    expect(idsOf(drive)).toEqual(['b', 'd', 'e']);
  });

  it('receive pause and speed all at once', async () => {
    const drive = useDrive();
    drive.show(['a', 'b']);
    await vi.waitFor(() => expect(drive.isPaused).toBe(true));
    await drive.step(2);
    await drive.togglePause();
    drive.command({ speedMPerS: 1, yawRateRadPerS: 0 });
    await drive.stop();
    const each = (method: string, body: object): unknown[] =>
      ['a', 'b'].map((runId) => [method, { runId, ...body }]);
    expect(told).toEqual([
      ...each('drive.control', { steps: 2 }),
      ...each('drive.control', { isPaused: false }),
      ...each('drive.command', { speedMPerS: 1, yawRateRadPerS: 0 }),
      ...each('drive.stop', {}),
    ]);
    expect(drive.isStopping).toBe(true);
  });

  it('show a subscriber the newest view at once', async () => {
    const drive = useDrive();
    drive.show(['a']);
    await vi.waitFor(() => expect(drive.isPaused).toBe(true));
    const taken: number[] = [];
    const leave = drive.watchOf('a')?.subscribe({
      reset: () => undefined,
      jump: () => undefined,
      setPath: () => undefined,
      addHistory: () => undefined,
      drawn: () => Promise.resolve(),
      show: ({ tick }, { x_m: xM }) => void taken.push(tick.tick, xM?.length ?? 0),
    });
    leave?.();
    expect(taken).toEqual([3, 10]);
  });
});
