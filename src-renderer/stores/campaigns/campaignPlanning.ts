// Check and plan of the edited text of a campaign: problems and number of runs, checked as it changes, and its plan,
// made on request.
import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Client } from '#renderer/client/client.ts';
import { createNewestRequest } from '#renderer/logic/newestRequest.ts';
import { useJobs } from '../host/jobs.ts';

export interface CampaignPlanning {
  /** Null while the text has not been checked. */
  checked: ShallowRef<Replies['campaign.check'] | null>;
  /** Plan of the current text; null: not planned. */
  plan: ShallowRef<CampaignPlan | null>;
  isPlanning: Ref<boolean>;
  make: (title: string, command: string) => Promise<void>;
  clear: () => void;
}

/** `campaign`: the file, from which the names of others are resolved. Within a set-up. */
export function createCampaignPlanning(
  client: Client,
  text: Readonly<Ref<string>>,
  campaign: () => string,
  failed: (failure: unknown) => void,
): CampaignPlanning {
  const jobs = useJobs();
  const checked = shallowRef<Replies['campaign.check'] | null>(null);
  const plan = shallowRef<CampaignPlan | null>(null);
  const isPlanning = ref(false);
  const checking = createNewestRequest<void>(check);
  watch(text, () => {
    plan.value = null;
    if (text.value !== '') checking.make();
  });
  return {
    checked,
    plan,
    isPlanning,
    async make(title, command) {
      isPlanning.value = true;
      const asked = text.value;
      try {
        const request = { campaign: campaign(), text: asked };
        const { reply } = await jobs.run(title, 'campaign.plan', request, { command });
        if (text.value === asked) plan.value = reply;
      } catch (failure) {
        failed(failure);
      } finally {
        isPlanning.value = false;
      }
    },
    clear() {
      checked.value = null;
      plan.value = null;
    },
  };

  async function check(): Promise<void> {
    const asked = text.value;
    try {
      const reply = await client.call('campaign.check', { campaign: campaign(), text: asked });
      if (text.value === asked) checked.value = reply;
    } catch (failure) {
      failed(failure);
    }
  }
}
