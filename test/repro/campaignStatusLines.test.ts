// Failures of campaigns: messages with line feeds were printed with \u000a, warnings had neither the run nor the reason, the
// summary did not count those beyond the fifth, and `retry --limit` repeated all. A sample that was never run had no status.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const failing = `understoryCampaign: 1
name: steep
scenarios: [clearing]
vary: { pitch: { set: 'sensors[0].mount.pitchDeg', values: [a, b, c, d, e, f, g] } }
measures: { points: points }
limits: { simSeconds: 0.1 }
`;

it('failures have their run and reason on one line each, and are counted', async () => {
  const folder = temporaryFolder({ 'steep.campaign.yaml': failing });
  const first = await runHere(folder, 'campaign', 'run', 'steep.campaign.yaml');
  expect(first.exitCode).toBe(3);
  expect(first.stderr).not.toContain('\\u000a');
  expect(first.stderr).not.toContain('a run of a campaign failed');
  expect(first.stderr).toMatch(/^run 4 failed: scenario.*pitchDeg: .*$/m);
  expect(first.stderr).toContain("2 more failed: 'campaign status steep'");
  const retried = await runHere(folder, 'campaign', 'retry', 'steep', '--limit', '2');
  expect(retried.stderr).toContain('pending again: 2');
  // Nothing is left to be executed.
  const idle = await runHere(folder, 'campaign', 'run', 'steep');
  expect(idle.stderr).not.toContain('0 of 0 runs');
});

it('a sample that was never run has a status', async () => {
  const folder = temporaryFolder();
  const list = await runHere(folder, 'campaign', 'list', '--json');
  const [sample] = (JSON.parse(list.stdout) as { samples: { id: string }[] }).samples;
  const known = await runHere(folder, 'campaign', 'status', sample?.id ?? '');
  expect(known).toMatchObject({ exitCode: 0 });
  expect(known.stdout).toContain('it has not been run in this data folder yet');
  expect((await runHere(folder, 'campaign', 'status', 'no-such-name')).exitCode).toBe(4);
});

it('a plan counts finished runs that are executed again for a measure', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'again.campaign.yaml');
  const text = failing.replace('steep', 'again').replace('[a, b, c, d, e, f, g]', '[0, 1]');
  writeFileSync(file, text);
  await ran(folder, 'campaign', 'run', file);
  writeFileSync(file, text.replace('points: points', "oak: returns(instance = 'oak-a')"));
  const plan = await runHere(folder, 'campaign', 'plan', file);
  expect(plan.stdout).toContain('2, of which 2 have finished without a measure');
});
