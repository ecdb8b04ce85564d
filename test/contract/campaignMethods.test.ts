// Requests about campaigns: what has a default may be left out, unknown keys and columns of the wrong kind are refused.
import { describe, expect, it } from 'vitest';
import { campaignRequests, campaignRunRequests } from '#contract/host/campaignMethods.ts';
import { parseWith } from '#contract/documents/problems.ts';

const requests = { ...campaignRequests, ...campaignRunRequests };
const more: Record<string, object> = {
  'campaign.table': { format: 'csv' },
  'campaign.group': { by: ['density'] },
  'campaign.plot': { by: ['density'], measure: 'goal' },
};

describe.each(Object.entries(requests))('%s', (name, schema) => {
  const request = name === 'campaign.list' ? {} : { campaign: 'sensor-density', ...more[name] };

  it('takes the name of a campaign', () => {
    expect(parseWith(schema, request).problems).toEqual([]);
  });

  it('refuses unknown keys', () => {
    const { problems } = parseWith(schema, { ...request, colour: 'red' });
    expect(problems.map(({ path }) => path)).toEqual(['colour']);
  });
});

it('refuses runs that are none', () => {
  const { problems } = parseWith(requests['campaign.run'], { campaign: 'x', limit: 0 });
  expect(problems).toMatchObject([{ path: 'limit', message: 'expected at least 1, found 0' }]);
});
