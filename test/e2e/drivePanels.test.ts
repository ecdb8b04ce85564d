// What the panels about drives say and keep: runs that stand still in the list, and its fit.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  screenshot,
  type RealHost,
} from './browser.ts';

const patience = { timeout: 60_000 };

describe.skipIf(!hasBrowser)('the panels about drives', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
    host = await openRealHost(built.folder);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await host.close();
    await built.remove();
  });

  it('list the latest runs within their width, and those that stand still as paused', async () => {
    const { page, complaints } = await openPage(browser, 'light');
    await page.goto(host.web.address);
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption('lms-291');
    await page.locator('[data-test=seconds]').fill('1');
    await page.locator('[data-test=start]').click();
    const finished = page.locator('[data-test=run-finished]');
    await finished.waitFor(patience);
    await page.locator('[data-test=seconds]').fill('');
    await page.locator('[data-test=start-speed]').selectOption('1');
    await page.locator('[data-test=start]').click();
    const running = page.locator('[data-test=run-running]');
    await running.getByText('running').waitFor(patience);
    await page.locator('[data-test=drive-1] [data-test=figures]').waitFor(patience);
    await page.locator('[data-test=pause]').click();
    await running.getByText('paused').waitFor(patience);
    const list = page.locator('[data-panel=latest-runs]');
    await screenshot(page, 'latest-runs-light');
    await page.locator('[data-test=theme]').click();
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
    await running.getByText('paused').waitFor(patience);
    await running.click();
    await page.locator('[data-test=stop]').click();
    await page.locator('[data-test=run-cancelled]').waitFor(patience);
    expect(complaints).toEqual([]);
  }, 120_000);
});
