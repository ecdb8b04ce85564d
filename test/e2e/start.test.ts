// The start page: seen first and once, a drive by one click, samples and templates, and back by the name of the product.
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';

describeApp('the start page', (app) => {
  it('drives the courtyard by one click, and comes again only when it is asked for', async () => {
    const page = await app.open('dark', { isFirstVisit: true });
    await page.getByTestId('drive-courtyard').waitFor();
    await eventually(() => page.locator('.samples img').count()).toBeGreaterThan(10);
    await screenshot(page, 'start-dark');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByTestId('drive-courtyard').click();
    const drive = page.getByLabel('Live drive');
    await drive.getByTestId('drive-1').getByTestId('drive-status').getByText('driving').waitFor();
    await eventually(() => page.getByTestId('metrics').innerText()).toMatch(/[1-9]\.\d+ m\/s/);
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await page.getByTestId('drive-courtyard').count()).toBe(0);
    await page.getByTestId('nav-start').click();
    await page.getByTestId('drive-courtyard').waitFor();
    await page.getByTestId('nav-drive').click();
    await page.getByRole('button', { name: 'Stop drive' }).click();
  });

  it('opens samples, and templates as a copy under a name of their own', async () => {
    const page = await app.open('light', { isFirstVisit: true });
    await page.getByTestId('open-box').click();
    await page.getByLabel('Scene', { exact: true }).first().waitFor();
    await page.getByTestId('nav-start').click();
    await page.getByRole('button', { name: 'Clearing with a drive' }).click();
    await page.getByTestId('save-name').waitFor();
    expect(await page.getByTestId('save-name').inputValue()).toMatch(/clearing/);
  });
});
