// A newcomer's path with the real worker and a real catalogue: look at a sample, scan it once, drive for ten
// seconds, find the run, scrub through it, take its points out, and open the file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  screenshot,
  type RealHost,
} from './browser.ts';
import { callHost } from './realRuns.ts';

const patience = { timeout: 90_000 };

describe.skipIf(!hasBrowser)('a newcomer', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
    host = await openRealHost(built.folder);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await host.close();
    await built.remove();
  }, 60_000);

  it('opens a sample, scans, drives, finds the run, scrubs and exports it', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    await page.getByText('No runs yet').waitFor(patience);
    await screenshot(page, 'newcomer-1-first-open');

    await page.locator('[data-test=nav-scene]').click();
    await page.locator('[data-test=open-clearing]').click(patience);
    await page.getByRole('tab', { name: 'Scans' }).click();
    await expect.poll(() => page.locator('[data-test=pose-xM]').inputValue(), patience).toBe('-9');
    await page.locator('[data-test=scan-once]').click();
    await expect.poll(() => page.locator('[data-test=scans] li').count(), patience).toBe(1);
    await page.waitForTimeout(500);
    await screenshot(page, 'newcomer-2-scanned');

    await page.locator('[data-test=nav-drive]').click();
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption('vlp-16');
    await page.locator('[data-test=seconds]').fill('10');
    await page.locator('[data-test=start]').click();
    await page.locator('[data-test=moves], [data-test=figures]').first().waitFor(patience);
    await page.waitForTimeout(3000);
    await screenshot(page, 'newcomer-3-driving');
    await page.locator('[data-test=run-finished]').waitFor(patience);

    await page.locator('[data-test=nav-runs]').click();
    await page.locator('[data-test=search]').fill('clear');
    await expect.poll(() => page.locator('[data-test=count]').innerText()).toBe('1 run');
    await page.locator('[data-test=row-finished]').dblclick();
    const run = page.locator('[data-test=run-page]');
    await expect.poll(() => timeShown(page), patience).toBe(10);
    await run.locator('[data-test=timeline]').fill('4.2');
    await expect.poll(() => timeShown(page)).toBe(4.2);
    await run.locator('[data-test=moment]').getByText('returns').waitFor(patience);
    await run.locator('[data-test=scenario-of-run] summary').click();
    await run.getByText('understory: 1').waitFor(patience);
    await screenshot(page, 'newcomer-4-scrubbed');

    await run.locator('[data-test=export]').click();
    const file = join(host.dataFolder, 'newcomer.pcd');
    await page.locator('[data-test=export-file]').fill(file);
    await page.locator('[data-test=export-start]').click();
    await page.locator('[data-test=exported]').getByText(file).waitFor(patience);
    await screenshot(page, 'newcomer-5-exported');
    const points = await pointsOfPcd(file);
    const { runs } = await callHost(host, 'runs.list', {});
    expect(points).toBe(runs[0]?.figures?.points);
    expect(points).toBeGreaterThan(100_000);
    expect(complaints).toEqual([]);
  }, 240_000);

  async function timeShown(page: Page): Promise<number> {
    return Number.parseFloat(
      await page.locator('[data-test=run-page] [data-test=time]').innerText(),
    );
  }
});

/** Reads a binary PCD as PCL would: its head, and that its rows are as many and as long as that says. */
async function pointsOfPcd(file: string): Promise<number> {
  const bytes = await readFile(file);
  const headEnd = bytes.indexOf('DATA binary\n') + 'DATA binary\n'.length;
  const head = new Map(
    bytes
      .subarray(0, headEnd)
      .toString('latin1')
      .split('\n')
      .map((line) => [line.split(' ')[0] ?? '', line.split(' ').slice(1)]),
  );
  const numbers = (name: string): number[] => (head.get(name) ?? []).map(Number);
  expect(head.get('FIELDS')?.slice(0, 3)).toEqual(['x', 'y', 'z']);
  const counts = numbers('COUNT');
  const rowBytes = numbers('SIZE').reduce(
    (sum, size, field) => sum + size * (counts[field] ?? 1),
    0,
  );
  const points = numbers('POINTS')[0] ?? 0;
  expect(bytes.length - headEnd).toBe(points * rowBytes);
  return points;
}
