// Drives that are compared show the same simulated time, and their recordings are not affected by it.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { fillDrive, simSeconds, startDrive } from './drives.ts';

describeApp('compared drives', (app) => {
  const both = (page: Page): Promise<number[]> =>
    Promise.all([simSeconds(page, 1), simSeconds(page, 2)]);

  async function recordings(page: Page): Promise<Buffer[]> {
    const links = page.locator('article[data-test^=drive-] .caption a');
    const ids = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    return Promise.all(
      ids.map(async (href) => {
        const request = { runId: href.split('/').at(-1) ?? '' };
        const signal = new AbortController().signal;
        const context = { signal, progress: () => undefined, chunk: () => Promise.resolve() };
        const { reply } = await app.host.understory.handlers['runs.show'](request, context);
        return readFile(reply.recordingFile);
      }),
    );
  }

  it('go in step, stand at the same time, and record what they would alone', async () => {
    const page = await app.open('dark');
    // Slower than the page, which is to pause them before they end.
    const drives = { scenario: 'clearing', sensor: 'lms-291', seconds: '2.5', speed: '0.5' };
    await fillDrive(page, drives);
    await page.getByTestId('add-sensor').click();
    await page.getByTestId('sensor-2').selectOption('hdl-64e');
    await page.getByTestId('start').click();
    await eventually(async () => Math.min(...(await both(page)))).toBeGreaterThan(0.3);
    expect(await page.getByTestId('in-step').isChecked()).toBe(true);
    await page.getByTestId('pause').click();
    for (const drive of [1, 2]) {
      await page.getByTestId(`drive-${drive}`).getByText('paused').waitFor();
    }
    const [first, second] = await both(page);
    expect(first).toBe(second);
    await screenshot(page, 'in-step-dark');
    await page.getByTestId('theme').click();
    await page.waitForTimeout(300);
    await screenshot(page, 'in-step-light');
    await page.getByTestId('pause').click();
    await eventually(() => page.getByTestId('run-finished').count()).toBe(2);
    const together = await recordings(page);

    // Alone, the one as fast as it can.
    await page.getByLabel('Remove sensor 1').click();
    for (const [index, sensor] of ['lms-291', 'hdl-64e'].entries()) {
      await startDrive(page, { sensor, speed: '' });
      await eventually(() => page.getByTestId('run-finished').count()).toBe(3 + index);
      await page.getByTestId('summary-toggle').waitFor();
      const [alone] = await recordings(page);
      expect(together[index]?.equals(alone ?? Buffer.alloc(0)), sensor).toBe(true);
    }
  });
});
