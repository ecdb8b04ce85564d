// campaign.check and campaign.plan: what is wrong with a campaign, and what executing it would take.
import { toWire } from '#contract/errors.ts';
import type { Problem } from '#contract/documents/problems.ts';
import { axesOf, planRuns } from '#domain/campaign/planRuns.ts';
import type { Handlers } from '#services/handlers.ts';
import { createYield } from '#services/yielding.ts';
import { runProblems } from './checkCampaign.ts';
import { loadCampaign, type LoadedCampaign } from './loadCampaign.ts';
import { planCampaign } from './planCampaign.ts';
import type { RunCampaignPorts } from './runCampaign.ts';

/** The handlers. */
export function campaignPlanHandlers(
  ports: RunCampaignPorts,
): Pick<Handlers<'campaign'>, 'campaign.check' | 'campaign.plan'> {
  return {
    'campaign.check': async ({ campaign: name, text }, { signal, progress }) => {
      let loaded: LoadedCampaign;
      try {
        loaded = await loadCampaign(ports, name, text);
      } catch (error) {
        const problems = toWire(error).details?.['problems'];
        if (!Array.isArray(problems)) throw error;
        return {
          reply: { problems: problems as Problem[], value: null, runs: null, axes: [] },
        };
      }
      const { campaign, file } = loaded;
      const problems = await runProblems(ports.files, campaign, {
        file,
        signal,
        yieldNow: createYield(ports, signal),
        onProgress: (done, total) => progress({ phase: 'check', done, total }),
      });
      const runs = planRuns(campaign);
      const axes = axesOf(campaign, runs);
      return { reply: { problems, value: campaign, runs: runs.length, axes } };
    },
    'campaign.plan': async ({ campaign, text, limit = Infinity }, { signal, progress }) => {
      const loaded = await loadCampaign(ports, campaign, text);
      const reply = await planCampaign(ports, {
        loaded,
        limit,
        signal,
        onProgress: (done, total) => progress({ phase: 'check', done, total }),
        onTrial: (done, total) => progress({ phase: 'trial', done, total }),
      });
      return { reply };
    },
  };
}
