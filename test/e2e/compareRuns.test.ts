// Runs side by side, with the real host behind them: chosen in the table, played in step, looked at through
// cameras that move together, and a list of what differs.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { seriousFaults } from './axe.ts';
import { steady, timeShown } from './drives.ts';
import { driveRun } from './realRuns.ts';

describeApp('comparing runs in the browser', (app) => {
  /** A view as bytes of a PNG. */
  function pictureOf(figure: Locator): Promise<Buffer> {
    return figure.locator('canvas').screenshot();
  }

  it('plays two runs on one timeline with linked cameras, and says what differs', async () => {
    await driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seed: 1, seconds: 3 });
    await driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seed: 2, seconds: 2 });
    const page = await app.open('dark');
    await page.getByTestId('nav-runs').click();
    await page.getByTestId('sort-seed').click();
    await page.getByTestId('sort-seed').click();
    const seeds = page.locator('[data-test=run-rows] [role=gridcell].seed');
    await eventually(() => seeds.allInnerTexts()).toEqual(['1', '2']);
    await page.getByTestId('row-finished').first().click();
    await focusOn(page.getByTestId('run-rows'));
    await page.keyboard.press('Space');
    await page.getByText('select two to four to compare').waitFor();
    await page
      .getByTestId('row-finished')
      .nth(1)
      .click({ modifiers: ['Control'] });
    await screenshot(page, 'runs-chosen-dark');
    await page.getByTestId('compare-runs').click();

    const compare = page.getByTestId('compare');
    await eventually(() => timeShown(compare)).toBe(3);
    await compare.getByTestId('compared-2').getByText('ended at 2.0 s').waitFor();
    await compare.getByText('Scenario differences').waitFor();
    const differences = compare.locator('[data-test=compared-scenarios] tbody tr');
    expect(await differences.allInnerTexts()).toEqual([expect.stringMatching(/^seed\s+1\s+2$/)]);
    const simulated = compare.locator('[data-test=compared-metrics] tbody tr').first();
    expect(await simulated.innerText()).toMatch(
      /Simulated time s\s+3\.0\s+2\.0\s+−1\.0 \(−33\s%\)/,
    );
    await screenshot(page, 'compare-dark');
    expect(await seriousFaults(page)).toEqual([]);

    await compare.getByTestId('timeline').fill('1.2');
    await eventually(() => timeShown(compare)).toBe(1.2);
    await compare.getByTestId('speed').selectOption('0.25');
    await page.locator('body').press('Space');
    await eventually(() => timeShown(compare)).toBeGreaterThan(1.4);
    await page.locator('body').press('Space');
    const stopped = await steady(page, () => timeShown(compare));
    await page.locator('body').press('ArrowRight');
    await eventually(() => timeShown(compare)).toBeCloseTo(stopped + 0.1, 6);

    // A drag in the first picture turns the second as well, and unlinked it does not.
    const [first, second] = [1, 2].map((n) => compare.getByTestId(`compared-${n}`));
    if (first === undefined || second === undefined) throw new Error('there are two');
    await page.waitForTimeout(500);
    const before = await pictureOf(second);
    await drag(page, first);
    const turned = await pictureOf(second);
    expect(turned.equals(before)).toBe(false);
    await compare.getByTestId('link-cameras').uncheck();
    await drag(page, first);
    expect((await pictureOf(second)).equals(turned)).toBe(true);
    await compare.getByTestId('link-cameras').check();
    await page.waitForTimeout(500);
    expect((await pictureOf(second)).equals(turned)).toBe(false);

    await page.getByTestId('theme').click();
    await page.getByText('Theme: light').waitFor();
    await page.waitForTimeout(500);
    await screenshot(page, 'compare-light');
    expect(await seriousFaults(page)).toEqual([]);

    await page.reload();
    await page.getByTestId('compare').getByText('ended at 2.0 s').waitFor();
  });

  it('colours the returns of each run by their distances to the other', async () => {
    const drive = { scenario: 'clearing', sensor: 'vlp-16', seed: 1, seconds: 1 };
    await driveRun(app.host, drive);
    await driveRun(app.host, { ...drive, seed: 2 });
    const page = await app.open('dark', { at: 'runs' });
    const rows = page.getByTestId('row-finished');
    await eventually(() => rows.count()).toBe(2);
    for (const row of [0, 1]) await rows.nth(row).click({ modifiers: ['Control'] });
    await page.getByTestId('compare-runs').click();
    const compare = page.getByTestId('compare');
    await eventually(() => timeShown(compare)).toBe(1);
    await compare.getByTestId('returns-shown').selectOption('all');
    const views = [1, 2].map((n) => compare.getByTestId(`compared-${n}`));
    for (const view of views) {
      await eventually(() => view.getByTestId('compared-status').innerText()).toMatch(
        /of \d.* returns/,
      );
    }
    await compare.getByTestId('returns-shown').selectOption('distances');
    const legend = compare.getByRole('figure', { name: 'Distance in m' });
    // Trees stand elsewhere with another seed.
    await eventually(() => legend.innerText()).toMatch(/^Distance in m\s+0\s+≥ \d\.\d+$/);
    for (const view of views) {
      await eventually(() => view.getByTestId('compared-status').innerText()).toMatch(
        /of \d.* returns/,
      );
    }
    await page.waitForTimeout(1500);
    await screenshot(page, 'compare-distances-dark');
    expect(await seriousFaults(page)).toEqual([]);
    expect(await faultsInSight(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.waitForTimeout(1000);
    expect(await faultsInSight(page)).toEqual([]);
    await screenshot(page, 'compare-distances-small');
    await page.setViewportSize({ width: 1440, height: 860 });
    await page.waitForTimeout(1000);
    const distances = await pictureOf(views[1]!);
    await compare.getByLabel('Colour by').selectOption('height');
    await page.waitForTimeout(1500);
    expect((await pictureOf(views[1]!)).equals(distances)).toBe(false);
    await compare.getByLabel('Colour by').selectOption('distance');
    await compare.getByTestId('returns-shown').selectOption('time');
    await eventually(() => compare.getByLabel('Colour by').inputValue()).toBe('height');
    await eventually(() => views[0]!.getByTestId('compared-status').innerText()).toMatch(
      /^[^·]+ · .* returns$/,
    );
  });

  it.each([3, 4])('looks at %i runs through one camera and with one scale', async (runs) => {
    for (let seed = 1; seed <= runs; seed += 1) {
      await driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seed, seconds: 0.8 });
    }
    const page = await app.open('dark', { at: 'runs' });
    const rows = page.getByTestId('row-finished');
    await eventually(() => rows.count()).toBe(runs);
    for (let row = 0; row < runs; row += 1) await rows.nth(row).click({ modifiers: ['Control'] });
    await page.getByTestId('compare-runs').click();
    const compare = page.getByTestId('compare');
    await eventually(() => timeShown(compare)).toBe(0.8);
    const pictures = Array.from({ length: runs }, (_, index) =>
      compare.getByTestId(`compared-${index + 1}`),
    );
    for (const figure of pictures) await figure.getByText('returns').waitFor();
    expect(await compare.getByTestId(`compared-${runs + 1}`).count()).toBe(0);

    await compare.getByLabel('Colour by').selectOption('range');
    const legend = compare.getByRole('figure', { name: 'Range in m' });
    const ranges = await settledText(page, legend);
    await page.waitForTimeout(500);
    const before = await Promise.all(pictures.map(pictureOf));
    await drag(page, pictures[runs - 1]!);
    const after = await Promise.all(pictures.map(pictureOf));
    for (const [index, picture] of after.entries()) {
      expect(picture.equals(before[index]!), `picture ${index + 1}`).toBe(false);
    }
    await screenshot(page, `compare-${runs}-dark`);
    for (const atS of ['0.2', '0.5']) {
      await compare.getByTestId('timeline').fill(atS);
      await eventually(() => timeShown(compare)).toBe(Number(atS));
      expect(await settledText(page, legend)).toBe(ranges);
    }
    expect(await seriousFaults(page)).toEqual([]);
  });
});

/** A text that has stopped changing. */
async function settledText(page: Page, locator: Locator): Promise<string> {
  let last = '';
  await eventually(async () => {
    const before = last;
    await page.waitForTimeout(400);
    last = await locator.innerText();
    return last === before;
  }).toBe(true);
  return last;
}

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
