// A log with more returns than a view draws: a sample while its octree is made, then nodes of it by what the camera
// sees, within the budget of points; picking, clipping and colours work on what is drawn.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeLargeLog } from '#test/recordings/octree/writeLargeLog.ts';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { drawnNow, recordDrawnParts } from './drawnParts.ts';

const returns = 1_500_000;

describeApp('a log that is larger than a view', (app) => {
  const shownText = (page: Page, id: string): Promise<string> => page.getByTestId(id).innerText();
  const drawnPoints = async (page: Page): Promise<number> =>
    (await drawnNow(page)).points.reduce((sum, count) => sum + count, 0);

  /** Waits until all that the camera needs is drawn. Returns how many points that is. */
  async function settledPoints(page: Page): Promise<number> {
    let before = -1;
    let times = 0;
    await eventually(async () => {
      const note = (await page.getByTestId('log-note').allInnerTexts()).join('');
      const now = await drawnPoints(page);
      times = now === before && now > 0 && !/reading|sorting/.test(note) ? times + 1 : 0;
      before = now;
      return times;
    }).toBeGreaterThan(5);
    return before;
  }

  it('is drawn node by node, the more the nearer, and says what it leaves out', async () => {
    await mkdir(join(app.host.dataFolder, 'logs'));
    await writeLargeLog(join(app.host.dataFolder, 'logs/track.log'), returns);
    const page = await app.open('light', { at: 'learn', before: recordDrawnParts });
    await eventually(() => shownText(page, 'log-text')).toMatch(/track · .* of 1.50 M returns/);
    // Several draws of points: nodes, no longer a sample.
    await eventually(async () => (await drawnNow(page)).points.length).toBeGreaterThan(5);
    // By the key, as below: the first camera may be for the sample.
    const canvas = page.getByTestId('learn-canvas');
    await canvas.focus();
    await page.keyboard.press('f');
    const framed = await settledPoints(page);
    expect(framed).toBeLessThanOrEqual(430_000);
    await screenshot(page, 'learn-octree-light');
    // No model: the log has the whole view.
    expect(await page.locator('.key').count()).toBe(1);
    expect(await faultsInSight(page)).toEqual([]);
    expect(await faultsOf(page, ['learn-view'])).toEqual([]);

    for (let step = 0; step < 16; step += 1) await page.keyboard.press('+');
    await eventually(() => drawnPoints(page)).not.toBe(framed);
    const near = await settledPoints(page);
    expect(near).toBeLessThanOrEqual(430_000);
    await screenshot(page, 'learn-octree-near-light');
    await page.keyboard.press('f');
    // The camera flies back, and the nodes that it sees then are still there.
    await eventually(() => drawnPoints(page)).toBe(framed);

    await page.getByTestId('max-points').selectOption('250000');
    await eventually(() => drawnPoints(page)).toBeLessThanOrEqual(250_000);
    await eventually(() => shownText(page, 'log-note')).toMatch(/left out: points nearer than/);
    expect(await settledPoints(page)).toBeLessThanOrEqual(250_000);
    await page.getByTestId('max-points').selectOption('430000');
    await eventually(() => settledPoints(page)).toBe(framed);

    const box = await canvas.boundingBox();
    if (box === null) throw new Error('there is no view');
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    await eventually(
      async () =>
        (await page.getByTestId('place-table').count()) +
        (await page.getByText('No point there.').count()),
    ).toBeGreaterThan(0);

    await page.getByTestId('cloud-by').selectOption('class');
    await page.locator('.key.left').getByText('tree').waitFor();
    // Another number than before: the table of a place makes the view smaller.
    const whole = await settledPoints(page);
    // A section of a twentieth of the track: the nodes beside it are not drawn, and finer ones within it are.
    await page.getByTestId('clip').click();
    await page.getByTestId('clip-section-0').click();
    await eventually(() => drawnPoints(page)).toBeLessThan(whole);
    await screenshot(page, 'learn-octree-clip-light');
  });
});
