// Driving with the real host behind the page: catalogue, run process and native worker. Drives in the clearing
// are started, compared, paused, stepped, slowed, driven by hand and shown again after a reload.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { fillDrive, latestRun, metric, simSeconds, steady, startDrive } from './drives.ts';
import { expectRoom } from './viewRoom.ts';

describeApp('a live drive in the browser', (app) => {
  async function status(page: Page, drive = 1): Promise<string> {
    return page.getByTestId(`drive-${drive}`).getByTestId('drive-status').innerText();
  }

  it('starts, moves, stops and is kept', async () => {
    const page = await app.open('dark');
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', speed: '0.5' });

    const distance = (): Promise<number> => metric(page, 'Distance to goal');
    await eventually(distance).toBeGreaterThan(1);
    const startM = await distance();
    await eventually(distance).toBeLessThan(startM - 2);
    expect(await metric(page, 'Points')).toBeGreaterThan(0);
    expect(await simSeconds(page)).toBeGreaterThan(0);
    await page.getByTestId('run-running').waitFor({ state: 'attached' });
    await screenshot(page, 'clearing-dark');
    await page.getByTestId('theme').click();
    await page.getByText('Theme: light').waitFor();
    await screenshot(page, 'clearing-light');

    await page.getByTestId('stop').click();
    await page.getByTestId('run-cancelled').waitFor({ state: 'attached' });
    await eventually(() => status(page)).toBe('Stopped by user');
    await screenshot(page, 'clearing-stopped');

    await page.reload();
    await (await latestRun(page, 'cancelled')).click();
    // The view keeps its room until the summary is asked for.
    await page.getByTestId('summary-toggle').waitFor();
    const summary = page.getByTestId('summary');
    expect(await summary.count()).toBe(0);
    await expectRoom(page.getByTestId('canvas'), 0.5);
    await page.getByTestId('summary-toggle').click();
    await summary.getByText('Recording', { exact: true }).waitFor();
    expect(await summary.innerText()).toContain(app.host.dataFolder);
  });

  it('keeps half of a small window and nine tenths of it free', async () => {
    const page = await app.open('dark');
    await page.setViewportSize({ width: 1440, height: 900 });
    const form = page.getByTestId('scenario');
    await fillDrive(page, { scenario: 'clearing', sensor: 'vlp-16', speed: '0.5' });
    await page.getByTestId('start').click();
    await eventually(() => simSeconds(page)).toBeGreaterThan(0);
    // Why paused: on a busy machine the drive would end before all is measured.
    await page.getByTestId('pause').click();
    await eventually(() => status(page)).toContain('paused');
    const canvas = page.getByTestId('canvas');
    await eventually(() => form.isVisible()).toBe(false);
    await page.getByTestId('legend').getByText('Height in m').waitFor();
    await expectRoom(canvas, 0.7);
    await screenshot(page, 'room-dark');
    await page.setViewportSize({ width: 1024, height: 700 });
    await expectRoom(canvas, 0.6);
    await page.locator('body').press('b');
    await page.getByTestId('clip-line').waitFor();
    await expectRoom(canvas, 0.55);
    // 1440 × 900 at 150 %.
    await page.setViewportSize({ width: 960, height: 600 });
    await expectRoom(canvas);
    await screenshot(page, 'room-150-dark');
    await page.getByTestId('stop').click();
    await eventually(() => form.isVisible()).toBe(true);
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.locator('body').press('b');
    await expectRoom(canvas);
  });

  it('compares two sensors: paused, stepped and slowed together, with their maps at 10 s', async () => {
    const page = await app.open('dark');
    await fillDrive(page, { scenario: 'clearing', sensor: 'lms-291', speed: '1' });
    await page.getByTestId('add-sensor').click();
    await page.getByTestId('sensor-2').selectOption('vlp-16');
    await page.getByTestId('start').click();
    const simS = (drive: number): Promise<number> => simSeconds(page, drive);
    for (const drive of [1, 2]) {
      await eventually(() => simS(drive)).toBeGreaterThan(0.5);
    }
    await page.getByTestId('pause').click();
    for (const drive of [1, 2]) {
      await eventually(() => status(page, drive)).toContain('paused');
    }
    const pausedS = [await steady(page, () => simS(1)), await steady(page, () => simS(2))];
    await page.locator('body').press('.');
    await eventually(() => simS(1)).toBeCloseTo((pausedS[0] ?? 0) + 0.1, 5);
    await eventually(() => simS(2)).toBeCloseTo((pausedS[1] ?? 0) + 0.1, 5);
    await page.getByLabel('Colour by').selectOption('error');
    await page.getByText('Range error in cm').waitFor();
    await screenshot(page, 'compared-paused-dark');
    const views = page.locator('[data-test=canvas]:visible');
    for (const [width, height] of [
      [1024, 700],
      [960, 600],
      [1440, 860],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expectRoom(views);
    }

    await page.getByTestId('speed').selectOption('0.5');
    await page.getByTestId('pause').click();
    // The slower of the two: on a busy machine the faster waits for it, which does not count as its time.
    const factors = (): Promise<number[]> =>
      Promise.all([1, 2].map((drive) => metric(page, 'Real-time factor', drive)));
    await eventually(async () => Math.min(...(await factors()))).toBeLessThan(0.7);
    await page.getByTestId('speed').selectOption('');
    await page.getByLabel('Colour by').selectOption('range');
    await page.locator('.dv-tab', { hasText: 'Cost maps at 10 s' }).click();
    const sheet = page.getByTestId('cost-sheet');
    await sheet.waitFor();
    await eventually(() => sheet.getAttribute('aria-label')).toMatch(/lms-291.*vlp-16/);
    await screenshot(page, 'cost-maps-dark');
    const download = page.waitForEvent('download');
    await page.getByTestId('save-png').click();
    const file = await readFile(await (await download).path());
    expect(file.subarray(1, 4).toString()).toBe('PNG');
    // Two maps of 480 pixels and three margins side by side.
    expect(file.readUInt32BE(16)).toBe(2 * 480 + 3 * 24);

    await page.locator('.dv-tab', { hasText: 'Live drive' }).click();
    await page.getByTestId('theme').click();
    await page.waitForTimeout(500);
    await screenshot(page, 'compared-light');
    for (const drive of [1, 2]) {
      await eventually(() => status(page, drive)).toBe('Reached the goal');
    }
    await screenshot(page, 'compared-ended-light');
  });

  it('is driven by hand, and shown again after a reload', async () => {
    const page = await app.open('light');
    await fillDrive(page, { scenario: 'clearing', sensor: 'lms-291' });
    await page.getByRole('button', { name: 'Manual' }).click();
    await page.getByTestId('start').click();
    await eventually(() => status(page)).toBe('manual control');
    expect(await metric(page, 'Speed')).toBe(0);
    await page.locator('body').click({ position: { x: 700, y: 300 } });
    await page.keyboard.down('w');
    await eventually(() => metric(page, 'Speed')).toBeGreaterThan(1);
    await page.keyboard.down('a');
    await page.waitForTimeout(800);
    await screenshot(page, 'by-hand-light');
    await page.keyboard.up('a');
    await page.keyboard.up('w');
    await eventually(() => metric(page, 'Speed')).toBe(0);

    const beforeS = await simSeconds(page);
    await page.reload();
    await eventually(() => status(page)).toBe('manual control');
    await eventually(() => simSeconds(page)).toBeGreaterThan(beforeS);
    await page.getByTestId('pause').click();
    await eventually(() => status(page)).toContain('paused');
    await page.reload();
    await eventually(() => status(page)).toContain('paused');
    await page.getByTestId('stop').click();
    await page.getByTestId('run-cancelled').waitFor({ state: 'attached' });
  });

  it('takes a goal that is clicked in the picture, and refuses one in a wall', async () => {
    const page = await app.open('dark');
    await fillDrive(page, { scenario: 'clearing' });
    await page.getByTestId('goal-x').and(page.getByPlaceholder('7')).waitFor();
    await page.getByTestId('goal-pick').click();
    await page.getByTestId('mission-canvas').waitFor();
    await page.waitForTimeout(500);
    await screenshot(page, 'pick-goal-dark');
    await page.getByTestId('mission-canvas').click();
    await eventually(() => page.getByTestId('goal-x').inputValue()).not.toBe('');
    await page.getByTestId('goal-x').fill('900');
    await page.getByTestId('start').click();
    await page.getByText('expected a place on').waitFor();
  });

  it("shows the paper's four side by side, and axe finds no fault with the panels", async () => {
    const page = await app.open('dark');
    await fillDrive(page, { scenario: 'clearing', seconds: '0.6' });
    await page.getByTestId('paper-sensors').click();
    await page.getByTestId('start').click();
    for (const drive of [1, 2, 3, 4]) {
      await eventually(() => status(page, drive)).toContain('Ended after');
    }
    await page.waitForTimeout(1000);
    await screenshot(page, 'four-dark');
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect(await faultsOf(page, ['start-drive', 'live-drive']), theme).toEqual([]);
    }
    await page.locator('.dv-tab', { hasText: 'Cost maps at 10 s' }).click();
    await page.getByText('No cost map yet').waitFor();
    expect(await faultsOf(page, ['cost-maps'])).toEqual([]);
  });
});
