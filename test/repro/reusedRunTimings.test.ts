// Wall times and hosts of the finished runs of a campaign were lost whenever its plan was written again, and its reused
// runs were counted as executed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import type { CampaignRunRow } from '#services/ports/campaigns.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const text = (name: string, pitchDeg: string): string => `understoryCampaign: 1
name: ${name}
scenarios: [./own.understory.yaml]
vary: { pitch: { set: 'sensors[0].mount.pitchDeg', values: [${pitchDeg}] } }
measures: { points: points }
limits: { simSeconds: 0.1 }
`;

function rowsOf(folder: string, name: string): CampaignRunRow[] {
  const catalogue = openCatalogue(join(folder, 'data', 'catalogue.sqlite'));
  try {
    const row = catalogue.campaign(name);
    return row === null ? [] : catalogue.campaignRuns(row.key);
  } finally {
    catalogue.dispose();
  }
}

it('runs of a campaign keep their timing where its plan, file or inputs change', async () => {
  const folder = temporaryFolder();
  const scenario = join(folder, 'own.understory.yaml');
  const sample = new URL('../../assets/scenarios/clearing.understory.yaml', import.meta.url);
  writeFileSync(scenario, readFileSync(sample));
  const file = join(folder, 'timed.campaign.yaml');
  const run = async (of = file): Promise<unknown> => {
    const { stdout, stderr } = await runHere(folder, 'campaign', 'run', of, '--json');
    expect(stderr).not.toContain('failed');
    return JSON.parse(stdout);
  };
  writeFileSync(file, text('timed', '0, 1'));
  expect(await run()).toMatchObject({ doneNow: 2, reusedNow: 0 });
  const timing = (rows: CampaignRunRow[]) =>
    rows.map(({ wallS, hostName, attempts }) => ({ wallS, hostName, attempts }));
  const [first, second] = timing(rowsOf(folder, 'timed'));
  expect(first).toMatchObject({ wallS: expect.any(Number) as number, attempts: 1 });

  writeFileSync(file, text('timed', '1, 2, 0'));
  const changed = await runHere(folder, 'campaign', 'run', file);
  expect(changed.stdout).toContain('1 executed, 2 reused and 0 failed now; 3 of 3 runs done');
  const [again, , last] = timing(rowsOf(folder, 'timed'));
  expect([last, again]).toEqual([first, second]);

  // A comment changes the file of the scenario and no run.
  writeFileSync(scenario, `${readFileSync(scenario, 'utf8')}\n# seen\n`);
  const before = timing(rowsOf(folder, 'timed'));
  expect(await run()).toMatchObject({ doneNow: 0, reusedNow: 3 });
  expect(timing(rowsOf(folder, 'timed'))).toEqual(before);

  const moved = join(folder, 'moved.campaign.yaml');
  writeFileSync(moved, text('timed', '1, 2, 0'));
  expect(await run(moved)).toMatchObject({ doneNow: 0, reusedNow: 3 });
  expect(timing(rowsOf(folder, 'timed'))).toEqual(before);

  // Those of another campaign have none.
  const other = join(folder, 'other.campaign.yaml');
  writeFileSync(other, text('other', '1'));
  expect(await run(other)).toMatchObject({ doneNow: 0, reusedNow: 1 });
  expect(timing(rowsOf(folder, 'other'))).toEqual([{ wallS: null, hostName: null, attempts: 0 }]);
});
