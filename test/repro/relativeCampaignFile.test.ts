// A campaign file that was named by a relative path was stored as it was named: from any other folder the campaign had
// no file, and the absolute path of the same file counted as a change of the plan.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { loadCampaign } from '#services/campaigns/loadCampaign.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const text = `understoryCampaign: 1
name: near
scenarios: [clearing]
sensors: [lms-291]
measures: { points: points }
limits: { simSeconds: 0.1 }
`;

it('a campaign is stored with the absolute path of its file, however it is named', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const file = join(folder, 'near.campaign.yaml');
  writeFileSync(file, text);
  const first = await runHere(folder, 'campaign', 'run', 'near.campaign.yaml', '--json');
  expect(first.stderr).not.toContain('there is no campaign');
  const stored = (): string | undefined => {
    const catalogue = openCatalogue(join(folder, 'data', 'catalogue.sqlite'));
    try {
      return catalogue.campaign('near')?.file;
    } finally {
      catalogue.dispose();
    }
  };
  expect(stored()).toBe(file);
  const again = await runHere(folder, 'campaign', 'run', file, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ done: 1, doneNow: 0 });
  for (const name of ['./near.campaign.yaml', file, 'near']) {
    expect(await runHere(folder, 'campaign', 'status', name)).toMatchObject({ exitCode: 0 });
  }
});

it('a host resolves a relative path against its own working folder', async () => {
  const folder = temporaryFolder();
  const catalogue = openCatalogue(join(folder, 'catalogue.sqlite'));
  const files = createNodeFiles({ assetsFolder });
  const { file } = await loadCampaign({ files, catalogue }, 'near.campaign.yaml', text);
  catalogue.dispose();
  expect(file).toBe(join(process.cwd(), 'near.campaign.yaml'));
});
