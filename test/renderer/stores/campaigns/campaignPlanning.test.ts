// Checks and plans of an edited campaign: always of the text as it is now.
import { beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref, type Ref } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import {
  createCampaignPlanning,
  type CampaignPlanning,
} from '#renderer/stores/campaigns/campaignPlanning.ts';
import { useJobs } from '#renderer/stores/host/jobs.ts';
import { held } from '../browserStubs.ts';
import { untilCancelled } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
let planning: CampaignPlanning;
let failures: unknown[];
/** Texts of the checks, and how to answer them. */
let checks: { text: string; answer: ReturnType<typeof held<unknown>> }[];
let text: Ref<string>;

beforeEach(() => {
  [failures, checks] = [[], []];
  page = openPage({ at: '#/campaigns' });
  page.answer('campaign.check', (request) => {
    const answer = held<unknown>();
    checks.push({ text: (request as { text: string }).text, answer });
    return answer.promise;
  });
  text = ref('');
  const fail = (failure: unknown): void => void failures.push(failure);
  planning = page.within(() =>
    effectScope(true).run(() => createCampaignPlanning(useClient(), text, () => '/a.yaml', fail))!,
  );
});

async function type(next: string): Promise<void> {
  text.value = next;
  await nextTick();
}

it('one check at a time is asked for, the last one of the text as it is', async () => {
  for (const next of ['a', 'b', 'c']) await type(next);
  checks[0]?.answer.resolve({ runs: 1 });
  await vi.waitFor(() => expect(checks).toHaveLength(2));
  expect(checks.map((one) => one.text)).toEqual(['a', 'c']);
  // The check of an older text says nothing of this one.
  expect(planning.checked.value).toBeNull();
  checks[1]?.answer.resolve({ runs: 3 });
  await vi.waitFor(() => expect(planning.checked.value).toEqual({ runs: 3 }));
});

it('no check is asked for of an empty text, and a failed one is reported', async () => {
  await type('a');
  checks[0]?.answer.reject(new Error('too long'));
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  await type('');
  expect(checks).toHaveLength(1);
});

it('a plan of a text that was changed meanwhile is dropped', async () => {
  await type('a');
  const plan = held<unknown>();
  page.answer('campaign.plan', () => plan.promise);
  const making = planning.make('Plan: a', 'understory campaign plan');
  expect(planning.isPlanning.value).toBe(true);
  await type('b');
  plan.resolve({ runs: 6 });
  await making;
  expect([planning.plan.value, planning.isPlanning.value]).toEqual([null, false]);
});

it('a plan lasts until the text changes', async () => {
  await type('a');
  page.answer('campaign.plan', () => ({ runs: 6 }));
  await planning.make('Plan: a', 'understory campaign plan');
  expect(planning.plan.value).toEqual({ runs: 6 });
  await type('b');
  expect(planning.plan.value).toBeNull();
});

it('a plan is a job with its command, and ends where that is cancelled', async () => {
  await type('a');
  page.answer('campaign.plan', untilCancelled().how);
  const making = planning.make('Plan: a', 'understory campaign plan');
  await vi.waitFor(() => expect(page.calls).toContain('campaign.plan'));
  const [job] = useJobs().list;
  expect([job?.title, job?.command]).toEqual(['Plan: a', 'understory campaign plan']);
  job?.cancel();
  await making;
  expect([planning.isPlanning.value, planning.plan.value, job?.state]).toEqual([
    false,
    null,
    'cancelled',
  ]);
});
