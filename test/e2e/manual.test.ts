// The manual in the app's help: opened from the palette, by its key and from the list of shortcuts; read and searched.
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';

describeApp('the manual', (app) => {
  it('opens from the palette, shows pages with pictures, and follows links', async () => {
    const page = await app.open();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('read the manual');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Manual' });
    await dialog.getByRole('heading', { name: 'The app' }).waitFor();
    const picture = dialog.getByRole('img', { name: 'Two sensors drive through the courtyard' });
    await eventually(() =>
      picture.evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBeGreaterThan(500);
    await dialog.getByRole('button', { name: 'Scans and ground truth' }).click();
    await dialog.getByRole('heading', { name: 'Depth maps and renders' }).waitFor();
    await dialog.getByRole('region').getByRole('button', { name: 'survey', exact: true }).click();
    await dialog.getByRole('heading', { name: 'Surveys', level: 2 }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  for (const theme of ['dark', 'light'] as const) {
    it(`finds a section by words of its text, in the ${theme} theme`, async () => {
      const page = await app.open(theme);
      await page.keyboard.press('F1');
      const dialog = page.getByRole('dialog', { name: 'Manual' });
      await dialog.getByRole('heading', { name: 'The app' }).waitFor();
      await screenshot(page, `manual-${theme}`);
      await dialog.getByRole('button', { name: 'Sensors', exact: true }).click();
      await dialog.getByRole('heading', { name: 'Sensors', level: 2 }).waitFor();
      await screenshot(page, `manual-table-${theme}`);
      await dialog.getByLabel('Search the manual').fill('likelihood occlusion');
      const found = dialog.getByRole('navigation').getByRole('button');
      expect(await found.allInnerTexts()).toHaveLength(1);
      await found.click();
      await dialog.getByRole('heading', { name: 'Leaf area from logs' }).waitFor();
      expect(await dialog.locator('article mark').allInnerTexts()).toContain('occlusion');
      await screenshot(page, `manual-search-${theme}`);
      expect(await seriousFaults(page)).toEqual([]);
      await dialog.getByLabel('Search the manual').fill('no such words');
      await dialog.getByText('No matching sections.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'hidden' });
    });
  }

  it('opens from the list of shortcuts, on a narrow window too', async () => {
    const page = await app.open();
    await page.locator('body').press('?');
    await screenshot(page, 'manual-shortcuts');
    await page.setViewportSize({ width: 420, height: 700 });
    await page.getByRole('button', { name: 'Read the manual' }).click();
    await page.getByRole('heading', { name: 'The app' }).waitFor();
    await screenshot(page, 'manual-narrow');
  });
});
