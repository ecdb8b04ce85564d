// Plots of runs: a time axis, zoom and back, any column over any other, several runs over one another.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';
import { timeShown } from './drives.ts';
import { driveRun } from './realRuns.ts';

/** The numbers at the time axis of the first plot. */
async function axisOf(plots: Locator): Promise<number[]> {
  const texts = await plots.getByTestId('time-axis').first().locator('span').allInnerTexts();
  return texts.map(Number);
}

async function middleOf(box: Locator): Promise<{ x: number; y: number; width: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await box.boundingBox()) ?? {};
  return { x: x + width / 2, y: y + height / 2, width };
}

describeApp('plots of runs', (app) => {
  async function openRun(theme: 'dark' | 'light'): Promise<Page> {
    await driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seconds: 4, seed: 1 });
    const page = await app.open(theme, { at: 'runs' });
    await page.getByTestId('row-finished').dblclick();
    await eventually(() => timeShown(page)).toBe(4);
    return page;
  }

  it.each(['dark', 'light'] as const)('zooms time and plots columns, %s', async (theme) => {
    const page = await openRun(theme);
    const plots = page.getByTestId('plots');
    const speed = plots.getByRole('application', { name: 'Speed over time' });
    expect(await axisOf(plots)).toEqual([1, 2, 3, 4]);
    await screenshot(page, `plots-time-${theme}`);

    // The wheel about the pointer; all plots together; double click goes back.
    const { x, y, width } = await middleOf(speed);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -400);
    await eventually(async () => (await axisOf(plots)).every((at) => at > 1 && at < 3)).toBe(true);
    const last = plots.getByTestId('time-axis').last().locator('span').first();
    expect(Number(await last.innerText())).toBeGreaterThan(1);
    // A click goes to the time under it: the middle, 0.1 s to 4 s.
    await page.mouse.click(x, y);
    await eventually(() => timeShown(page)).toBeCloseTo(2.05, 0);
    await plots.getByTestId('plot-reset').click();
    await eventually(() => axisOf(plots)).toEqual([1, 2, 3, 4]);
    // A drag with Shift: the last quarter. By the keyboard back.
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 0.25 * width, y);
    await page.mouse.down();
    await page.mouse.move(x + 0.49 * width, y, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await eventually(async () => Math.min(...(await axisOf(plots)))).toBeGreaterThan(3);
    await focusOn(speed);
    await page.keyboard.press('0');
    await eventually(() => axisOf(plots)).toEqual([1, 2, 3, 4]);
    await page.keyboard.press('+');
    await eventually(async () => (await axisOf(plots)).length).not.toBe(4);
    await page.keyboard.press('0');

    // Any column over any other.
    await plots.getByRole('button', { name: 'Columns' }).click();
    await plots.getByTestId('plot-y').selectOption('speed');
    await plots.getByTestId('plot-x').selectOption('goal-distance');
    const box = plots.getByRole('application', {
      name: /^Speed in m\/s over Distance to goal in m/,
    });
    await box.waitFor();
    await screenshot(page, `plots-columns-${theme}`);
    expect(await seriousFaults(page)).toEqual([]);
    // The dot of the time that is shown is named under the pointer, and is where a click goes.
    const dot = await middleOf(box.locator('circle.now'));
    const shown = await timeShown(page);
    await page.mouse.move(dot.x, dot.y);
    await plots.getByTestId('plot-point').waitFor();
    await page.locator('body').press('Home');
    await eventually(() => timeShown(page)).toBeLessThan(shown);
    await page.mouse.click(dot.x, dot.y);
    await eventually(() => timeShown(page)).toBe(shown);
    await page.mouse.wheel(0, -300);
    await plots.getByTestId('plot-reset').click();
    await plots.getByTestId('plot-reset').waitFor({ state: 'detached' });
  });

  it('lays the columns of several runs over one another', async () => {
    const ids = [];
    for (const seed of [1, 2]) {
      ids.push(
        await driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seconds: 2, seed }),
      );
    }
    const page = await app.open('dark', { at: `runs/${ids.join(',')}` });
    const plots = page.getByTestId('compared-plots');
    await plots.getByRole('button', { name: 'Columns' }).click();
    await plots.getByTestId('plot-y').selectOption('position-error');
    await plots.getByTestId('plot-x').selectOption('path');
    await eventually(() => plots.locator('svg.plot path').count()).toBe(2);
    const paths = await plots
      .locator('svg.plot path')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('stroke'), one.getAttribute('d')]));
    expect(paths.map(([stroke]) => stroke)).toEqual(['var(--run-1)', 'var(--run-2)']);
    expect(paths[0]?.[1]).not.toBe(paths[1]?.[1]);
    await screenshot(page, 'plots-compared-dark');
    expect(await seriousFaults(page)).toEqual([]);
  });
});
