// Importing a mesh: its size is seen before, its materials are those of the scene or new ones in their colours.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { openScene, textOf, part } from './scenes.ts';

/** A tree of 9.3 m along z: y goes to both sides of the trunk. */
const obj = [
  'mtllib tree.mtl',
  ...['v -2.1 -1.9 0', 'v 2.1 -1.9 0', 'v 0 1.9 0', 'v 0 0 9.3'],
  ...['usemtl wall', 'f 1 2 4', 'usemtl Needles.001', 'f 2 3 4', ''],
].join('\n');
const mtl = ['newmtl wall', 'Kd 0.4 0.3 0.2', 'newmtl Needles.001', 'Kd 0.2 0.6 0.2', ''].join(
  '\n',
);

describeApp('a mesh file', (app) => {
  it('ui-07 an imported OBJ shows its size and keeps its materials', async () => {
    writeFileSync(join(app.host.dataFolder, 'tree.obj'), obj);
    writeFileSync(join(app.host.dataFolder, 'tree.mtl'), mtl);
    const page = await openScene(app, 'box', 'light');
    await page.getByTestId('add-part').selectOption('mesh');
    await page.getByTestId('mesh-file').fill(join(app.host.dataFolder, 'tree.obj'));
    const size = page.getByTestId('mesh-size');
    await size.getByText('Size 4.2 × 3.8 × 9.3 m, height 9.3 m.').waitFor();
    await size.getByText('The up axis is a guess.').waitFor();
    expect(await page.getByTestId('mesh-up').inputValue()).toBe('z');
    await page.getByTestId('mesh-up').selectOption('y');
    await size.getByText('height 3.8 m').waitFor();
    await page.getByTestId('mesh-up').selectOption('z');
    const matched = page.getByTestId('mesh-matched').locator('li');
    const texts = await matched.allInnerTexts();
    expect(texts.map((text) => text.trim().replaceAll(/\s+/g, ' '))).toEqual([
      'wall → wall',
      'Needles.001 → needles new material',
    ]);
    await screenshot(page, 'import-tree-light');
    await page.getByTestId('mesh-add').click();
    await part(page, 'scene.models.tree').waitFor();
    await part(page, 'scene.materials.needles').waitFor();
    await eventually(() => textOf(page)).toMatch(/Needles\.001['"]?: needles/);
    const text = await textOf(page);
    expect(text).toMatch(/needles: \{ reflectance: 0\.4, colour: ['"]#339933['"]/);
    expect(text).toMatch(/wall['"]?: wall/);
    expect(await page.getByTestId('problem').count()).toBe(0);
  });
});
