// Panels about drives: paused runs in the list, and its fit.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, openAtEdge } from './app.ts';
import { screenshot } from './browser.ts';
import { drawnNow, recordDrawnParts } from './drawnParts.ts';
import { simSeconds, steady, startDrive, timeShown } from './drives.ts';

describeApp('the panels about drives', (app) => {
  it('list the latest runs within their width, and paused ones as paused', async () => {
    const page = await app.open('light');
    await startDrive(page, { scenario: 'clearing', sensor: 'lms-291', seconds: '1' });
    const finished = page.getByTestId('run-finished');
    await finished.waitFor({ state: 'attached' });
    await startDrive(page, { seconds: '', speed: '1' });
    const running = page.getByTestId('run-running');
    await openAtEdge(page, 'Latest runs');
    await running.getByText('running').waitFor();
    await page.getByTestId('drive-1').getByTestId('metrics').waitFor();
    await page.getByTestId('pause').click();
    await running.getByText('paused').waitFor();
    const list = page.locator('[data-panel=latest-runs]');
    await screenshot(page, 'latest-runs-light');
    await page.getByTestId('theme').click();
    await page.waitForTimeout(300);
    await screenshot(page, 'latest-runs-dark');
    // Neither wider than its panel, nor a row of more than its two lines.
    const overflowPx = await list.evaluate((panel) =>
      Math.max(...[...panel.querySelectorAll('.scroll')].map((e) => e.scrollWidth - e.clientWidth)),
    );
    expect(overflowPx).toBe(0);
    for (const row of [running, finished]) {
      expect((await row.boundingBox())?.height).toBeLessThan(56);
    }

    // Another window watches another run, and shows this one nevertheless.
    await finished.click();
    await running.getByText('paused').waitFor();
    await running.click();
    await page.getByTestId('stop').click();
    await page.getByTestId('run-cancelled').waitFor({ state: 'attached' });
  });

  it('show way, fixes and cloud so far to who comes late, and a time that is scrubbed to as if played', async () => {
    const page = await app.open('dark', { before: recordDrawnParts });
    // Why slowly: on a busy machine it must not arrive between the look at its time and the pause.
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', seconds: '4', speed: '0.25' });
    await eventually(() => simSeconds(page)).toBeGreaterThan(2);
    await page.getByTestId('pause').click();
    await page.getByTestId('drive-status').and(page.getByText('paused')).waitFor();
    const ticks = Math.round(10 * (await steady(page, () => simSeconds(page))));

    const late = await app.open('light', { before: recordDrawnParts });
    await page.reload();
    for (const one of [page, late]) {
      // One fix a tick (the receiver's rate), one segment fewer than ticks, a dense and a thin cloud of all scans.
      await eventually(() => fixesOn(one)).toBe(ticks);
      expect((await drawnNow(one)).instances.at(-1)).toBe(ticks - 1);
      await eventually(async () => (await cloudsOn(one)).trail).toBeGreaterThan(350 * ticks);
      // All but the last scans, which are not on disk yet.
      await eventually(async () => (await cloudsOn(one)).newest).toBeGreaterThan(60_000);
    }
    await screenshot(page, 'reloaded-drive-dark');
    await screenshot(late, 'second-window-light');
    await late.context().close();

    await page.getByTestId('pause').click();
    await page.getByTestId('to-run').click();
    await eventually(() => timeShown(page)).toBe(4);
    await page.getByTestId('timeline').evaluate((line: HTMLInputElement) => {
      line.value = '2';
      line.dispatchEvent(new Event('input'));
    });
    await eventually(() => timeShown(page)).toBe(2);
    await eventually(() => fixesOn(page)).toBe(20);
    await eventually(async () => (await cloudsOn(page)).trail).toBeGreaterThan(7000);
    await eventually(async () => (await cloudsOn(page)).newest).toBeGreaterThan(100_000);
    // Why steady: the trail comes in pieces, and one that is still coming has fewer than what was played.
    await steady(page, async () => (await cloudsOn(page)).trail);
    const scrubbed = await cloudsOn(page);
    await screenshot(page, 'scrubbed-dark');
    // Twenty scans, every 43rd point of some 19,300 each.
    expect(scrubbed.trail).toBeLessThan(1.1 * 20 * 450);

    // Played to that time, slowly: a slow machine misses ticks, and has less.
    await page.locator('.bar').getByTestId('speed').selectOption('0.25');
    await page.getByTestId('timeline').press('Home');
    await eventually(() => timeShown(page)).toBe(0.1);
    await page.getByTestId('play').click();
    await eventually(() => timeShown(page)).toBeGreaterThanOrEqual(2);
    await page.getByTestId('play').click();
    await page.waitForTimeout(300);
    const played = await cloudsOn(page);
    const share = (await timeShown(page)) / 2;
    expect(scrubbed.trail / (played.trail / share)).toBeGreaterThan(0.8);
    expect(scrubbed.newest / played.newest).toBeGreaterThan(0.75);
  });
});

async function fixesOn(page: Page): Promise<number | undefined> {
  const { points } = await drawnNow(page);
  return points.length > 2 ? points[0] : 0;
}

/** Points of the trail and of the newest scans, which are more here; the fixes are drawn before both. */
async function cloudsOn(page: Page): Promise<{ trail: number; newest: number }> {
  const [a = 0, b = 0] = (await drawnNow(page)).points.slice(-2);
  return { trail: Math.min(a, b), newest: Math.max(a, b) };
}
