// A campaign of ten thousand runs on screen: sorted, filtered, scrolled and plotted. Prints how long each step took.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { planRuns } from '#domain/campaign/planRuns.ts';
import { parseCampaign } from '#domain/scenario/documentText.ts';
import { describeApp, eventually, focusOn } from '../app.ts';
import { faultsOf } from '../axe.ts';
import { screenshot } from '../browser.ts';

const text = `understoryCampaign: 1
name: many
scenarios: [clearing]
vary:
  density: { set: 'scene.scatters[grass].count', range: [100, 1000], steps: 10, whole: true }
  slip: { set: vehicle.turnSlip, range: [0, 0.9], steps: 10 }
replicates: 100
measures: { goal: goal, pathLengthM: pathLengthM }
`;

/** Path length of the run at this place in the plan: no two are equal. */
const pathOf = (index: number): number => 20 + ((index * 7919) % 10_007) / 1000;

/** Stores the campaign with all runs done, as executing it does. */
function fill(dataFolder: string): number {
  const { value: campaign } = parseCampaign(text);
  if (campaign === null) throw new Error('the campaign has problems');
  const runs = planRuns(campaign);
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  catalogue.together(() => {
    const key = catalogue.saveCampaign(
      {
        name: campaign.name,
        file: join(dataFolder, 'campaigns', 'many.campaign.yaml'),
        fileHash: 'hash',
        document: JSON.stringify(campaign),
        isa: campaign.isa,
        createdMs: 1,
        axes: Object.keys(campaign.vary).map((name) => ({ name, kind: 'number' as const })),
      },
      runs.map(({ values, index }) => ({ planned: `${index}`, values: Object.values(values) })),
    );
    for (const { index } of runs) {
      catalogue.endCampaignRun(key, index, {
        state: 'done' as const,
        error: null,
        wallS: 1,
        hostName: 'here',
        runId: null,
        measures: { goal: index % 3 === 0 ? 1 : 0, pathLengthM: pathOf(index) },
      });
    }
  });
  catalogue.dispose();
  return runs.length;
}

describeApp('a campaign of ten thousand runs', (app) => {
  async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await work();
    console.log(`${what}: ${Math.round(performance.now() - began)} ms`);
  }
  const view = (page: Page, name: string) =>
    page.getByRole('group', { name: 'View of the results' }).getByRole('button', { name }).click();

  it('is sorted, filtered, scrolled and plotted', async () => {
    const total = fill(app.host.dataFolder);
    expect(total).toBe(10_000);
    const paths = Array.from({ length: total }, (_, index) => pathOf(index));
    const largest = paths.indexOf(Math.max(...paths));
    const page = await app.open('light', { at: 'campaigns/many' });
    // Its file is missing; its results are in the catalogue.
    app.allowComplaints();
    const count = (): Promise<string> => page.getByTestId('result-count').innerText();
    const first = (): Promise<string> => page.locator('#result-row-0').innerText();
    await timed('open', async () => {
      await page.getByRole('tab', { name: 'Results', exact: true }).click();
      await eventually(count).toBe('10000 runs');
    });
    await timed('sort', async () => {
      await page.getByTestId('sort-result-pathLengthM').click();
      await eventually(first).toMatch(new RegExp(String.raw`^\s*${largest}\b`));
    });
    await timed('scroll to the end', async () => {
      await focusOn(page.getByTestId('result-rows'));
      await page.keyboard.press('End');
      await page.locator('#result-row-9999').getByText('done').waitFor();
    });
    await timed('filter', async () => {
      await page.getByTestId('result-where').fill('density = 300 and goal = 1');
      const found = planned().filter(({ density, index }) => density === 300 && index % 3 === 0);
      await eventually(count).toBe(`${found.length} runs`);
    });
    await page.getByTestId('result-where').fill('');
    await timed('heat map', async () => {
      await view(page, 'Heat map');
      await eventually(() => page.getByTestId('heat-cell').count()).toBe(100);
    });
    await page.getByTestId('heat-cell').nth(41).click();
    await page.getByTestId('picked-runs').getByText('100 runs').waitFor();
    await timed('scatter plot', async () => {
      await view(page, 'Scatter');
      await page.getByTestId('plot-measure').selectOption('pathLengthM');
      await page.getByText('10000 runs', { exact: true }).first().waitFor();
    });
    await timed('groups', async () => {
      await view(page, 'Groups');
      await eventually(() => page.getByTestId('group-runs').count()).toBe(10);
    });
    expect(await faultsOf(page, ['campaign-results', 'campaigns'])).toEqual([]);
    await screenshot(page, 'campaign-many-light');
  });

  function planned(): { index: number; density: unknown }[] {
    const { value } = parseCampaign(text);
    const runs = value === null ? [] : planRuns(value);
    return runs.map(({ index, values }) => ({ index, density: values['density'] }));
  }
});
