// Starting the chosen campaign: when it can be, and of which document.
import { beforeEach, expect, it, vi } from 'vitest';
import { useCampaignStart } from '#renderer/composables/campaigns/useCampaignStart.ts';
import { useCampaignEdit } from '#renderer/stores/campaigns/campaignEdit.ts';
import { useCampaigns } from '#renderer/stores/campaigns/campaigns.ts';
import { answerCampaigns, campaignOf } from '#test/renderer/stores/hostAnswers.ts';
import { untilCancelled } from '#test/renderer/stores/pageOf.ts';
import { openPage, type OpenPage } from '#test/renderer/stores/openPage.ts';

let page: OpenPage;
let counts: Record<'total' | 'done' | 'failed' | 'pending' | 'running', number>;
let hasChanged: boolean;
/** Documents that were started. */
let started: unknown[];
let problems: object[];

beforeEach(() => {
  counts = { total: 4, done: 1, failed: 0, pending: 3, running: 0 };
  [hasChanged, started, problems] = [false, [], []];
  page = openPage({ at: '#/campaigns/a' });
  answerCampaigns(page, () => [campaignOf('a', { state: 'paused', hasChanged, ...counts })]);
  page.answer('campaign.check', () => ({ problems, runs: 1 }));
  page.answer('document.read', (request) => {
    const { document } = request as { document: string };
    if (document.includes('gone')) throw new Error('no such file');
    const name = document === 'sample' ? 'sample' : 'a';
    return { file: document, text: name, hash: 'h', isSample: document === 'sample' };
  });
  page.answer('document.edit', (request) => {
    const { text } = request as { text: string };
    return { text, data: { name: text.split('\n')[0] }, value: null, problems: [] };
  });
  page.answer('campaign.run', (request, options) => {
    started.push((request as { campaign: string }).campaign);
    return untilCancelled().how(request, options);
  });
});

async function open(name = 'a') {
  const edit = useCampaignEdit();
  const start = useCampaignStart();
  await vi.waitFor(() => expect(edit.name).toBe(name));
  return { edit, start };
}

it('can be started where runs are missing, from its file', async () => {
  const { start } = await open();
  expect([start.canStart.value, start.hint.value]).toEqual([true, '']);
  void start.start();
  await vi.waitFor(() => expect(started).toEqual(['/a.yaml']));
  expect(start.command.value).toContain('/a.yaml');
});

it('is saved first where it is edited', async () => {
  const { edit, start } = await open();
  await edit.setText('a\nchanged');
  expect([start.canStart.value, start.isUnsaved.value]).toEqual([false, true]);
  expect(start.hint.value).toContain('Save');
  start.save();
  expect(edit.isSaveOpen).toBe(true);
});

it('is not started with problems', async () => {
  problems = [{ path: 'vary', code: 'custom', message: 'no axis' }];
  const { start } = await open();
  await vi.waitFor(() => expect(start.canStart.value).toBe(false));
  expect(start.hint.value).toContain('problems');
});

it('is not started again where all runs have ended, unless its file has changed', async () => {
  counts = { total: 4, done: 3, failed: 1, pending: 0, running: 0 };
  const { start } = await open();
  expect(start.canStart.value).toBe(false);
  expect(start.hint.value).toContain('1 failed');
  hasChanged = true;
  useCampaigns().refresh();
  await vi.waitFor(() => expect(start.canStart.value).toBe(true));
});

it('can be started where its plan has new runs', async () => {
  counts = { total: 4, done: 4, failed: 0, pending: 0, running: 0 };
  const { edit, start } = await open();
  expect(start.hint.value).toBe('All runs are done.');
  page.answer('campaign.plan', () => ({ new: 2 }));
  await edit.makePlan();
  expect(start.canStart.value).toBe(true);
});

it('is not started while it runs, nor without a connection', async () => {
  const { start } = await open();
  page.link('lost');
  expect(start.canStart.value).toBe(false);
  page.link('open');
  expect(start.canStart.value).toBe(true);
  void start.start();
  useCampaigns().progress.set('a', { ...counts, ended: 1, calledFor: 3 } as never);
  expect(start.canStart.value).toBe(false);
});

it('of a sample is started by its id', async () => {
  const { start } = await open();
  useCampaigns().choose('sample');
  await vi.waitFor(() => expect(useCampaignEdit().name).toBe('sample'));
  void start.start();
  await vi.waitFor(() => expect(started).toEqual(['sample']));
});
