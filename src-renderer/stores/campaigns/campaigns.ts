// The campaigns of the data folder and the samples: which there are, which is chosen, how far those are that this host
// executes, and starting, stopping and retrying them. The chosen one is in the page's address.
import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';
import type { CampaignProgress, CampaignStatus } from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { campaignRows } from '#renderer/logic/campaigns/campaignRows.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { usePlace } from '../frame/place.ts';
import { useConnection } from '../host/connection.ts';
import { createOwnFiles } from '../host/ownFiles.ts';
import { useJobs } from '../host/jobs.ts';
import { useRunRows } from '../runs/runRows.ts';
import { createNewestRequest } from '#renderer/logic/newestRequest.ts';

export interface StartRequest {
  /** Id of a sample, or a file. */
  document: string;
  limit?: number;
  command: string;
}

const maxOwnFiles = 50;
/** While runs end several times a second, the state is read no oftener. */
const refreshMs = 1000;
/** Other processes, such as the command line, report nothing to this page. */
const pollMs = 10_000;

export const useCampaigns = defineStore('campaigns', () => {
  const client = useClient();
  const place = usePlace();
  const jobs = useJobs();
  const list = shallowRef<Replies['campaign.list'] | null>(null);
  const own = createOwnFiles('ownCampaigns', maxOwnFiles);
  const error = ref<string | null>(null);
  /** Status of the chosen campaign; null: it has never been planned here. */
  const status = shallowRef<CampaignStatus | null>(null);
  /** Progress of the campaigns that this host executes, by name. */
  const progress = shallowReactive(new Map<string, CampaignProgress>());
  const followed = new Set<string>();
  /** Grows whenever results may have changed. */
  const changes = ref(0);
  const chosen = computed(() => place.campaign);
  const rows = computed(() => campaignRows(list.value, progress, own.files.value));
  const known = computed(() => rows.value.find(({ name }) => name === chosen.value) ?? null);
  const reading = createNewestRequest<void>(read);
  let waiting: ReturnType<typeof setTimeout> | undefined;

  useConnection().whenOpen(() => reading.make());
  const polling = setInterval(() => {
    if (place.activity === 'campaigns' && followed.size === 0) reading.make();
  }, pollMs);
  onScopeDispose(() => clearInterval(polling));
  useRunRows().onChanged(refreshSoon);
  watch(chosen, () => {
    status.value = null;
    reading.make();
  });
  return {
    list,
    rows,
    error,
    chosen,
    known,
    status,
    progress,
    changes,
    choose,
    addOwnFile: own.add,
    start,
    stop,
    retry,
    refresh: () => reading.make(),
  };

  function choose(name: string): void {
    place.go('campaigns', name);
  }

  function refreshSoon(): void {
    if (place.activity !== 'campaigns' && followed.size === 0) return;
    waiting ??= setTimeout(() => {
      waiting = undefined;
      reading.make();
    }, refreshMs);
  }

  async function read(): Promise<void> {
    try {
      const before = JSON.stringify(list.value);
      list.value = await client.call('campaign.list', {});
      const name = chosen.value;
      const isPlanned = list.value.campaigns.some((one) => one.name === name);
      const next =
        name === null || !isPlanned
          ? null
          : await client.call('campaign.status', { campaign: name });
      if (name === chosen.value) status.value = next;
      error.value = null;
      if (JSON.stringify(list.value) !== before) changes.value += 1;
      for (const one of list.value.campaigns) {
        if (one.state === 'running') void follow(one.name, null);
      }
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }

  /** Executes the runs that are missing. @throws what the host throws before the first run */
  async function start(name: string, request: StartRequest): Promise<void> {
    if (followed.has(name)) return;
    await follow(name, request);
  }

  async function stop(name: string): Promise<void> {
    await client.call('campaign.stop', { campaign: name });
  }

  /** Failed runs are pending again: those of these places in the plan, or all. */
  async function retry(name: string, indices?: readonly number[]): Promise<number> {
    const some = indices === undefined ? {} : { indices: [...indices] };
    const { pending } = await client.call('campaign.retry', { campaign: name, ...some });
    reading.make();
    return pending;
  }

  /** A job for as long as the campaign is executed; `request` null: it was started elsewhere. */
  async function follow(name: string, request: StartRequest | null): Promise<void> {
    if (followed.has(name)) return;
    followed.add(name);
    const stopIt = (): void => void stop(name).catch(() => undefined);
    const job = jobs.track(`Campaign: ${name}`, stopIt, request?.command ?? null);
    const onChunk = (body: unknown): void => {
      const next = body as CampaignProgress;
      progress.set(name, next);
      job.advance({ phase: 'running', done: next.ended, total: next.calledFor });
      refreshSoon();
    };
    try {
      if (request === null) await client.call('campaign.watch', { campaign: name }, { onChunk });
      else {
        const { document, limit } = request;
        const most = limit === undefined ? {} : { limit };
        const asked = { campaign: document, isDetached: true, ...most };
        await client.call('campaign.run', asked, { onChunk });
      }
      job.done();
    } catch (failure) {
      job.failed(failure);
      if (request !== null) throw failure;
    } finally {
      followed.delete(name);
      progress.delete(name);
      reading.make();
    }
  }
});
