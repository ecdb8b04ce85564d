// A million points on screen during a run: how much script a frame costs, and that only what is new is
// uploaded. Prints the metrics that PERFORMANCE.md has. Views come from a made-up drive, as fast as the page
// takes them: a real one sends ten a second.
import { expect, it } from 'vitest';
import { describeAppWith, eventually } from '../app.ts';
import { madeUpHost } from '../madeUpHost.ts';
import { measureScript, withoutDrawing } from '../pageScript.ts';

const pointsOfView = 70_000;
const fastHost = madeUpHost({ tickMs: 20, points: pointsOfView, isEndless: true });
const budgetPoints = 1_000_000;
/** Size of a point on the graphics card. */
const bytesPerPoint = 32;

describeAppWith(fastHost, 'the script of the page at a million points', (app) => {
  it('takes at most 4 ms a frame in the median, and uploads what is new', async () => {
    const page = await app.open('dark', {
      async before(opened) {
        await withoutDrawing(opened);
        await opened.addInitScript(
          (most) => localStorage.setItem('understory.points', most),
          String(budgetPoints),
        );
      },
    });
    await page.getByTestId('start').click();
    const bytesUploaded = (): Promise<number> => page.evaluate(() => window.uploads.bytes);
    // Two buffers of a million points are made at the start; from then on every point is uploaded once.
    await eventually(bytesUploaded).toBeGreaterThan(2 * budgetPoints * bytesPerPoint);
    const views = async (): Promise<number> => page.evaluate(() => window.uploads.draws);
    expect(await views()).toBeGreaterThan(0);
    const before = await page.evaluate(() => ({ ...window.uploads, atMs: performance.now() }));
    const times = await measureScript(app.browser, page, () => page.waitForTimeout(8000));
    const after = await page.evaluate(() => ({ ...window.uploads, atMs: performance.now() }));
    const perFrame = (after.bytes - before.bytes) / Math.max(times.frames, 1);
    console.log(
      `script at ${budgetPoints} points: median ${times.medianMs.toFixed(2)} ms a frame, ` +
        `95 % ${times.p95Ms.toFixed(2)} ms, most ${times.maxMs.toFixed(2)} ms; ` +
        `longest task ${times.longestTaskMs.toFixed(2)} ms; ` +
        `${(perFrame / 1e6).toFixed(2)} MB uploaded a frame, ${times.frames} frames`,
    );
    expect(times.frames).toBeGreaterThan(20);
    expect(after.bytes - before.bytes).toBeGreaterThan(pointsOfView * bytesPerPoint);
    expect(perFrame).toBeLessThan(0.15 * budgetPoints * bytesPerPoint);
    expect(times.medianMs).toBeLessThan(4);
    expect(times.longestTaskMs).toBeLessThan(50);
  });
});
