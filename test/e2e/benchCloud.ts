// Part of `npm run bench:page`: a log that is larger than a view, on the Learn page. How long its octree takes and what
// that needs, the time to the first picture from the cache, and the script of frames while the camera moves, by the points
// that are drawn.
import { symlink, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { pointBudgets } from '#renderer/logic/cloud/pointShares.ts';
import { writeLargeLog } from '#test/recordings/octree/writeLargeLog.ts';
import { openPage, type RealHost } from './browser.ts';
import { measureScript, withoutDrawing } from './pageScript.ts';
import { callHost } from './realRuns.ts';

export interface CloudBench {
  /** Returns of a log that is made up. */
  returns: number;
  /** Instead of it. */
  log?: string | undefined;
}

const moves = 60;

/** Prints a line for each measurement. */
export async function measureCloud(
  host: RealHost,
  browser: Browser,
  { returns, log }: CloudBench,
): Promise<void> {
  const folder = join(host.dataFolder, 'logs');
  const file = join(folder, 'cloud.log');
  await mkdir(folder, { recursive: true });
  if (log === undefined) await writeLargeLog(file, returns);
  else await symlink(log, file);
  const usage = process.cpuUsage();
  const startMs = performance.now();
  const startBytes = process.memoryUsage().rss;
  let peakBytes = startBytes;
  const timer = setInterval(
    () => (peakBytes = Math.max(peakBytes, process.memoryUsage().rss)),
    100,
  );
  const { octree } = await callHost(host, 'cloud.open', { source: { log: file } });
  clearInterval(timer);
  const wallS = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(usage);
  const cpuS = (user + system) / 1e6;
  const grownMB = (peakBytes - startBytes) / 1e6;
  console.log(
    `octree of ${octree?.points} points: ${wallS.toFixed(1)} s, ${cpuS.toFixed(1)} s of computing time, ${grownMB.toFixed(0)} MB more memory of the host`,
  );
  for (const budget of pointBudgets.filter((points) => points >= 1e6)) {
    const { page } = await openPage(browser, 'dark');
    await withoutDrawing(page);
    await page.addInitScript(
      (points) => localStorage.setItem('understory.points', String(points)),
      budget,
    );
    const openedMs = performance.now();
    await page.goto(new URL('#/learn', host.web.address).href);
    await page.waitForFunction(() => window.uploads.draws > 3);
    const firstMs = performance.now() - openedMs;
    const canvas = page.getByTestId('learn-canvas');
    await canvas.focus();
    // Into the cloud, where more points are needed than fit.
    for (let step = 0; step < 14; step += 1) await press(page, '+');
    const loadedMs = performance.now();
    await untilLoaded(page);
    const readS = (performance.now() - loadedMs) / 1000;
    const shown = (await page.getByTestId('log-text').innerText()).trim();
    const note = (await page.getByTestId('log-note').allInnerTexts()).join('');
    const times = await measureScript(browser, page, async () => {
      for (let move = 0; move < moves; move += 1) await press(page, 'ArrowLeft');
    });
    console.log(
      `up to ${budget}: ${shown} (${note}); page opened to first nodes ${(firstMs / 1000).toFixed(2)} s, ` +
        `all nodes ${readS.toFixed(2)} s after zooming; script of a frame that moves ${times.medianMs.toFixed(2)} ms ` +
        `(95 %: ${times.p95Ms.toFixed(2)} ms, longest task ${times.longestTaskMs.toFixed(1)} ms, ${times.frames} frames)`,
    );
    await page.context().close();
  }
}

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForTimeout(50);
}

/** Until the text of the drawn points stays for a second and nothing is read. */
async function untilLoaded(page: Page): Promise<void> {
  let before = '';
  for (;;) {
    await page.waitForTimeout(1000);
    const text = await page.getByTestId('log-text').innerText();
    const note = (await page.getByTestId('log-note').allInnerTexts()).join('');
    if (text === before && !note.includes('reading')) return;
    before = text;
  }
}
