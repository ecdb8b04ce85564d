// Every page, in both themes, at two sizes of the window and enlarged: nothing is cut off, covered, outside or tiny. And one
// view has most of the window.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, type App } from './app.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';

const sizes = [
  { name: '1440', width: 1440, height: 900, larger: 0 },
  { name: '1024', width: 1024, height: 700, larger: 0 },
  { name: '150', width: 1440, height: 900, larger: 3 },
];
/** A page, and what is done there before it is looked at. */
const states: readonly { name: string; at: string; prepare?: (page: Page) => Promise<void> }[] = [
  { name: 'start', at: 'start' },
  { name: 'scene', at: 'scene' },
  {
    name: 'scene-open',
    at: 'scene',
    async prepare(page) {
      const [sample, metrics] = [page.getByTestId('open-box'), page.getByTestId('scene-metrics')];
      // The samples come from the host.
      await sample.or(metrics).first().waitFor();
      if (await sample.isVisible()) await sample.click();
      await metrics.waitFor();
    },
  },
  { name: 'drive', at: 'drive' },
  { name: 'runs', at: 'runs' },
  { name: 'campaigns', at: 'campaigns' },
  { name: 'learn', at: 'learn' },
];

describeApp('every page', (app) => {
  it.each(['dark', 'light'] as const)('has nothing cut off, covered or tiny: %s', async (theme) => {
    expect(await walk(app, theme)).toEqual([]);
  });
});

async function walk(app: App, theme: 'dark' | 'light'): Promise<string[]> {
  const page = await app.open(theme);
  const faults: string[] = [];
  for (const { name: size, width, height, larger } of sizes) {
    await page.setViewportSize({ width, height });
    await page.keyboard.press('Control+0');
    for (let step = 0; step < larger; step += 1) await page.keyboard.press('Control+=');
    for (const { name, at, prepare } of states) {
      await page.evaluate((hash) => (location.hash = hash), `#/${at}`);
      await prepare?.(page);
      await page.waitForTimeout(700);
      await screenshot(page, `walk-${name}-${size}-${theme}`);
      faults.push(...(await faultsInSight(page)).map((line) => `${name} at ${size}: ${line}`));
    }
  }
  return faults;
}
