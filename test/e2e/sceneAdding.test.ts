// Added parts fit into a scene: existing models and classes are used, nothing lies inside another
// part, names say what they name, and Enter in a number starts nothing.
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { openScene, textOf, part } from './scenes.ts';

describeApp('adding to a scene', (app) => {
  it('ui-10 a second plant uses the model and class of the first', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    const models = await page.locator('[data-test^="part-scene.models."]').count();
    await page.getByTestId('add-part').selectOption('plant:grass-patch');
    await page.getByText('Click in the scene to place').waitFor();
    const box = await page.getByTestId('scene-canvas').boundingBox();
    await eventually(async () => {
      await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.5, (box?.y ?? 0) + 300);
      return page.getByText('Click in the scene to place').count();
    }).toBe(0);
    await eventually(() => textOf(page)).toMatch(/name: grass-[a-z], model: grass, /);
    expect(await textOf(page)).not.toContain('grass-2');
    expect(await page.locator('[data-test^="part-scene.models."]').count()).toBe(models);
    await page.getByTestId('add-part').selectOption('box');
    await page.keyboard.press('Escape');
  });

  it('ui-13 Enter in a pose field sets the number and starts no scan', async () => {
    const page = await openScene(app, 'box', 'dark');
    await page.getByRole('tab', { name: 'Scans' }).click();
    const x = page.getByTestId('pose-xM');
    await eventually(() => x.inputValue()).toBe('0');
    for (const number of ['1.5', '2', '2.5']) {
      await x.fill(number);
      await x.press('Enter');
    }
    const copied = await page.getByTestId('scans-panel').getByTestId('copy').getAttribute('title');
    expect(copied).toContain('--pose 2.5,');
    expect(await x.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByTestId('scan-cancel').count()).toBe(0);
    await page.getByTestId('scan-once').click();
    const rows = page.getByTestId('scans').locator('li');
    await eventually(() => rows.count()).toBeGreaterThan(0);
    expect(await rows.count()).toBe(1);
  });

  it('ui-15 a second sensor is clear of the first, on the drawn vehicle', async () => {
    const page = await openScene(app, 'box', 'light');
    await page.getByTestId('add-part').selectOption('sensor');
    await part(page, 'sensors[1]').waitFor();
    await page.getByTestId('add-part').selectOption('sensor');
    await part(page, 'sensors[2]').waitFor();
    const mounts = [...(await textOf(page)).matchAll(/mount: \{ positionM: \[(.+?)\]/g)];
    const places = mounts.map(([, place]) => place);
    expect(places.length).toBeGreaterThanOrEqual(2);
    expect(new Set(places).size).toBe(places.length);
    await page.getByTestId('scene-canvas').and(page.locator('[data-rig=shown]')).waitFor();
    await screenshot(page, 'vehicle-light');
    await page.getByTestId('add-part').selectOption('scatter');
    await page.getByText('Click in the scene to place').waitFor();
    const box = await page.getByTestId('scene-canvas').boundingBox();
    await eventually(async () => {
      await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.5, (box?.y ?? 0) + 300);
      return page.getByText('Click in the scene to place').count();
    }).toBe(0);
    const name = page.getByTestId('part-name');
    await eventually(() => name.inputValue()).toBe('box-scatter');
    await page.getByTestId('field-model').selectOption('sphere');
    await eventually(() => name.inputValue()).toBe('sphere-scatter');
  });
});
