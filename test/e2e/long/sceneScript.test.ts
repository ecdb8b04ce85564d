// The script of the page from its first byte on, and while the greatest sample is opened, looked at and clicked: no
// task may be so long that it is felt. Prints the figures that PERFORMANCE.md has.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  type RealHost,
} from '../browser.ts';
import { measureScript, withoutDrawing, type ScriptTimes } from '../pageScript.ts';

const patience = { timeout: 90_000 };
/** What is felt as a pause; making the page's parts for the first time may take longer. */
const mostMs = 50;
const mostAtFirstMs = 100;

describe.skipIf(!hasBrowser)('the script of the page with the courtyard', () => {
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

  it('has no long task', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await withoutDrawing(page);
    const settled = page.locator('[data-test=scene-figures][data-settled=true]');
    const longest: Record<string, number> = {};
    const measured = async (what: string, work: () => Promise<void>): Promise<void> => {
      const times: ScriptTimes = await measureScript(browser, page, work);
      longest[what] = times.longestTaskMs;
      console.log(`${what}: longest task of script ${times.longestTaskMs.toFixed(1)} ms`);
    };
    await measured('first page', async () => {
      await page.goto(host.web.address);
      await page.locator('[data-test=start]').waitFor(patience);
      await page.waitForTimeout(1000);
    });
    await measured('panels of the scene', async () => {
      await page.locator('[data-test=nav-scene]').click();
      await page.locator('[data-test=open-courtyard]').waitFor(patience);
      await page.waitForTimeout(1500);
    });
    await measured('opening the courtyard', async () => {
      await page.locator('[data-test=open-courtyard]').click();
      await settled.waitFor(patience);
      await page.waitForTimeout(500);
    });
    await measured('turning, hovering, clicking', () => handle(page));
    await settled.waitFor(patience);
    expect(await page.evaluate(() => window.uploads.draws)).toBeGreaterThan(0);
    for (const [what, ms] of Object.entries(longest)) {
      expect(ms, what).toBeLessThan(/first|panels/.test(what) ? mostAtFirstMs : mostMs);
    }
    expect(complaints).toEqual([]);
  }, 240_000);
});

async function handle(page: Page): Promise<void> {
  const box = await page.locator('[data-test=scene-canvas]').boundingBox();
  if (box === null) throw new Error('no picture');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.move(x + 4 * step, y + 40 * Math.sin(step / 9));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  for (let step = 0; step < 30; step += 1) {
    await page.mouse.move(x - 8 * step, y + 3 * step);
    await page.waitForTimeout(16);
  }
  await page.mouse.wheel(0, -400);
  await page.waitForTimeout(600);
  await page.mouse.click(x + 30, y + 60);
  await page.waitForTimeout(1000);
}
