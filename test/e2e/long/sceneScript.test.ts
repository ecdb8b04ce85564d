// The script of the page from its first byte on, and while the greatest sample is opened, looked at and clicked: no
// task may be so long that it is felt. Prints the metrics that PERFORMANCE.md has.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp } from '../app.ts';
import { openPage } from '../browser.ts';
import { measureScript, withoutDrawing } from '../pageScript.ts';
import { placeInPicture, settled } from '../scenes.ts';

/** The length of a noticeable pause. */
const maxMs = 50;

describeApp('the script of the page with the courtyard', (app) => {
  it('has no long task', async () => {
    const { page, complaints } = await openPage(app.browser, 'dark');
    await withoutDrawing(page);
    const longest: Record<string, number> = {};
    const measured = async (what: string, work: () => Promise<void>): Promise<void> => {
      const { longestTaskMs } = await measureScript(app.browser, page, work, { isWhole: true });
      longest[what] = longestTaskMs;
      console.log(`${what}: longest task of script ${longestTaskMs.toFixed(1)} ms`);
    };
    await measured('first page', async () => {
      await page.goto(app.host.web.address);
      await page.getByTestId('start').waitFor();
      await page.waitForTimeout(1000);
    });
    await measured('panels of the scene', async () => {
      await page.getByTestId('nav-scene').click();
      await page.getByTestId('open-courtyard').waitFor();
      await page.waitForTimeout(1500);
    });
    await measured('opening', async () => {
      await page.getByTestId('open-courtyard').click();
      await settled(page);
      await page.waitForTimeout(500);
    });
    await measured('turning, hovering, clicking', () => handle(page));
    expect(await page.evaluate(() => window.uploads.draws)).toBeGreaterThan(0);
    for (const [what, ms] of Object.entries(longest)) {
      expect(ms, what).toBeLessThan(maxMs);
    }
    expect(complaints).toEqual([]);
  });
});

async function handle(page: Page): Promise<void> {
  const { x, y } = await placeInPicture(page, 0.5, 0.5);
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
