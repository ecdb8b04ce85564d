// Runs side by side, with the real thing behind them: chosen in the table, played in step, looked at through
// cameras that move together, and told apart by what differs.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  screenshot,
} from './browser.ts';
import { seriousProblems } from './axe.ts';
import { driveRun } from './realRuns.ts';

const patience = { timeout: 60_000 };

describe.skipIf(!hasBrowser)('comparing runs in the browser', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: Awaited<ReturnType<typeof openRealHost>>;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
    host = await openRealHost(built.folder);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await host.close();
    await built.remove();
  }, 60_000);

  async function timeShown(page: Page): Promise<number> {
    const time = page.locator('[data-test=compare] [data-test=time]');
    return Number.parseFloat(await time.innerText());
  }

  /** What a picture shows, as bytes of a PNG. */
  function pictureOf(figure: Locator): Promise<Buffer> {
    return figure.locator('canvas').screenshot();
  }

  it('plays two runs on one timeline with linked cameras, and says what differs', async () => {
    await driveRun(host, { scenario: 'clearing', sensor: 'vlp-16', seed: 1, seconds: 3 });
    await driveRun(host, { scenario: 'clearing', sensor: 'vlp-16', seed: 2, seconds: 2 });
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(`${host.web.address}`);
    await page.locator('[data-test=nav-runs]').click();
    await page.locator('[data-test=sort-seed]').click();
    await page.locator('[data-test=sort-seed]').click();
    const seeds = page.locator('[data-test=run-rows] [role=gridcell].seed');
    await expect.poll(() => seeds.allInnerTexts(), patience).toEqual(['1', '2']);
    await page.locator('[data-test=row-finished]').first().click();
    await page.locator('[data-test=run-rows]').focus();
    await page.keyboard.press('Space');
    await page.getByText('two to four can be compared').waitFor();
    await page
      .locator('[data-test=row-finished]')
      .nth(1)
      .click({ modifiers: ['Control'] });
    await screenshot(page, 'runs-chosen-dark');
    await page.locator('[data-test=compare-runs]').click();

    const compare = page.locator('[data-test=compare]');
    await expect.poll(() => timeShown(page), patience).toBe(3);
    await compare.locator('[data-test=compared-2]').getByText('ended at 2.0 s').waitFor(patience);
    await compare.getByText('In what the scenarios differ').waitFor();
    const differences = compare.locator('[data-test=compared-scenarios] tbody tr');
    expect(await differences.allInnerTexts()).toEqual([expect.stringMatching(/^seed\s+1\s+2$/)]);
    const simulated = compare.locator('[data-test=compared-figures] tbody tr').first();
    expect(await simulated.innerText()).toMatch(/Simulated time s\s+3\.0\s+2\.0\s+−1\.0 \(−33 %\)/);
    await screenshot(page, 'compare-dark');
    expect(await seriousProblems(page)).toEqual([]);

    await compare.locator('[data-test=timeline]').fill('1.2');
    await expect.poll(() => timeShown(page)).toBe(1.2);
    await compare.locator('[data-test=speed]').selectOption('0.25');
    await page.locator('body').press('Space');
    await expect.poll(() => timeShown(page), patience).toBeGreaterThan(1.4);
    await page.locator('body').press('Space');
    const stopped = await timeShown(page);
    await page.waitForTimeout(400);
    expect(await timeShown(page)).toBe(stopped);
    await page.locator('body').press('ArrowRight');
    await expect.poll(() => timeShown(page)).toBeCloseTo(stopped + 0.1, 6);

    // A drag in the first picture turns the second as well, and unlinked it does not.
    const [first, second] = [1, 2].map((n) => compare.locator(`[data-test=compared-${n}]`));
    if (first === undefined || second === undefined) throw new Error('there are two');
    await page.waitForTimeout(500);
    const before = await pictureOf(second);
    await drag(page, first);
    const turned = await pictureOf(second);
    expect(turned.equals(before)).toBe(false);
    await compare.locator('[data-test=link-cameras]').uncheck();
    await drag(page, first);
    expect((await pictureOf(second)).equals(turned)).toBe(true);
    await compare.locator('[data-test=link-cameras]').check();
    await page.waitForTimeout(500);
    expect((await pictureOf(second)).equals(turned)).toBe(false);

    await page.locator('[data-test=theme]').click();
    await page.getByText('Theme: light').waitFor();
    await page.waitForTimeout(500);
    await screenshot(page, 'compare-light');
    expect(await seriousProblems(page)).toEqual([]);

    await page.reload();
    await page.locator('[data-test=compare]').getByText('ended at 2.0 s').waitFor(patience);
    expect(complaints).toEqual([]);
  }, 180_000);
});

async function drag(page: Page, figure: Locator): Promise<void> {
  const box = await figure.boundingBox();
  if (box === null) throw new Error('the picture is not shown');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 10, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(500);
}
