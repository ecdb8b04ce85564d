// The estimate of campaign.plan against the execution of the same runs a moment later: within 25 %, before any run has
// ended, and from runs that have. Why wall times: they are what a plan states. Only their ratio is tested; load that
// lasts is in both. Load that comes and goes is in one of them, and spares one of several tries: of each estimate the
// best try counts. An estimate that leaves out a part of the work, such as start-up, is too small in all of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost } from '#test/support/host.ts';

const campaigns = {
  // Short runs, with recordings, where start-up and disk count.
  short: `sensors: [lms-291, vlp-16]
vary: { density: { set: 'scene.scatters[grass].count', values: [100, 400, 1600] } }
replicates: 10
limits: { simSeconds: 1 }
save: { recording: true }
`,
  // Longer runs of a sampled design, each with a scene of its own.
  sampled: `sensors: [vlp-16]
design: { kind: sobol, samples: 60, seed: 3 }
vary:
  heightM: { set: 'sensors[lidar].mount.positionM[2]', range: [0.6, 2.4] }
  grass: { set: 'scene.scatters[grass].count', range: [50, 800], scale: log, whole: true }
limits: { simSeconds: 3 }
`,
};

const tries = 5;
const tolerance = 0.25;

it.each(Object.entries(campaigns))('is that of the first 30 runs: %s', async (name, text) => {
  const folder = temporaryFolder();
  const file = join(folder, `${name}.campaign.yaml`);
  writeFileSync(file, `understoryCampaign: 1\nname: ${name}\nscenarios: [clearing]\n${text}`);
  /** Smallest relative error of each estimate. */
  const best = { trial: Infinity, finished: Infinity };
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const dataFolder = join(folder, `data-${attempt}`);
    mkdirSync(dataFolder);
    const { ask } = await openHost(dataFolder);
    const plan = async (limit: number) => await ask('campaign.plan', { campaign: file, limit });
    const runS = async (limit: number): Promise<number> => {
      const startMs = performance.now();
      await ask('campaign.run', { campaign: file, limit });
      return (performance.now() - startMs) / 1000;
    };
    const first = await plan(30);
    expect(first).toMatchObject({ new: 30, basis: 'trial' });
    const firstS = await runS(30);
    // The same values with further seeds, or further points among the first.
    const next = await plan(60);
    expect(next.new).toBe(30);
    const nextS = await runS(60);
    const errorOf = (plannedS: number, takenS: number): number => Math.abs(plannedS / takenS - 1);
    best.trial = Math.min(best.trial, errorOf(first.wallSeconds, firstS));
    best.finished = Math.min(best.finished, errorOf(next.wallSeconds, nextS));
    const told = `${first.wallSeconds.toFixed(1)} s planned, ${firstS.toFixed(1)} s taken`;
    console.log(
      `${name}: ${told}; ${next.basis}: ${next.wallSeconds.toFixed(1)}, ${nextS.toFixed(1)} s`,
    );
    if (Math.max(best.trial, best.finished) < tolerance) break;
  }
  expect(best.trial).toBeLessThan(tolerance);
  expect(best.finished).toBeLessThan(tolerance);
});
