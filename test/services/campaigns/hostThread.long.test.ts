// Results of 10,000 runs keep the host's thread free: whatever is asked for, others get their turn within 100 ms of the
// thread's own work. Why its CPU time: while other processes have the processor it does not advance. Each request is
// tried some times, and the best counts: the first one compiles.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import type { Method, RequestInputOf } from '#contract/host/methods.ts';
import { planRuns } from '#domain/campaign/planRuns.ts';
import { normals } from '#domain/random/philox.ts';
import { parseCampaign } from '#domain/scenario/documentText.ts';
import { plannedText } from '#services/campaigns/prepareRun.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost } from '#test/support/host.ts';

const text = `understoryCampaign: 1
name: wide
scenarios: [clearing]
design: { kind: sobol, samples: 2000 }
vary:
  pitch: { set: 'sensors[0].mount.pitchDeg', range: [-5, 5] }
  height: { set: 'sensors[0].mount.positionM[2]', range: [0.5, 2.5] }
replicates: 5
measures: { points: points, pathLengthM: pathLengthM, energyJ: energyJ, goal: goal }
`;
const tries = 5;
const limitMs = 100;

/** A data folder in which every run of the campaign has ended. */
function folderWithResults(): string {
  const folder = temporaryFolder();
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder);
  const file = join(folder, 'wide.campaign.yaml');
  writeFileSync(file, text);
  const { value: campaign } = parseCampaign(text);
  if (campaign === null) throw new Error('the campaign has problems');
  const runs = planRuns(campaign);
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  const names = ['pitch', 'height', 'seed'];
  const key = catalogue.saveCampaign(
    {
      name: 'wide',
      file,
      fileHash: 'h',
      document: JSON.stringify(campaign),
      isa: 'avx2',
      createdMs: 1,
      axes: names.map((name) => ({ name, kind: 'number' })),
    },
    runs.map((run) => ({
      planned: plannedText({ ...run, seconds: null }),
      values: names.map((name) => run.values[name] ?? run.seed),
    })),
  );
  catalogue.together(() => {
    for (const { index } of runs) {
      const [points, pathLengthM, energyJ] = normals(1, 96, 0, index);
      catalogue.endCampaignRun(key, index, {
        state: 'done',
        error: null,
        runId: null,
        wallS: 1,
        hostName: 'here',
        measures: { points, pathLengthM, energyJ, goal: index % 2 },
      });
    }
  });
  catalogue.dispose();
  return dataFolder;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The most CPU time of this thread in one turn of its event loop during `work`, in milliseconds. */
async function longestTurnMs(work: () => unknown): Promise<number> {
  let [longest, isUnderWay, before] = [0, true, cpuMs()];
  const count = (): void => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const turn = (): void => {
    count();
    if (isUnderWay) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isUnderWay = false;
  count();
  return longest;
}

it('counts the work of one turn', async () => {
  const spin = (): void => {
    const endMs = cpuMs() + 1.5 * limitMs;
    while (cpuMs() < endMs);
  };
  expect(await longestTurnMs(spin)).toBeGreaterThan(limitMs);
});

it('gives others their turn within 100 ms', async () => {
  const { ask } = await openHost(folderWithResults());
  async function longestMs<M extends Method>(
    method: M,
    request: RequestInputOf<M>,
  ): Promise<number> {
    let best = Infinity;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const took = await longestTurnMs(() => ask(method, request));
      best = Math.min(best, took);
    }
    console.log(`${method} ${JSON.stringify(request)}: ${best.toFixed(0)} ms`);
    return best;
  }
  const campaign = 'wide';
  const found = [
    await longestMs('campaign.results', { campaign, limit: 200, sortBy: 'points' }),
    await longestMs('campaign.results', { campaign, limit: 10_000 }),
    await longestMs('campaign.group', { campaign, by: ['pitch'] }),
    await longestMs('campaign.group', { campaign, by: [] }),
    await longestMs('campaign.group', { campaign, by: ['seed'], compare: 'seed' }),
    await longestMs('campaign.plot', { campaign, by: ['pitch', 'height'], measure: 'points' }),
    await longestMs('campaign.table', { campaign, format: 'csv' }),
    await longestMs('campaign.table', { campaign, format: 'parquet' }),
    await longestMs('campaign.status', { campaign }),
    await longestMs('campaign.list', {}),
  ];
  expect(Math.max(...found)).toBeLessThan(limitMs);
});
