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
    const highest = rows.first();
    expect(await highest.innerText()).toMatch(/oak-/);
    await highest.click();
    const card = page.getByTestId('object-card');
    await card.getByRole('heading', { name: /^oak-/ }).waitFor();
    await screenshot(page, 'scene-plants-light');
    await page.getByTestId('sort-plant-leafAreaM2').click();
    expect(await faultsOf(page, ['plants'])).toEqual([]);
    await screenshot(page, 'scene-plants-leaf-area-light');
  });
});
