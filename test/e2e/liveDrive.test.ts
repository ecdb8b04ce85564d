// Driving with the real thing behind the page: catalogue, run process and native worker. Drives in the clearing
// are started, compared, paused, stepped, slowed, driven by hand and found again after the page was loaded anew.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
const axeSource = readFileSync(
  new URL('../../node_modules/axe-core/axe.min.js', import.meta.url),
  'utf8',
);

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

  async function figure(page: Page, label: string, drive = 1): Promise<number> {
    const tile = page.locator(`[data-test=drive-${drive}] [data-test=figures] > div`, {
      hasText: label,
    });
    return Number.parseFloat(await tile.locator('dd').innerText());
  }

  async function startIn(page: Page, sensor: string, change?: () => Promise<void>): Promise<void> {
    await page.goto(host.web.address);
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption(sensor);
    await change?.();
    await page.locator('[data-test=start]').click();
  }

  async function status(page: Page, drive = 1): Promise<string> {
    return page.locator(`[data-test=drive-${drive}] [data-test=drive-status]`).innerText();
  }

  it('starts, moves, stops and is kept', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    await page.getByText('No runs yet').waitFor();
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption('vlp-16');
    // In real time, lest it arrive before it is stopped.
    await page.locator('[data-test=start-speed]').selectOption('1');
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
    await page.getByRole('heading', { name: 'Stopped by hand' }).waitFor();
    await screenshot(page, 'clearing-stopped');

    await page.reload();
    await page.locator('[data-test=run-cancelled]').click();
    const summary = page.locator('[data-test=summary]');
    await summary.getByText('Recording', { exact: true }).waitFor();
    expect(await summary.innerText()).toContain(host.dataFolder);
    expect(complaints).toEqual([]);
  }, 120_000);

  it('compares two sensors: paused, stepped and slowed together, with their maps at 10 s', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await startIn(page, 'lms-291', async () => {
      await page.locator('[data-test=add-sensor]').click();
      await page.locator('[data-test=sensor-2]').selectOption('vlp-16');
      await page.locator('[data-test=start-speed]').selectOption('1');
    });
    const simS = (drive: number): Promise<number> => figure(page, 'Simulated time', drive);
    for (const drive of [1, 2]) {
      await expect.poll(() => simS(drive), patience).toBeGreaterThan(0.5);
    }
    await page.locator('[data-test=pause]').click();
    for (const drive of [1, 2]) {
      await expect.poll(() => status(page, drive), patience).toContain('paused');
    }
    const stood = [await simS(1), await simS(2)];
    await page.waitForTimeout(700);
    expect([await simS(1), await simS(2)]).toEqual(stood);
    await page.locator('body').press('.');
    await expect.poll(() => simS(1), patience).toBeCloseTo((stood[0] ?? 0) + 0.1, 5);
    await expect.poll(() => simS(2), patience).toBeCloseTo((stood[1] ?? 0) + 0.1, 5);
    await page.getByLabel('Colour by').selectOption('error');
    await page.getByText('Range error in cm').waitFor();
    await screenshot(page, 'compared-paused-dark');

    await page.locator('[data-test=speed]').selectOption('0.5');
    await page.locator('[data-test=pause]').click();
    await expect.poll(() => figure(page, 'Real-time factor'), patience).toBeLessThan(0.7);
    await page.locator('[data-test=speed]').selectOption('');
    await page.getByLabel('Colour by').selectOption('range');
    await page.locator('.dv-tab', { hasText: 'Cost maps at 10 s' }).click();
    const sheet = page.locator('[data-test=cost-sheet]');
    await sheet.waitFor(patience);
    await expect.poll(() => sheet.getAttribute('aria-label'), patience).toMatch(/lms-291.*vlp-16/);
    await screenshot(page, 'cost-maps-dark');
    const download = page.waitForEvent('download');
    await page.locator('[data-test=save-png]').click();
    const file = await readFile(await (await download).path());
    expect(file.subarray(1, 4).toString()).toBe('PNG');
    // Two maps of 480 pixels and three margins side by side.
    expect(file.readUInt32BE(16)).toBe(2 * 480 + 3 * 24);

    await page.locator('.dv-tab', { hasText: 'Live drive' }).click();
    await page.locator('[data-test=theme]').click();
    await page.waitForTimeout(500);
    await screenshot(page, 'compared-light');
    for (const drive of [1, 2]) {
      await expect.poll(() => status(page, drive), patience).toBe('Reached the goal');
    }
    await screenshot(page, 'compared-ended-light');
    expect(complaints).toEqual([]);
  }, 180_000);

  it('is driven by hand, and found again when the page is loaded anew', async () => {
    const { page, complaints } = await openPage(browser, 'light');
    await startIn(page, 'lms-291', async () => {
      await page.getByRole('button', { name: 'By hand' }).click();
    });
    await expect.poll(() => status(page), patience).toBe('by hand');
    expect(await figure(page, 'Speed')).toBe(0);
    await page.locator('body').click({ position: { x: 700, y: 300 } });
    await page.keyboard.down('w');
    await expect.poll(() => figure(page, 'Speed'), patience).toBeGreaterThan(1);
    await page.keyboard.down('a');
    await page.waitForTimeout(800);
    await screenshot(page, 'by-hand-light');
    await page.keyboard.up('a');
    await page.keyboard.up('w');
    await expect.poll(() => figure(page, 'Speed'), patience).toBe(0);

    const beforeS = await figure(page, 'Simulated time');
    await page.reload();
    await expect.poll(() => status(page), patience).toBe('by hand');
    await expect.poll(() => figure(page, 'Simulated time'), patience).toBeGreaterThan(beforeS);
    await page.locator('[data-test=pause]').click();
    await expect.poll(() => status(page), patience).toContain('paused');
    await page.reload();
    await expect.poll(() => status(page), patience).toContain('paused');
    await page.locator('[data-test=stop]').click();
    await page.locator('[data-test=run-cancelled]').waitFor(patience);
    expect(complaints).toEqual([]);
  }, 180_000);

  it('takes a goal that is clicked in the picture, and refuses one in a wall', async () => {
    const { page } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=goal-x]').and(page.getByPlaceholder('7')).waitFor();
    await page.locator('[data-test=goal-pick]').click();
    await page.locator('[data-test=pick-canvas]').waitFor();
    await page.waitForTimeout(500);
    await screenshot(page, 'pick-goal-dark');
    await page.locator('[data-test=pick-canvas]').click();
    await expect.poll(() => page.locator('[data-test=goal-x]').inputValue(), patience).not.toBe('');
    await page.locator('[data-test=goal-x]').fill('900');
    await page.locator('[data-test=start]').click();
    await page.getByText('expected a place on').waitFor(patience);
  });

  it("shows the paper's four side by side, and axe finds no fault with the panels", async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await startIn(page, 'lms-291', async () => {
      await page.locator('[data-test=paper-sensors]').click();
      await page.locator('[data-test=seconds]').fill('0.6');
    });
    for (const drive of [1, 2, 3, 4]) {
      await expect.poll(() => status(page, drive), patience).toContain('Stopped after');
    }
    await page.waitForTimeout(1000);
    await screenshot(page, 'four-dark');
    await page.evaluate(axeSource);
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect(await faultsOf(page, ['start-drive', 'live-drive']), theme).toEqual([]);
    }
    await page.locator('.dv-tab', { hasText: 'Cost maps at 10 s' }).click();
    await page.getByText('No cost map yet').waitFor();
    expect(await faultsOf(page, ['cost-maps'])).toEqual([]);
    expect(complaints).toEqual([]);
  }, 180_000);
});

/** What axe finds wrong with panels. */
function faultsOf(page: Page, panels: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async (include) => {
      interface Axe {
        run: (at: unknown) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      }
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run({ include });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    panels.map((id) => [`[data-panel=${id}]`]),
  );
}
