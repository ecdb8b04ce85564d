// The references of the document formats in the app's help: from the palette and from the list of shortcuts.
import { expect, it } from 'vitest';
import { describeApp } from './app.ts';
import { screenshot } from './browser.ts';

describeApp('the format references', (app) => {
  it('open from the palette, show fields and an example, and are searched', async () => {
    const page = await app.open();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('scenario reference');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Format reference' });
    await dialog.getByRole('heading', { name: 'Scenario files' }).waitFor();
    await dialog.getByRole('heading', { name: 'scene.models.NAME (kind: sphere)' }).waitFor();
    await dialog.getByRole('heading', { name: 'Example: optics' }).waitFor();
    await screenshot(page, 'format-reference');
    await dialog.getByLabel('Search fields').fill('halfWidthDeg');
    expect(await dialog.getByRole('rowheader').allInnerTexts()).toEqual(['halfWidthDeg']);
    await dialog.getByRole('button', { name: 'sensor', exact: true }).click();
    await dialog.getByRole('heading', { name: 'Sensor files' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('open from the list of shortcuts', async () => {
    const page = await app.open();
    await page.locator('body').press('?');
    await page.getByRole('button', { name: 'Show plant reference' }).click();
    await page.getByRole('heading', { name: 'Plant files' }).waitFor();
    await page.getByRole('rowheader', { name: 'blades' }).waitFor();
  });
});
