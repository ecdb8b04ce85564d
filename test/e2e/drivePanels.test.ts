// What the panels about drives say and keep: runs that stand still in the list, and its fit.
import type { Browser, Page } from 'playwright-core';
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
import { drawnNow, recordDrawnParts } from './drawnParts.ts';

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

  it('show way, fixes and cloud so far to a page that comes late, and a time that is scrubbed to as if played', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await recordDrawnParts(page);
    await page.goto(host.web.address);
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption('vlp-16');
    await page.locator('[data-test=start-speed]').selectOption('1');
    await page.locator('[data-test=seconds]').fill('4');
    await page.locator('[data-test=start]').click();
    const simS = (of: Page): Promise<number> => seconds(of, '[data-test=figures] dd >> nth=0');
    await expect.poll(() => simS(page), patience).toBeGreaterThan(2);
    await page.locator('[data-test=pause]').click();
    await page.locator('[data-test=drive-status]').getByText('paused').waitFor(patience);
    await page.waitForTimeout(500);
    const ticks = Math.round(10 * (await simS(page)));

    const late = await openPage(browser, 'light');
    await recordDrawnParts(late.page);
    await late.page.goto(host.web.address);
    await page.reload();
    for (const one of [page, late.page]) {
      // One fix a tick (the receiver's rate), one segment fewer than ticks, a dense and a thin cloud of all scans.
      await expect.poll(async () => (await drawnNow(one)).points.at(-1), patience).toBe(ticks);
      const { instances } = await drawnNow(one);
      expect(instances.at(-1)).toBe(ticks - 1);
      await expect
        .poll(async () => (await cloudsOf(one)).trail, patience)
        .toBeGreaterThan(350 * ticks);
      await expect
        .poll(async () => (await cloudsOf(one)).newest, patience)
        // All but the last scans, which are not on disk yet.
        .toBeGreaterThan(60_000);
    }
    await screenshot(page, 'reloaded-drive-dark');
    await screenshot(late.page, 'second-window-light');
    await late.page.context().close();

    await page.locator('[data-test=pause]').click();
    await page.getByText('Play and ask about it').click(patience);
    const time = '[data-test=time]';
    await expect.poll(() => seconds(page, time), patience).toBe(4);
    await page.locator('[data-test=timeline]').evaluate((line: HTMLInputElement) => {
      line.value = '2';
      line.dispatchEvent(new Event('input'));
    });
    await expect.poll(() => seconds(page, time), patience).toBe(2);
    await expect.poll(async () => (await drawnNow(page)).points.at(-1), patience).toBe(20);
    await expect.poll(async () => (await cloudsOf(page)).trail, patience).toBeGreaterThan(7000);
    await expect.poll(async () => (await cloudsOf(page)).newest, patience).toBeGreaterThan(100_000);
    const scrubbed = await cloudsOf(page);
    await screenshot(page, 'scrubbed-dark');

    // The same time, played to: as slowly as it takes to miss no tick.
    await page.locator('.bar [data-test=speed]').selectOption('0.25');
    await page.locator('[data-test=timeline]').press('Home');
    await expect.poll(() => seconds(page, time), patience).toBe(0.1);
    await page.locator('[data-test=play]').click();
    await expect
      .poll(() => seconds(page, time), { timeout: 60_000, interval: 20 })
      .toBeGreaterThanOrEqual(2);
    await page.locator('[data-test=play]').click();
    await page.waitForTimeout(300);
    const played = await cloudsOf(page);
    const share = (await seconds(page, time)) / 2;
    expect(scrubbed.trail / (played.trail / share)).toBeGreaterThan(0.8);
    // Twenty scans, every 43rd point of some 19,300 each.
    expect(scrubbed.trail).toBeLessThan(1.1 * 20 * 450);
    expect(scrubbed.newest / played.newest).toBeGreaterThan(0.75);
    expect(complaints).toEqual([]);
  }, 180_000);
});

async function seconds(page: Page, selector: string): Promise<number> {
  return Number.parseFloat(await page.locator(selector).innerText());
}

/** Points of the trail and of the newest scans, in the order in which they are drawn; the fixes follow. */
async function cloudsOf(page: Page): Promise<{ trail: number; newest: number }> {
  const { points } = await drawnNow(page);
  const [a = 0, b = 0] = points;
  return { trail: Math.min(a, b), newest: Math.max(a, b) };
}
