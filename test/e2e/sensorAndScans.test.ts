// A sensor on the page with the real host and worker behind it: chosen, looked at, edited as a form, saved as a file;
// then the scene is scanned with it, scans are compared, and a point tells of its pulse.
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

describe.skipIf(!hasBrowser)('sensors and scans in the browser', () => {
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

  async function open(theme: 'dark' | 'light'): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openPage(browser, theme);
    const address = new URL(host.web.address);
    address.hash = '#/scene';
    await opened.page.goto(address.href);
    await opened.page.getByRole('tab', { name: 'Sensor' }).click(patience);
    await opened.page.locator('[data-test=sensor-panel]').waitFor(patience);
    return opened;
  }

  it.each(['dark', 'light'] as const)(
    'shows a sensor and what an edit makes of it, %s',
    async (theme) => {
      const { page, complaints } = await open(theme);
      const panel = page.locator('[data-test=sensor-panel]');
      await page.locator('[data-test="sensor-hdl-32e"]').click();
      const spot = page.locator('[data-test=spot] b');
      // 2 · 10 m · tan(3.3 mrad / 2) and of 0.7 mrad.
      await expect.poll(() => spot.innerText(), patience).toBe('3.3 cm × 0.7 cm');
      expect(await panel.getByText('22 of 32 meet flat ground').count()).toBe(1);
      await screenshot(page, `sensor-pictures-${theme}`);
      await page.getByRole('button', { name: 'Facts' }).click();
      await panel.getByText('32 lasers, firing every 0.16°').waitFor();
      await screenshot(page, `sensor-facts-${theme}`);

      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await screenshot(page, `sensor-edit-${theme}`);
      await page.locator('[data-test="field-beam.divergenceHorizontalMrad"]').fill('6.6');
      await expect.poll(() => spot.innerText(), patience).toBe('6.6 cm × 0.7 cm');
      await page.locator('[data-test=edited]').waitFor();

      await page.locator('[data-test="field-range.minM"]').fill('90');
      await panel.getByText('expected less than maxM (70), found 90').waitFor(patience);
      await screenshot(page, `sensor-problem-${theme}`);
      await page.locator('[data-test="field-range.minM"]').fill('2');
      await panel.getByText('expected less than maxM').waitFor({ state: 'detached' });

      await page.locator('[data-test=save-sensor]').click();
      const file = await page.locator('[data-test=save-file]').inputValue();
      expect(file.startsWith(host.dataFolder)).toBe(true);
      await page.locator('[data-test=save-now]').click();
      await page.locator(`[data-test="sensor-${file}"][aria-pressed=true]`).waitFor(patience);
      const text = await readFile(file, 'utf8');
      expect(text).toContain('divergenceHorizontalMrad: 6.6');
      // What was not edited stands as it was, comments included.
      expect(text).toContain('slotsPerRevolution: 2250 # 360 / 0.16, the printed resolution');
      expect(complaints).toEqual([]);
    },
  );

  it.each(['dark', 'light'] as const)(
    'scans, compares and looks into a pulse, %s',
    async (theme) => {
      const { page, complaints } = await open(theme);
      await page.locator('[data-test="sensor-hdl-32e"]').click();
      await page.locator('[data-test="open-clearing"]').click();
      await page.getByRole('tab', { name: 'Scans' }).click();
      // The mission's start, at the height of the scenario's first sensor.
      const at = (name: string): Promise<string> =>
        page.locator(`[data-test="pose-${name}"]`).inputValue();
      await expect.poll(() => at('xM'), patience).toBe('-9');
      await expect.poll(() => at('yawDeg'), patience).toBe('37');
      await page.locator('[data-test=scan-once]').click();
      const kept = page.locator('[data-test=scans] li');
      await expect.poll(() => kept.count(), patience).toBe(1);

      await page.getByRole('tab', { name: 'Sensor' }).click();
      await page.locator('[data-test="sensor-hdl-64e-s2"]').click();
      await page.locator('[data-test=sensor-panel]').getByText('Rate').waitFor();
      await page.getByRole('tab', { name: 'Scans' }).click();
      await page
        .locator('[data-test=scans-panel]')
        .getByText('Velodyne HDL-64E S2')
        .waitFor(patience);
      await page.keyboard.press('n');
      await expect.poll(() => kept.count(), patience).toBe(2);
      const figures = await page.locator('[data-test=comparison]').innerText();
      expect(figures).toContain('Returns');
      expect(figures).toContain('on grass');
      await page.waitForTimeout(1500);
      await screenshot(page, `scans-compared-${theme}`);
      await page.locator('[data-test=scan-colour]').selectOption('class');
      await page.waitForTimeout(500);

      // By the keyboard, and by a click into the picture.
      await page.locator('[data-test=look-into-pulse]').click();
      const returned = page.locator('[data-test=pulse-return]');
      await returned.first().waitFor(patience);
      expect(await returned.first().innerText()).toMatch(
        /Strongest: of \d+ echoes the one of greatest strength/,
      );
      await screenshot(page, `pulse-${theme}`);
      const number = (): Promise<string> => page.locator('[data-test=pulse-panel] h3').innerText();
      const before = await number();
      await page.keyboard.press('.');
      await expect.poll(number, patience).not.toBe(before);
      await page.keyboard.press(',');
      await expect.poll(number, patience).toBe(before);

      // A click into the picture: near one of so many points there is one.
      const box = await page.locator('[data-test=scene-canvas]').boundingBox();
      for (let attempt = 0; attempt < 12 && (await number()) === before; attempt += 1) {
        const xPx = (box?.x ?? 0) + (box?.width ?? 0) * (0.3 + 0.03 * attempt);
        await page.mouse.click(xPx, (box?.y ?? 0) + (box?.height ?? 0) * 0.62);
        await page.waitForTimeout(700);
      }
      expect(await number()).not.toBe(before);

      await page.locator('[data-test=side-by-side]').click();
      await page
        .locator('[data-test=clean-noisy]')
        .getByText('Standard deviation')
        .waitFor(patience);
      await page.waitForTimeout(800);
      await screenshot(page, `clean-noisy-${theme}`);
      expect(complaints).toEqual([]);
    },
    180_000,
  );
});
