// Every page, in both themes, at two sizes of the window and enlarged: nothing is cut off, covered, outside or tiny. And one
// view has most of the window.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, type App } from './app.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { coverOf } from './viewRoom.ts';

const sizes = [
  { name: '1440', width: 1440, height: 900, larger: 0 },
  { name: '1024', width: 1024, height: 700, larger: 0 },
  { name: '150', width: 1440, height: 900, larger: 3 },
];
const sampleOrScene = (page: Page): Locator =>
  page.getByTestId('open-box').or(page.getByTestId('scene-metrics')).first();

/** A page, what shows that it has come, and what is done there before it is looked at. */
const states: readonly {
  name: string;
  at: string;
  sign: (page: Page) => Locator;
  prepare?: (page: Page) => Promise<void>;
}[] = [
  { name: 'start', at: 'start', sign: (page) => page.getByTestId('open-box').first() },
  { name: 'scene', at: 'scene', sign: sampleOrScene },
  {
    name: 'scene-open',
    at: 'scene',
    sign: sampleOrScene,
    async prepare(page) {
      // A name that is longer than its panel.
      const sample = page.getByTestId('open-near-collision');
      if (await sample.isVisible()) await sample.click();
      await page.getByTestId('scene-metrics').waitFor();
    },
  },
  { name: 'drive', at: 'drive', sign: (page) => page.getByText('No drive selected') },
  { name: 'runs', at: 'runs', sign: (page) => page.getByTestId('first-drive') },
  { name: 'campaigns', at: 'campaigns', sign: (page) => page.getByText('No campaign selected') },
  { name: 'learn', at: 'learn', sign: (page) => page.getByText('No log yet').first() },
];

describeApp('every page', (app) => {
  it.each(['dark', 'light'] as const)('has nothing cut off, covered or tiny: %s', async (theme) => {
    expect(await walk(app, theme)).toEqual([]);
  });

  it('follows a window that was made smaller while another page was shown', async () => {
    const page = await app.open('light', { at: 'runs' });
    await page.setViewportSize({ width: 1440, height: 900 });
    const runs = page.locator('[data-panel=runs]');
    const rightPx = (): Promise<number> =>
      runs.evaluate((panel) => panel.getBoundingClientRect().right);
    await eventually(rightPx).toBeGreaterThan(1400);
    await page.evaluate(() => (location.hash = '#/drive'));
    await page.locator('[data-panel=start-drive]').waitFor();
    await page.setViewportSize({ width: 1024, height: 700 });
    const afterFrames = await page.evaluate(async () => {
      location.hash = '#/runs';
      for (let frame = 0; frame < 8; frame += 1) await new Promise(requestAnimationFrame);
      return document.querySelector('[data-panel=runs]')?.getBoundingClientRect().right;
    });
    expect(afterFrames).toBeLessThan(1025);
    expect(await runs.isVisible()).toBe(true);
  });
});

async function walk(app: App, theme: 'dark' | 'light'): Promise<string[]> {
  const page = await app.open(theme);
  const faults: string[] = [];
  for (const { name: size, width, height, larger } of sizes) {
    await page.setViewportSize({ width, height });
    await page.keyboard.press('Control+0');
    for (let step = 0; step < larger; step += 1) await page.keyboard.press('Control+=');
    for (const { name, at, sign, prepare } of states) {
      await page.evaluate((hash) => (location.hash = hash), `#/${at}`);
      // Why visible: folded panels have such signs, too.
      await sign(page).filter({ visible: true }).first().waitFor();
      await prepare?.(page);
      await page.waitForTimeout(700);
      await screenshot(page, `walk-${name}-${size}-${theme}`);
      const covered = (await coverOf(page.locator('[data-panel] canvas:visible')))
        // Why not all of it: that is shown in place of a view.
        .filter((view) => view.covered >= 0.1 && view.covered < 1)
        .map(({ covered: share, by }) => `${share} of a view is covered: ${by.join(', ')}`);
      const found = [...(await faultsInSight(page)), ...covered];
      faults.push(...found.map((line) => `${name} at ${size}: ${line}`));
    }
  }
  return faults;
}
