// The handlers of `campaign.*` (contract/host/campaignMethods.ts), put together.
import type { Handlers } from '#services/handlers.ts';
import type { ResultTables } from '#services/ports/resultTables.ts';
import { campaignPlanHandlers } from './planHandlers.ts';
import { campaignResultHandlers } from './resultHandlers.ts';
import { campaignRunHandlers } from './campaignRunHandlers.ts';
import type { RunCampaignPorts } from './runCampaign.ts';

/** The handlers; what ends the campaigns under way and waits for their end. */
export function campaignHandlers(ports: RunCampaignPorts & { tables: ResultTables }): {
  handlers: Handlers<'campaign'>;
  stopAll(): Promise<void>;
} {
  const runs = campaignRunHandlers(ports);
  const handlers: Handlers<'campaign'> = {
    ...runs.handlers,
    ...campaignPlanHandlers(ports),
    ...campaignResultHandlers(ports),
  };
  return { handlers, stopAll: () => runs.stopAll() };
}
