// A long recording, played again and again at the highest speed: the page's memory stays where it is.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openUnderstory } from '#hosts/compose.ts';
import { serve } from '#hosts/web/serve.ts';
import { sampleInstances, sampleRecipe, sampleSummary } from '#test/catalogue/sampleScene.ts';
import { sampleTickFacts } from '#test/recordings/samples.ts';
import { recordedRun } from '#test/services/recordedRun.ts';
import { buildPage, hasBrowser, launchBrowser, openPage } from '../browser.ts';
import { heapMB } from '../pageMemory.ts';
import { withoutDrawing } from '../pageScript.ts';

/** Five minutes of driving. */
const ticks = 3000;
/** Times that it is played through, some to begin with and those over which memory may not grow. */
const warmUp = 2;
const measured = 4;
/** Far below the 40 MB of points that one playback brings, and below the 11 MB of one of its figures a tick. */
const mostGrowthMB = 6;

describe.skipIf(!hasBrowser)('the memory of the page', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });

  it('is flat while a long recording is played at the highest speed', async () => {
    const { catalogue, dataFolder } = await recordedRun({ ticks, rows: 1500 });
    catalogue.saveScene(
      'run',
      { summary: sampleSummary(), isa: 'avx2', recipe: sampleRecipe },
      sampleInstances(),
    );
    for (let tick = 0; tick < ticks; tick += 1) catalogue.addTick('run', sampleTickFacts(tick));
    const understory = await openUnderstory({ dataFolder });
    const { handlers, events, log } = understory;
    const web = await serve({ handlers, events, log, rendererFolder: built.folder });
    onTestFinished(async () => {
      await web.close();
      await understory.dispose();
    });
    const { page } = await openPage(browser, 'dark');
    await withoutDrawing(page);
    await page.goto(web.address);
    await page.goto(`${new URL(web.address).origin}/#/runs/run`);
    const bar = page.locator('[data-test=run-page]');
    const time = bar.locator('[data-test=time]');
    await time.getByText('300.0 / 300.0 s').waitFor({ timeout: 60_000 });
    await bar.locator('[data-test=speed]').selectOption('32');
    const sizesMB: number[] = [];
    for (let pass = 0; pass < warmUp + measured; pass += 1) {
      await bar.locator('[data-test=play]').click();
      await expect.poll(() => time.innerText()).not.toMatch(/^300/);
      await expect.poll(() => time.innerText(), { timeout: 60_000 }).toMatch(/^300/);
      sizesMB.push(await heapMB(page));
    }
    console.log(`heap after each pass: ${sizesMB.map((size) => size.toFixed(1)).join(', ')} MB`);
    const [base = 0, ...rest] = sizesMB.slice(warmUp - 1);
    expect(Math.max(...rest) - base).toBeLessThan(mostGrowthMB);
  }, 240_000);
});
