// The image of a camera on board of a run's vehicle beside its view: rendered by the host for the time that is shown.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { simSeconds, startDrive } from './drives.ts';
import { driveRun } from './realRuns.ts';

/** Mean brightness of the upper and the lower quarter of the image, and how many colours it has. */
async function lookOf(page: Page): Promise<{ sky: number; ground: number; colours: number }> {
  return page.locator('.camera-image canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    const colours = new Set<number>();
    const sums = [0, 0, 0, 0];
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const [red = 0, green = 0, blue = 0] = data.slice(4 * pixel, 4 * pixel + 3);
      colours.add(65_536 * red + 256 * green + blue);
      const quarter = Math.floor((4 * pixel) / (width * height));
      sums[quarter] = (sums[quarter] ?? 0) + (red + green + blue) / 3;
    }
    const [sky = 0, , , ground = 0] = sums.map((sum) => (4 * sum) / (width * height));
    return { sky, ground, colours: colours.size };
  });
}

describeApp('the camera of a run', (app) => {
  it('shows what is seen from on board at the time that rests', async () => {
    const runId = await driveRun(app.host, { scenario: 'courtyard', seconds: 4 });
    const page = await app.open('light', { at: `runs/${runId}` });
    const note = page.getByTestId('camera-note');
    await page.getByTestId('camera-image').waitFor();
    await page.keyboard.press('i');
    await eventually(() => note.innerText()).toBe('4.00 s');
    const atEnd = await lookOf(page);
    expect(atEnd.colours).toBeGreaterThan(1000);
    expect(atEnd.sky).toBeGreaterThan(atEnd.ground);
    await page.waitForTimeout(1000);
    await screenshot(page, 'run-camera-light');
    expect(await faultsOf(page, ['run'])).toEqual([]);

    // It follows the time, once that rests.
    await page.keyboard.press('Home');
    await eventually(() => note.innerText()).toBe('0.10 s');
    expect(await lookOf(page)).not.toEqual(atEnd);
    await page.keyboard.press('Space');
    await eventually(() => note.innerText()).toBe('once it is paused');
    await page.keyboard.press('Space');
    await eventually(() => note.innerText()).toMatch(/^\d\.\d0 s$/);
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.waitForTimeout(700);
    expect(await faultsInSight(page)).toEqual([]);
    await screenshot(page, 'run-camera-small');
    await page.getByTestId('camera-image').click();
    await note.waitFor({ state: 'detached' });
  });

  it('shows what is seen from a drive under way while that is paused, and after its end', async () => {
    const page = await app.open('dark');
    await startDrive(page, { scenario: 'courtyard', sensor: 'vlp-16', speed: '0.5' });
    await eventually(() => simSeconds(page)).toBeGreaterThan(0.5);
    await page.getByTestId('camera-image').click();
    const note = page.getByTestId('camera-note');
    await eventually(() => note.innerText()).toBe('once it is paused');
    await page.getByTestId('pause').click();
    await eventually(() => note.innerText()).toMatch(/^\d+\.\d0 s$/);
    const paused = await lookOf(page);
    expect(paused.colours).toBeGreaterThan(1000);
    expect(paused.sky).toBeGreaterThan(paused.ground);
    await page.waitForTimeout(1000);
    expect(await faultsOf(page, ['live-drive'])).toEqual([]);
    expect(await faultsInSight(page)).toEqual([]);
    await screenshot(page, 'drive-camera-dark');

    await page.getByTestId('pause').click();
    await eventually(() => note.innerText()).toBe('once it is paused');
    await page.getByTestId('stop').click();
    await eventually(() => lookOf(page)).not.toEqual(paused);
    await page.locator('body').press('i');
    await note.waitFor({ state: 'detached' });
  });
});
