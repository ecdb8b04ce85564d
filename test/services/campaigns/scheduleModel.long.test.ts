// The model of a schedule against real campaigns on one and two cores: the wall times of the runs give the time of the
// whole. Tolerance 15 %: what lies between two runs of a lane (rows of the catalogue, compiling) is not in the model.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CampaignProgress } from '#contract/host/campaignMethods.ts';
import { scheduleOn } from '#domain/campaign/schedule.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost } from '#test/support/host.ts';

const campaign = `understoryCampaign: 1
name: timed
scenarios: [clearing]
sensors: [lms-291]
vary:
  visibilityKm: { set: scene.atmosphere.visibilityKm, values: [0.1, 10] }
replicates: 6
limits: { simSeconds: 3 }
`;

it.each([1, 2])('is that of %i lanes of runs', async (jobs) => {
  const folder = temporaryFolder();
  const file = join(folder, 'timed.campaign.yaml');
  mkdirSync(join(folder, 'data'));
  writeFileSync(file, campaign);
  const { ask } = await openHost(join(folder, 'data'));
  let startedMs = 0;
  const chunk = (body: unknown) => {
    if (startedMs === 0 && (body as CampaignProgress).running > 0) startedMs = performance.now();
    return Promise.resolve();
  };
  await ask('campaign.run', { campaign: file, jobs }, { chunk });
  const elapsedS = (performance.now() - startedMs) / 1000;
  const asked = { campaign: 'timed', hasTiming: true };
  const reply = await ask('campaign.results', asked, { chunk });
  const at = reply.columns.findIndex(({ name }) => name === 'wallS');
  const runSeconds = reply.rows.map(({ values }) => Number(values[at]));
  expect(runSeconds).toHaveLength(12);
  const { makespanS } = scheduleOn({ runSeconds, startUpS: 0, runsPerTask: 1 }, jobs);
  console.log(`${jobs} at once: ${elapsedS.toFixed(1)} s, model ${makespanS.toFixed(1)} s`);
  expect(Math.abs(makespanS / elapsedS - 1)).toBeLessThan(0.15);
});
