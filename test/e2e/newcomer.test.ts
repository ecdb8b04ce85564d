// A newcomer's path with the real worker and a real catalogue: look at a sample, scan it once, drive for ten
// seconds, find the run, scrub through it, take its points out, and open the file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { startDrive, timeShown } from './drives.ts';
import { callHost } from './realRuns.ts';

describeApp('a newcomer', (app) => {
  it('opens a sample, scans, drives, finds the run, scrubs and exports it', async () => {
    const page = await app.open('dark');
    await page.getByText('No drive selected').waitFor();
    await screenshot(page, 'newcomer-1-first-open');

    await page.getByTestId('nav-scene').click();
    await page.getByTestId('open-clearing').click();
    await page.getByRole('tab', { name: 'Scans' }).click();
    await eventually(() => page.getByTestId('pose-xM').inputValue()).toBe('-9');
    await page.getByTestId('scan-once').click();
    await eventually(() => page.locator('[data-test=scans] li').count()).toBe(1);
    await page.waitForTimeout(500);
    await screenshot(page, 'newcomer-2-scanned');

    await page.getByTestId('nav-drive').click();
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', seconds: '10' });
    await page.getByTestId('drive-1').getByTestId('drive-status').waitFor();
    await page.waitForTimeout(3000);
    await screenshot(page, 'newcomer-3-driving');
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });

    await page.getByTestId('nav-runs').click();
    await page.getByTestId('search').fill('clear');
    await eventually(() => page.getByTestId('count').innerText()).toBe('1 run');
    await page.getByTestId('row-finished').dblclick();
    const run = page.getByTestId('run-page');
    await eventually(() => timeShown(run)).toBe(10);
    await run.getByTestId('timeline').fill('4.2');
    await eventually(() => timeShown(run)).toBe(4.2);
    await run.getByTestId('moment').getByText('returns').waitFor();
    await run.locator('[data-test=scenario-of-run] summary').click();
    await run.getByText('understory: 2').waitFor();
    await screenshot(page, 'newcomer-4-scrubbed');

    await run.getByTestId('export').click();
    const file = join(temporaryFolder(), 'newcomer.pcd');
    await page.getByTestId('export-file').fill(file);
    await page.getByTestId('export-start').click();
    await page.getByTestId('exported').getByText(file).waitFor();
    await screenshot(page, 'newcomer-5-exported');
    const points = await pointsOfPcd(file);
    const { runs } = await callHost(app.host, 'runs.list', {});
    expect(points).toBe(runs[0]?.metrics?.points);
    expect(points).toBeGreaterThan(100_000);
  });
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
