// The Campaigns page: a campaign is defined by choosing fields, planned, saved and executed; its results lead to runs.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';

const allPanels = ['campaigns', 'campaign-progress', 'campaign-form', 'campaign-results'];

describeApp('campaigns', (app) => {
  async function newCampaign(page: Page): Promise<void> {
    await page.getByTestId('new-campaign').click();
    await page.getByTestId('new-scenario').selectOption('clearing');
    await page.getByTestId('new-confirm').click();
    await page.getByTestId('campaign-name').waitFor();
  }

  /** Adds an axis by words of its field, with the keyboard. */
  async function addAxis(page: Page, words: string, path: string): Promise<void> {
    const search = page.getByTestId('field-search');
    await search.fill(words);
    await page.getByTestId(`field-${path}`).waitFor();
    await search.press('Enter');
  }

  async function save(page: Page): Promise<void> {
    await page.getByTestId('save-campaign').click();
    await page.getByTestId('save-campaign-confirm').click();
    await page.getByTestId('save-campaign-confirm').waitFor({ state: 'detached' });
  }

  const view = (page: Page, name: string) =>
    page.getByRole('group', { name: 'View of the results' }).getByRole('button', { name }).click();
  const runsPlanned = (page: Page): Promise<string> => page.getByTestId('plan-runs').innerText();

  it('are defined, planned and executed, and their results lead to runs', async () => {
    const page = await app.open('light', { at: 'campaigns' });
    await page.getByTestId('campaign-sensor-density').waitFor();
    expect(await faultsOf(page, allPanels)).toEqual([]);
    await newCampaign(page);
    await addAxis(page, 'grass count', 'scene.scatters[grass].count');
    await page.getByTestId('axis-grassCount').waitFor();
    await eventually(() => runsPlanned(page)).toBe('15');
    // A range becomes a list of its ends and middle; the list is typed over.
    await page.getByTestId('axis-grassCount').getByRole('button', { name: 'List' }).click();
    await page.getByTestId('axis-values').fill('60, 120');
    await page.getByTestId('axis-values').press('Tab');
    await page.getByTestId('replicates').fill('2');
    await page.getByTestId('replicates').press('Tab');
    await page.getByTestId('field-limits.simSeconds').fill('0.3');
    await eventually(() => runsPlanned(page)).toBe('4');
    const text = await page.getByTestId('campaign-text').inputValue();
    expect(text).toContain('scene.scatters[grass].count');
    expect(text).toContain('simSeconds: 0.3');
    await page.getByTestId('field-save.recording').check();

    await page.getByTestId('plan-campaign').click();
    await page.getByTestId('plan-time').waitFor();
    expect(await page.getByTestId('plan-new').innerText()).toBe('4');
    expect(await faultsOf(page, allPanels.slice(0, 3))).toEqual([]);
    await screenshot(page, 'campaign-definition-light');

    await save(page);
    await page.getByTestId('start-from-form').click();
    await eventually(() => page.getByTestId('result-done').count()).toBe(4);
    await page.getByTestId('campaign-clearing-campaign').getByText('finished').waitFor();
    await page.getByTestId('sort-result-points').click();
    const points = page.locator('[data-test=result-done] > .measure:nth-last-child(1)');
    await eventually(async () => {
      const values = (await points.allInnerTexts()).map(Number);
      return (
        values.length === 4 &&
        values.every((value, at) => at === 0 || value <= (values[at - 1] ?? 0))
      );
    }).toBe(true);
    await page.getByTestId('result-where').fill('grassCount = 120');
    await eventually(() => page.getByTestId('result-count').innerText()).toBe('2 runs');
    expect(await faultsOf(page, allPanels)).toEqual([]);
    await page.getByTestId('result-where').fill('');

    await view(page, 'Heat map');
    await page.getByTestId('plot-x').selectOption('grassCount');
    await page.getByTestId('plot-y').selectOption('seed');
    await page.getByTestId('plot-measure').selectOption('points');
    await eventually(() => page.getByTestId('heat-cell').count()).toBe(4);
    await page.getByTestId('heat-cell').first().click();
    expect(await faultsOf(page, allPanels)).toEqual([]);
    await screenshot(page, 'campaign-heat-map-light');
    // The clouds of two cells: asked for, then the other cell; at once with Ctrl.
    await page.getByTestId('compare-cell').click();
    await page.getByTestId('heat-cell').nth(1).click();
    await eventually(() => decodeURIComponent(page.url())).toMatch(/#\/runs\/[\w-]+,[\w-]+/);
    await page.getByTestId('compared-2').waitFor();
    await eventually(() => page.getByTestId('compared-status').allInnerTexts()).toEqual([
      expect.stringMatching(/returns$/),
      expect.stringMatching(/returns$/),
    ]);
    await page.waitForTimeout(1500);
    await screenshot(page, 'campaign-cells-compared-light');
    await page.goBack();
    await page.getByTestId('heat-cell').first().click();
    await page
      .getByTestId('heat-cell')
      .last()
      .click({ modifiers: ['Control'] });
    await eventually(() => decodeURIComponent(page.url())).toMatch(/#\/runs\/[\w-]+,[\w-]+/);
    await page.goBack();
    await page.getByTestId('heat-cell').first().click();
    await page.getByTestId('picked-table').click();
    await eventually(() => page.getByTestId('result-count').innerText()).toBe('1 run');
    await page.getByTestId('result-where').fill('');

    await view(page, 'Groups');
    await page.getByTestId('by-grassCount').waitFor();
    await eventually(() => page.getByTestId('group-runs').count()).toBeGreaterThan(0);
    expect(await faultsOf(page, allPanels)).toEqual([]);

    await view(page, 'Scatter');
    await page.getByTestId('plot-x').selectOption('pathLengthM');
    await page.getByTestId('plot-measure').selectOption('points');
    await focusOn(page.getByTestId('scatter'));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await page.locator('.tip').waitFor();
    await screenshot(page, 'campaign-scatter-light');
    const [ring, tip] = await Promise.all(
      ['.ring', '.tip'].map((part) => page.locator(part).boundingBox()),
    );
    if (!ring || !tip) throw new Error('no point is named');
    // Beside its point.
    expect(tip.x + tip.width <= ring.x || tip.x >= ring.x + ring.width).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByTestId('open-picked').waitFor();
    expect(await faultsOf(page, allPanels)).toEqual([]);
    await page.getByTestId('open-picked').click();
    await eventually(() => page.url()).toContain('#/runs/');
    await page.goBack();

    // A range of an axis lists the runs within it.
    await view(page, 'Parallel');
    await focusOn(page.getByTestId('axis-range-grassCount'));
    await page.keyboard.press('Enter');
    await page.getByTestId('picked-runs').getByText('2 runs').waitFor();
    expect(await faultsOf(page, allPanels)).toEqual([]);
    await screenshot(page, 'campaign-parallel-light');
    expect(await faultsInSight(page)).toEqual([]);
    await view(page, 'Matrix');
    await page.getByTestId('matrix').getByRole('button').first().waitFor();
    await page.waitForTimeout(300);
    await screenshot(page, 'campaign-matrix-light');
    expect(await faultsInSight(page)).toEqual([]);
    await page.getByTestId('matrix').getByRole('button').first().click();
    await page.getByTestId('scatter').waitFor();

    await view(page, 'Table');
    const rows = page.getByTestId('result-rows');
    await page.getByTestId('result-done').first().waitFor();
    await focusOn(rows);
    for (const key of ['Home', ' ', 'ArrowDown', ' ', 'c']) await page.keyboard.press(key);
    await eventually(() => decodeURIComponent(page.url())).toMatch(/#\/runs\/[\w-]+,[\w-]+/);
  });

  it('report problems at their fields, and survive a reload without being saved', async () => {
    const page = await app.open('dark', { at: 'campaigns' });
    await newCampaign(page);
    await addAxis(page, 'turn slip', 'vehicle.turnSlip');
    const axis = page.getByTestId('axis-vehicleTurnSlip');
    await axis.waitFor();
    // Beyond the bounds of the field, which the form knows.
    await page.getByTestId('axis-to').fill('1.5');
    await axis.getByText('expected at most 1, found 1.5').waitFor();
    await page.getByTestId('axis-to').fill('0.5');
    await page.getByTestId('axis-to').press('Tab');
    // A problem that only the host finds.
    await page.getByTestId('measure-goal').fill('gaol');
    // The reply to the edit before draws the form again: typed text stays.
    await page.waitForTimeout(1500);
    await page.getByTestId('measure-goal').press('Tab');
    await page.getByTestId('campaign-problems').getByText('1 problem').waitFor();
    expect(await page.getByTestId('plan-campaign').isDisabled()).toBe(true);
    expect(await page.getByTestId('start-from-form').isDisabled()).toBe(true);
    expect(await faultsOf(page, allPanels.slice(0, 3))).toEqual([]);
    await screenshot(page, 'campaign-problems-dark');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.waitForTimeout(400);
    await page.reload();
    await page.getByTestId('campaign-problems').getByText('1 problem').waitFor();
    await page.getByTestId('measure-goal').fill('goal');
    await page.getByTestId('measure-goal').press('Tab');
    await page.getByTestId('campaign-problems').waitFor({ state: 'detached' });
    await eventually(() => runsPlanned(page)).toBe('15');
    // Another design removes the steps of the range.
    await page.getByRole('button', { name: 'Sobol' }).click();
    await page.getByTestId('axis-steps').waitFor({ state: 'detached' });
    await eventually(() => runsPlanned(page)).toBe('192');
  });

  it('continue when the page is loaded again, and stop when asked to', async () => {
    const page = await app.open('dark', { at: 'campaigns' });
    await newCampaign(page);
    await addAxis(page, 'turn slip', 'vehicle.turnSlip');
    await page.getByTestId('axis-vehicleTurnSlip').waitFor();
    await page.getByTestId('replicates').fill('40');
    await page.getByTestId('field-limits.simSeconds').fill('0.3');
    await eventually(() => runsPlanned(page)).toBe('200');
    await save(page);
    await page.getByTestId('start-from-form').click();
    await page.getByTestId('result-done').first().waitFor();
    await page.reload();
    await page.getByTestId('stop-campaign').waitFor();
    const done = async (): Promise<number> =>
      Number.parseInt(await page.getByText(/^\d+ of 200$/).innerText(), 10);
    const before = await done();
    await eventually(done).toBeGreaterThan(before);
    await page.getByTestId('stop-campaign').click();
    await page.getByTestId('start-campaign').waitFor();
    expect(await done()).toBeLessThan(200);
    await page.getByTestId('campaign-clearing-campaign').getByText('stopped').waitFor();
  });

  it('say that all runs have ended, and execute failed ones again', async () => {
    const page = await app.open('light', { at: 'campaigns' });
    await newCampaign(page);
    await addAxis(page, 'turn slip', 'vehicle.turnSlip');
    await page.getByTestId('axis-vehicleTurnSlip').getByRole('button', { name: 'List' }).click();
    await page.getByTestId('axis-values').fill('0.1, 0.2');
    await page.getByTestId('axis-values').press('Tab');
    await page.getByTestId('replicates').fill('1');
    await page.getByTestId('field-limits.simSeconds').fill('0.3');
    // No run is as short as that.
    await page.getByTestId('field-limits.wallSeconds').fill('0.001');
    await eventually(() => runsPlanned(page)).toBe('2');
    await save(page);
    await page.getByTestId('start-from-form').click();
    await eventually(() => page.getByTestId('result-failed').count()).toBe(2);
    const start = page.getByTestId('start-campaign');
    const progress = page.getByLabel('Progress of the campaign');
    await progress.getByText('All runs have ended, 2 failed.').waitFor();
    expect(await start.isDisabled()).toBe(true);
    expect(await faultsOf(page, allPanels)).toEqual([]);

    // With more time, one is executed again from its log, the other with all that failed.
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByTestId('field-limits.wallSeconds').fill('600');
    await page.getByTestId('field-limits.wallSeconds').press('Tab');
    await save(page);
    await page.getByTestId('failed-run').first().click();
    const log = page.getByRole('dialog', { name: 'Log of the failed run' });
    await log.getByRole('alert').waitFor();
    expect(await log.getByRole('alert').innerText()).toContain('longer than the limit of 0.001 s');
    await page.getByTestId('retry-run').click();
    await page.getByRole('tab', { name: 'Results' }).click();
    await eventually(() => page.getByTestId('result-done').count()).toBe(1);
    await eventually(() => page.getByTestId('result-failed').count()).toBe(1);
    await eventually(() => page.getByTestId('retry-failed').isEnabled()).toBe(true);
    await page.getByTestId('retry-failed').click();
    await eventually(() => page.getByTestId('result-done').count()).toBe(2);
    await progress.getByText('All runs are done.').waitFor();
    expect(await start.isDisabled()).toBe(true);

    // A campaign that has ended opens its results.
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByTestId('menu-columns').waitFor({ state: 'hidden' });
    await page.locator('button[data-test^="campaign-"][aria-current="true"]').click();
    await page.getByTestId('menu-columns').click();
    await page.getByTestId('item-result-column-points').click();
    await page.getByTestId('sort-result-points').waitFor({ state: 'detached' });
    await page.getByTestId('item-result-column-points').click();
    await page.getByTestId('sort-result-points').waitFor();
    expect(await faultsOf(page, allPanels)).toEqual([]);
  });
});
