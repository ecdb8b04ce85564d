// Clouds that are larger than the page: a saved scan and all returns of a run, each drawn by its octree within the budget
// of points, with what is left out.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { drawnNow, recordDrawnParts } from './drawnParts.ts';
import { driveRun } from './realRuns.ts';

describeApp('clouds that are larger than the page', (app) => {
  const textOf = (page: Page, id: string) => (): Promise<string> =>
    page.getByTestId(id).innerText();

  /** Waits until all that the camera needs of a cloud is drawn. Returns how many points of it that is, in thousands. */
  async function settledThousands(page: Page, id: string): Promise<number> {
    let before = '';
    await eventually(async () => {
      const now = await textOf(page, id)();
      const isSame = now === before && !/reading|sorting|sample/.test(now);
      before = now;
      return isSame;
    }).toBe(true);
    const [, count = '', unit] = /([\d.]+) ([kM]) of/.exec(before) ?? [];
    return Number(count) * (unit === 'M' ? 1000 : 1);
  }

  it('shows a saved scan by its octree, and by a sample where that has not its colours', async () => {
    const page = await app.open('light', { at: 'scene', before: recordDrawnParts });
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-hdl-64e-s2').click();
    await page.getByTestId('open-clearing').click();
    await page.getByRole('tab', { name: 'Scans' }).click();
    await eventually(() => page.getByTestId('pose-xM').inputValue()).toBe('-9');
    await page.getByTestId('scan-seconds').fill('3');
    await page.getByTestId('scan-once').click();
    const part = textOf(page, 'scan-part');
    await page.getByTestId('scan-part').waitFor();
    await eventually(part).toMatch(/^977 k of 3\.91 M returns · a sample/);
    expect(await settledThousands(page, 'scan-part')).toBeLessThanOrEqual(430);
    // Nodes, no longer a sample in one draw.
    await eventually(async () => (await drawnNow(page)).points.length).toBeGreaterThan(10);
    console.log(await part());
    await screenshot(page, 'scan-octree-light');
    expect(await faultsOf(page, ['scans'])).toEqual([]);

    await page.getByTestId('max-points').selectOption('1000000');
    await eventually(() => settledThousands(page, 'scan-part')).toBeGreaterThan(430);
    for (const by of ['height', 'class', 'ring']) {
      await page.getByTestId('scan-colour').selectOption(by);
      await page.waitForTimeout(1500);
      console.log(by, await part());
      await screenshot(page, `scan-octree-${by}-light`);
    }
    await eventually(part).toMatch(
      /^977 k of 3\.91 M returns · a sample: all returns are coloured/,
    );
    await page.getByTestId('scan-colour').selectOption('height');
    expect(await settledThousands(page, 'scan-part')).toBeLessThanOrEqual(1000);
  });

  it('shows all returns of a run, of all sensors or of one, in place of those at a time', async () => {
    const runId = await driveRun(app.host, {
      scenario: 'clearing',
      sensor: 'hdl-64e-s2',
      seconds: 8,
    });
    const page = await app.open('light', { at: `runs/${runId}`, before: recordDrawnParts });
    const note = textOf(page, 'view-note');
    await page.getByTestId('returns-shown').waitFor();
    await page.waitForTimeout(3000);
    await screenshot(page, 'run-at-time-light');
    await page.getByTestId('returns-shown').selectOption('All returns');
    await page.waitForTimeout(500);
    console.log(await note());
    await eventually(note).toMatch(/ of \d+\.\d+ M returns/);
    expect(await settledThousands(page, 'view-note')).toBeLessThanOrEqual(430);
    console.log(await note());
    await screenshot(page, 'run-all-light');
    await page.getByTestId('colour-by').selectOption('class');
    await page.waitForTimeout(2000);
    await screenshot(page, 'run-all-class-light');
    await page.getByTestId('colour-by').selectOption('ring');
    await eventually(note).toContain('by height: other colours are of some returns');
    expect(await faultsOf(page, ['run'])).toEqual([]);
    await page.getByTestId('returns-shown').selectOption('Returns at this time');
    await eventually(note).not.toContain('returns');
  });
});
