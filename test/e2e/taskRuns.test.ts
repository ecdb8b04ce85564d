// Tasks that people come for, done by clicks and keys alone: two sensors compared over three seeds, yesterday's run found
// and packed, a campaign with an outlier.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { entriesOf } from '#test/services/bundles/packedRun.ts';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { timeShown } from './drives.ts';
import { driveRun } from './realRuns.ts';

const dayMs = 24 * 3600 * 1000;

describeApp('tasks with runs', (app) => {
  /** A new campaign of the clearing whose runs take so many simulated seconds. */
  async function newCampaign(page: Page, seconds: string): Promise<void> {
    await page.getByTestId('nav-campaigns').click();
    await page.getByTestId('new-campaign').click();
    await page.getByTestId('new-scenario').selectOption('clearing');
    await page.getByTestId('new-confirm').click();
    await page.getByTestId('field-limits.simSeconds').fill(seconds);
    await page.getByTestId('field-limits.simSeconds').press('Tab');
  }

  /** Adds an axis by words of its field; its values are typed. */
  async function addAxis(page: Page, words: string, path: string, values: string): Promise<void> {
    await page.getByTestId('field-search').fill(words);
    await page.getByTestId(`field-${path}`).waitFor();
    await page.getByTestId('field-search').press('Enter');
    const list = page.getByTestId('axis-values').last();
    const choice = page.locator('[data-test^=axis-]').getByRole('button', { name: 'List' }).last();
    await choice.waitFor();
    await choice.click();
    await list.fill(values);
    await list.press('Tab');
  }

  async function saveAndStart(page: Page, runs: number): Promise<void> {
    await eventually(() => page.getByTestId('plan-runs').innerText()).toBe(String(runs));
    await page.getByTestId('save-campaign').click();
    await page.getByTestId('save-campaign-confirm').click();
    await page.getByTestId('save-campaign-confirm').waitFor({ state: 'detached' });
    await page.getByTestId('start-from-form').click();
    await eventually(() => page.getByTestId('result-done').count()).toBe(runs);
  }

  const view = (page: Page, name: string): Promise<void> =>
    page.getByRole('group', { name: 'View of the results' }).getByRole('button', { name }).click();

  it('task-2 compares two sensors over three seeds', async () => {
    const page = await app.open('light');
    await newCampaign(page, '0.3');
    for (const sensor of ['vlp-16', 'hdl-32e']) {
      await page.getByTestId('add-campaign-sensor').selectOption(sensor);
      await page.getByRole('button', { name: `Remove ${sensor}` }).waitFor();
    }
    await page.getByTestId('replicates').fill('3');
    await page.getByTestId('replicates').press('Tab');
    await saveAndStart(page, 6);
    await view(page, 'Groups');
    await eventually(() => page.getByTestId('group-runs').count()).toBe(2);
    const groups = await page.getByTestId('groups').innerText();
    for (const sensor of ['vlp-16', 'hdl-32e']) expect(groups).toMatch(RegExp(`${sensor}\\s+3\\b`));
    await screenshot(page, 'task-2');
  });

  it("task-3 finds yesterday's run, scrubs it and packs it for a colleague", async () => {
    const drive = { scenario: 'clearing', sensor: 'vlp-16', seconds: 2 };
    const before = await driveRun(app.host, { ...drive, seed: 3 });
    await driveRun(app.host, { ...drive, seed: 4, seconds: 0.3 });
    const page = await app.open('dark');
    await page.getByTestId('nav-runs').click();
    await eventually(() => page.getByTestId('count').innerText()).toBe('2 runs');
    // The day on which the runs were made is over.
    await page.clock.setFixedTime(Date.now() + dayMs);
    const dayOf = (ms: number): string => new Date(ms).toLocaleDateString('sv');
    await page.getByLabel('From').fill(dayOf(Date.now()));
    await page.getByLabel('to', { exact: true }).fill(dayOf(Date.now()));
    await page.getByTestId('runs-where').fill('simSeconds > 1');
    await eventually(() => page.getByTestId('count').innerText()).toBe('1 run');
    await page.getByTestId('row-finished').dblclick();
    const run = page.getByTestId('run-page');
    await eventually(() => timeShown(run)).toBe(2);
    expect(page.url()).toContain(before);
    await run.getByTestId('timeline').fill('0.7');
    await eventually(() => timeShown(run)).toBe(0.7);
    await run.getByTestId('moment').getByText('returns').waitFor();
    await screenshot(page, 'task-3');
    await run.getByTestId('pack').click();
    const bundle = join(temporaryFolder(), 'for-a-colleague.understory');
    await page.getByTestId('pack-file').fill(bundle);
    await page.getByTestId('pack-start').click();
    await page.getByTestId('packed').waitFor();
    const names = (await entriesOf(bundle)).map(({ name }) => name);
    expect(names).toContain('index.html');
    expect(names.filter((name) => name.endsWith('recording.mcap'))).toHaveLength(1);
    expect(readFileSync(bundle).length).toBeGreaterThan(100_000);
  });

  it('task-5 makes a campaign, watches it and opens its outlier', async () => {
    const page = await app.open('dark');
    await newCampaign(page, '0.4');
    // The grass of one value hides the ground from the sensor.
    await addAxis(page, 'grass count', 'scene.scatters[grass].count', '40, 60, 4000');
    await page.getByTestId('replicates').fill('2');
    await page.getByTestId('replicates').press('Tab');
    await page.getByTestId('field-save.recording').check();
    await saveAndStart(page, 6);
    await page.getByTestId('sort-result-points').click();
    await view(page, 'Scatter');
    await page.getByTestId('plot-x').selectOption('grassCount');
    await page.getByTestId('plot-measure').selectOption('points');
    const scatter = page.getByTestId('scatter');
    await scatter.focus();
    // The points of a plot are in the order of the runs, and those of the last value come last.
    await page.keyboard.press('End');
    await scatter.getByText('grassCount 4000').waitFor();
    await screenshot(page, 'task-5');
    await page.keyboard.press('Enter');
    await page.getByTestId('open-picked').click();
    const run = page.getByTestId('run-page');
    await eventually(() => timeShown(run)).toBe(0.4);
    await run.locator('[data-test=scenario-of-run] summary').click();
    await run.getByText('count: 4000').waitFor();
  });
});
