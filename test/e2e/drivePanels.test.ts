// What the panels about drives say and keep: runs that stand still in the list, and its fit.
import { expect, it } from 'vitest';
import { describeApp } from './app.ts';
import { screenshot } from './browser.ts';
import { startDrive } from './drives.ts';

describeApp('the panels about drives', (app) => {
  it('list the latest runs within their width, and those that stand still as paused', async () => {
    const page = await app.open('light');
    await startDrive(page, { scenario: 'clearing', sensor: 'lms-291', seconds: '1' });
    const finished = page.getByTestId('run-finished');
    await finished.waitFor();
    await startDrive(page, { seconds: '', speed: '1' });
    const running = page.getByTestId('run-running');
    await running.getByText('running').waitFor();
    await page.getByTestId('drive-1').getByTestId('figures').waitFor();
    await page.getByTestId('pause').click();
    await running.getByText('paused').waitFor();
    const list = page.locator('[data-panel=latest-runs]');
    await screenshot(page, 'latest-runs-light');
    await page.getByTestId('theme').click();
    await page.waitForTimeout(300);
    await screenshot(page, 'latest-runs-dark');
    // Neither wider than its panel, nor a row of more than its two lines.
    const overflowPx = await list.evaluate((panel) =>
      Math.max(...[...panel.querySelectorAll('.scroll')].map((e) => e.scrollWidth - e.clientWidth)),
    );
    expect(overflowPx).toBe(0);
    for (const row of [running, finished]) {
      expect((await row.boundingBox())?.height).toBeLessThan(56);
    }

    // Another window watches another run, and knows of this one all the same.
    await finished.click();
    await running.getByText('paused').waitFor();
    await running.click();
    await page.getByTestId('stop').click();
    await page.getByTestId('run-cancelled').waitFor();
  });
});
