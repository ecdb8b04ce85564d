// The table of plants of an open scene: sizes as the truth has them, sorted, and selected in the view.
import { expect, it } from 'vitest';
import { describeApp } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { openScene } from './scenes.ts';

describeApp('the plants of a scene', (app) => {
  it('are listed with their sizes, sorted, and selected in the view', async () => {
    const page = await openScene(app, 'clearing', 'light');
    await page.getByRole('tab', { name: 'Plants' }).click();
    const rows = page.locator('[data-test^="plant-"][role=row]');
    await rows.first().waitFor();
    await page.getByTestId('sort-plant-heightM').click();
    const cells = async (column: number): Promise<string[]> =>
      (await rows.allInnerTexts()).map((text) => text.split('\n')[column] ?? '');
    const heightsM = (await cells(3)).map(Number);
    expect(heightsM.length).toBeGreaterThan(2);
    expect(heightsM).toEqual([...heightsM].sort((a, b) => b - a));
    const [highest = ''] = await cells(0);
    await rows.first().click();
    const line = page.getByTestId('object-line');
    await line.getByRole('heading', { name: highest, exact: true }).waitFor();
    expect(await rows.first().getAttribute('aria-selected')).toBe('true');
    await screenshot(page, 'scene-plants-light');
    await page.getByTestId('sort-plant-leafAreaM2').click();
    expect(await faultsOf(page, ['plants'])).toEqual([]);
    await screenshot(page, 'scene-plants-leaf-area-light');
  });
});
