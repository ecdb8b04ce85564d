import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { useJobs } from '#renderer/stores/host/jobs.ts';
import { answerEmptyLists } from '../hostAnswers.ts';
import { fakePage, untilCancelled, type FakePage } from '../pageOf.ts';

const texts = (log: readonly { text: string }[] = []): string[] => log.map(({ text }) => text);
const runningRun = { id: 'run-1', name: 'Yard', sensors: ['vlp-16'], seed: 3, state: 'running' };
const exportOf = { runId: 'r', format: 'pcd', out: '/o' } as const;

describe('jobs', () => {
  let page: FakePage;
  beforeEach(() => {
    page = fakePage();
    answerEmptyLists(page);
  });

  it('show a call while it lasts: phases, progress, the end', async () => {
    const jobs = useJobs();
    const seen: string[] = [];
    page.answer('runs.export', (_, { onProgress }) => {
      onProgress?.({ phase: 'reading', done: 1, total: 4 });
      onProgress?.({ phase: 'reading', done: 2, total: 4 });
      onProgress?.({ phase: 'writing', done: 3, total: 4 });
      seen.push(`${jobs.running.length} ${jobs.list[0]?.progress?.done}`);
      return { files: ['/o'], points: 5, leftOut: [] };
    });
    const passed: number[] = [];
    const { reply } = await jobs.run('Export', 'runs.export', exportOf, {
      command: 'npx understory runs export r',
      onProgress: ({ done }) => passed.push(done),
    });
    expect(reply.points).toBe(5);
    expect(passed).toEqual([1, 2, 3]);
    expect(seen).toEqual(['1 3']);
    const [job] = jobs.list;
    expect(job?.state).toBe('done');
    expect(job?.command).toBe('npx understory runs export r');
    expect(texts(job?.log).slice(0, 3)).toEqual(['started', 'reading', 'writing']);
    expect(texts(job?.log)[3]).toMatch(/^done after \d+\.\d s$/);
    expect(jobs.running).toEqual([]);
    jobs.clearEnded();
    expect(jobs.list).toEqual([]);
  });

  it('say why they failed, and hand the failure on', async () => {
    const jobs = useJobs();
    page.answer('runs.export', () => {
      throw new UnderstoryError('disk-full', 'the disk is full');
    });
    const call = jobs.run('Export', 'runs.export', exportOf);
    await expect(call).rejects.toThrow('the disk is full');
    expect(jobs.list[0]?.state).toBe('failed');
    expect(jobs.list[0]?.log.at(-1)).toMatchObject({ isError: true });
    expect(texts(jobs.list[0]?.log).at(-1)).toContain('the disk is full');
  });

  it('show work within a call, as its owner reports it', () => {
    const jobs = useJobs();
    const cancel = vi.fn();
    const opened = jobs.track('Open scene: box', cancel);
    opened.advance({ phase: 'building', done: 1, total: 2 });
    expect(jobs.running[0]?.progress?.done).toBe(1);
    jobs.running[0]?.cancel();
    expect(cancel).toHaveBeenCalledOnce();
    opened.done();
    opened.failed(new UnderstoryError('cancelled', 'closed long after'));
    expect(jobs.list[0]?.state).toBe('done');
    jobs.track('Open scene: box', cancel).failed(new UnderstoryError('cancelled', 'no'));
    jobs.track('Open scene: box', cancel).failed(new UnderstoryError('bad-input', 'a hole in it'));
    expect(jobs.list.map(({ state }) => state)).toEqual(['failed', 'cancelled', 'done']);
  });

  it('can be cancelled from the list and by who called', async () => {
    const jobs = useJobs();
    page.answer('runs.export', untilCancelled().how);
    const first = jobs.run('Export', 'runs.export', exportOf);
    jobs.list[0]?.cancel();
    expect(jobs.list[0]?.isCancelling).toBe(true);
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(jobs.list[0]?.state).toBe('cancelled');

    const controller = new AbortController();
    const second = jobs.run('Export', 'runs.export', exportOf, { signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    expect(jobs.list.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  });

  it('report a host that is lost in the middle', async () => {
    const jobs = useJobs();
    const { how, fail } = untilCancelled();
    page.answer('runs.export', how);
    const call = jobs.run('Export', 'runs.export', exportOf);
    page.link('lost');
    fail(new UnderstoryError('io', 'the connection to the host was lost'));
    await expect(call).rejects.toMatchObject({ code: 'io' });
    expect(jobs.list[0]?.state).toBe('lost');
    expect(texts(jobs.list[0]?.log).at(-1)).toContain('the host stopped responding');
  });

  it('distinguish a full disk from a lost host', async () => {
    const jobs = useJobs();
    page.answer('runs.export', () => {
      throw new UnderstoryError('io', 'the file cannot be written');
    });
    await expect(jobs.run('Export', 'runs.export', exportOf)).rejects.toThrow();
    expect(jobs.list[0]?.state).toBe('failed');
  });

  it('are no jobs where what was asked for is refused at its fields', async () => {
    const jobs = useJobs();
    page.answer('runs.export', () => {
      const message = "there is 'cloud.pcd' already";
      const problems = [{ path: 'out', code: 'exists', message }];
      throw new UnderstoryError('bad-input', message, { problems });
    });
    await expect(jobs.run('Export', 'runs.export', exportOf)).rejects.toThrow('already');
    expect(jobs.list).toEqual([]);
  });

  it('follow all runs to their end, whichever page started them', async () => {
    page.answer('runs.list', () => ({ runs: [runningRun], total: 1 }));
    page.answer('runs.show', () => ({
      ...runningRun,
      createdMs: Date.now() - 5000,
      mission: { startM: [0, 0], goalM: [30, 40], goalToleranceM: 1 },
    }));
    page.answer('drive.watch', async (_, { onProgress, onChunk }) => {
      onProgress?.({ phase: 'building', done: 1, total: 2 });
      const tick = { distanceToGoalM: 40, timeNs: 1e9, activity: 'driving' };
      await onChunk?.({ tick }, {});
      return { state: 'finished', end: 'goal', metrics: null, error: null, errorCode: null };
    });
    const jobs = useJobs();
    jobs.knowRun('run-1', { command: 'npx understory drive yard', seconds: 4 });
    await vi.waitFor(() => expect(jobs.list[0]?.state).toBe('done'), { timeout: 3000 });
    const [job] = jobs.list;
    expect(job?.title).toBe('Drive: Yard, vlp-16, seed 3');
    expect(job?.command).toBe('npx understory drive yard');
    // 1 of 4 s is more than 10 of 50 m.
    expect(job?.progress).toEqual({ phase: 'driving', done: 0.25, total: 1 });
    expect(texts(job?.log)).toEqual([
      'started',
      'building',
      'driving',
      expect.stringMatching(/^done after 5\.\d s$/),
    ]);
  });

  it('take a run up again when the host is back', async () => {
    page.answer('runs.list', () => ({ runs: [runningRun], total: 1 }));
    page.answer('runs.show', () => ({ ...runningRun, createdMs: Date.now(), mission: null }));
    const { how, fail } = untilCancelled();
    page.answer('drive.watch', how);
    const jobs = useJobs();
    await vi.waitFor(() => expect(page.calls).toContain('drive.watch'));
    page.link('lost');
    fail(new UnderstoryError('io', 'gone'));
    await vi.waitFor(() => expect(jobs.list[0]?.state).toBe('lost'));
    page.link('open');
    await vi.waitFor(() => expect(jobs.list.map(({ state }) => state)).toEqual(['running']));
  });
});
