// The first page with the real thing behind it: catalogue, run process and native worker. A drive in the
// clearing is started, watched in both themes, stopped and found again in the list.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe.skipIf(!hasBrowser)('a live drive in the browser', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });
  beforeEach(async () => {
    host = await openRealHost(built.folder);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await host.close();
  }, 60_000);

  async function figure(page: Page, label: string): Promise<number> {
    const tile = page.locator('[data-test=figures] > div', { hasText: label });
    return Number.parseFloat(await tile.locator('dd').innerText());
  }

  it('starts, moves, stops and is kept', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    await page.getByText('No runs yet').waitFor();
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption('vlp-16');
    await page.locator('[data-test=start]').click();

    const distance = (): Promise<number> => figure(page, 'Distance to goal');
    await expect.poll(distance, patience).toBeGreaterThan(1);
    const startM = await distance();
    await expect.poll(distance, patience).toBeLessThan(startM - 2);
    expect(await figure(page, 'Points')).toBeGreaterThan(0);
    expect(await figure(page, 'Simulated time')).toBeGreaterThan(0);
    await page.locator('[data-test=run-running]').waitFor();
    await screenshot(page, 'clearing-dark');
    await page.locator('[data-test=theme]').click();
    await page.getByText('Theme: light').waitFor();
    await screenshot(page, 'clearing-light');

    await page.locator('[data-test=stop]').click();
    await page.locator('[data-test=run-cancelled]').waitFor(patience);
    await page.getByText('Stopped by hand').waitFor();
    await screenshot(page, 'clearing-stopped');

    await page.reload();
    await page.locator('[data-test=run-cancelled]').click();
    const summary = page.locator('[data-test=summary]');
    await summary.getByText('Recording', { exact: true }).waitFor();
    expect(await summary.innerText()).toContain(host.dataFolder);
    expect(complaints).toEqual([]);
  });
});
