// Campaigns: the list, the chosen one, and executing them as jobs.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCampaigns } from '#renderer/stores/campaigns/campaigns.ts';
import { useJobs } from '#renderer/stores/host/jobs.ts';
import { held } from '../browserStubs.ts';
import { answerCampaigns, campaignOf } from '../hostAnswers.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
let state: string;
let done: number;
/** Calls that execute or watch, and how they report and end. */
let followed: {
  method: string;
  request: unknown;
  report: (ended: number) => void;
  end: (failure?: Error) => void;
}[];

const counts = () => ({ total: 4, done, failed: 0, pending: 4 - done, running: 0 });

beforeEach(() => {
  vi.useFakeTimers();
  [state, done, followed] = ['paused', 1, []];
  page = openPage({ at: '#/campaigns/a' });
  answerCampaigns(page, () => [campaignOf('a', { state, createdMs: 0, ...counts() })]);
  page.answer('campaign.status', (request) => ({
    name: (request as { campaign: string }).campaign,
    ...counts(),
  }));
  page.answer('campaign.stop', () => ({ stopped: true }));
  page.answer('campaign.retry', () => ({ pending: 3 }));
  for (const method of ['campaign.run', 'campaign.watch']) {
    page.answer(method, (request, { onChunk }) => {
      const { promise, resolve, reject } = held<unknown>();
      followed.push({
        method,
        request,
        report: (ended) => void onChunk?.({ ...counts(), ended, calledFor: 4 }, {}),
        end: (failure) => (failure === undefined ? resolve({}) : reject(failure)),
      });
      return promise;
    });
  }
});
afterEach(() => vi.useRealTimers());

const countOf = (method: string): number => page.calls.filter((one) => one === method).length;

async function open() {
  const campaigns = useCampaigns();
  await vi.advanceTimersByTimeAsync(0);
  return campaigns;
}

describe('the chosen campaign', () => {
  it('is that of the address, with its state', async () => {
    const campaigns = await open();
    expect([campaigns.chosen, campaigns.known?.document, campaigns.status?.name]).toEqual([
      'a',
      '/a.yaml',
      'a',
    ]);
  });

  it('that was never planned has no state, and the host is not asked for one', async () => {
    const campaigns = await open();
    campaigns.choose('sample');
    expect(page.browser.location.hash).toBe('#/campaigns/sample');
    await vi.advanceTimersByTimeAsync(0);
    expect([campaigns.known?.isSample, campaigns.status]).toEqual([true, null]);
    expect(countOf('campaign.status')).toBe(1);
  });

  it('does not get the state of the one before that comes late', async () => {
    const campaigns = await open();
    const late = held<unknown>();
    page.answer('campaign.status', () => late.promise);
    campaigns.refresh();
    await vi.advanceTimersByTimeAsync(0);
    // The next reading, which corrects it, does not end here.
    page.answer('campaign.list', () => held<unknown>().promise);
    campaigns.choose('sample');
    await vi.advanceTimersByTimeAsync(0);
    late.resolve({ name: 'a', ...counts() });
    await vi.advanceTimersByTimeAsync(0);
    expect(campaigns.status).toBeNull();
  });

  it('reports why the list cannot be read, and keeps what it had', async () => {
    const campaigns = await open();
    const before = campaigns.rows;
    page.answer('campaign.list', () => {
      throw new Error('the folder is gone');
    });
    campaigns.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect([campaigns.error, campaigns.rows]).toEqual(['the folder is gone', before]);
  });

  it('counts as changed only where something did', async () => {
    const campaigns = await open();
    const before = campaigns.changes;
    campaigns.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(campaigns.changes).toBe(before);
    done = 2;
    campaigns.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(campaigns.changes).toBe(before + 1);
  });
});

describe('changes elsewhere', () => {
  it('are noticed only while the campaigns are shown', async () => {
    const campaigns = await open();
    done = 2;
    await vi.advanceTimersByTimeAsync(11_000);
    expect(campaigns.status?.done).toBe(2);
    page.browser.location.hash = '#/runs';
    page.browser.dispatch(new Event('hashchange'));
    const before = countOf('campaign.list');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(countOf('campaign.list')).toBe(before);
  });

  it('of many runs at once are read once', async () => {
    await open();
    const before = countOf('campaign.list');
    for (let run = 0; run < 50; run += 1) page.emit('runs.changed', { runId: `${run}` });
    await vi.advanceTimersByTimeAsync(2000);
    expect(countOf('campaign.list')).toBe(before + 1);
  });

  it('that execute a campaign are a job of this page, too', async () => {
    state = 'running';
    const campaigns = await open();
    expect(followed.map(({ method, request }) => [method, request])).toEqual([
      ['campaign.watch', { campaign: 'a' }],
    ]);
    followed[0]?.report(3);
    expect(useJobs().list[0]).toMatchObject({ progress: { done: 3, total: 4 }, command: null });
    state = 'done';
    followed[0]?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect([useJobs().list[0]?.state, campaigns.progress.size]).toEqual(['done', 0]);
  });
});

describe('executing a campaign', () => {
  it('asks for the runs of its document, once, and lasts as long as they do', async () => {
    const campaigns = await open();
    const request = { document: '/a.yaml', limit: 2, command: 'understory campaign run' };
    const running = campaigns.start('a', request);
    await campaigns.start('a', request);
    await vi.advanceTimersByTimeAsync(0);
    expect(followed.map((one) => one.request)).toEqual([
      { campaign: '/a.yaml', limit: 2, isDetached: true },
    ]);
    followed[0]?.report(2);
    expect(campaigns.known?.state).toBe('running');
    followed[0]?.end();
    await running;
    expect([campaigns.known?.state, useJobs().list[0]?.command]).toEqual([
      'paused',
      'understory campaign run',
    ]);
  });

  it('that is refused reports it, and can be tried again', async () => {
    const campaigns = await open();
    const request = { document: '/a.yaml', command: '' };
    const running = campaigns.start('a', request);
    const failure = expect(running).rejects.toThrow('no such sensor');
    await vi.advanceTimersByTimeAsync(0);
    followed[0]?.end(new Error('no such sensor'));
    await failure;
    void campaigns.start('a', request);
    await vi.advanceTimersByTimeAsync(0);
    expect(followed).toHaveLength(2);
  });

  it('is stopped by cancelling its job', async () => {
    const campaigns = await open();
    void campaigns.start('a', { document: '/a.yaml', command: '' });
    await vi.advanceTimersByTimeAsync(0);
    useJobs().list[0]?.cancel();
    await vi.advanceTimersByTimeAsync(0);
    expect(countOf('campaign.stop')).toBe(1);
    expect(useJobs().list[0]?.isCancelling).toBe(true);
  });

  it('tries failed runs again: all, or some', async () => {
    const campaigns = await open();
    const requests: unknown[] = [];
    page.answer('campaign.retry', (request) => {
      requests.push(request);
      return { pending: 3 };
    });
    expect(await campaigns.retry('a')).toBe(3);
    await campaigns.retry('a', [4, 7]);
    expect(requests).toEqual([{ campaign: 'a' }, { campaign: 'a', indices: [4, 7] }]);
  });
});
