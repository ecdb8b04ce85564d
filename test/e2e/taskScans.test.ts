// Tasks that people come for, done by clicks and keys alone: an own tree on an own terrain scanned by an own sensor, and a
// plot from a tree list, scanned from five tripods with leaves and without, with its leaf area.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, eventually, openAtEdge } from './app.ts';
import { screenshot } from './browser.ts';
import { part, settled, textOf } from './scenes.ts';

const obj = [
  ...['v -2.1 -1.9 0', 'v 2.1 -1.9 0', 'v 0 1.9 0', 'v 0 0 9.3'],
  ...['usemtl needles', 'f 1 2 4', 'f 2 3 4', 'f 3 1 4', ''],
].join('\n');
const terrain = fileURLToPath(new URL('../../assets/scenarios/hillside.png', import.meta.url));
const treeList = [
  'species,x,y,dbh_cm,height_m',
  'european-beech,6,2,32,20',
  'european-beech,-5,7,28,18',
  'sessile-oak,-7,-4,30,17',
  '',
].join('\n');

describeApp('tasks with scans', (app) => {
  async function fill(page: Page, name: string, value: string): Promise<void> {
    await page.getByTestId(`field-${name}`).fill(value);
    await page.getByTestId(`field-${name}`).press('Tab');
  }

  /** Exports a scan of the open scene. Returns the number of its returns. */
  async function exportScan(page: Page, file: string): Promise<number> {
    await openAtEdge(page, 'Scans');
    await page.getByTestId('export-scan').click();
    await page.getByTestId('scan-export-file').fill(file);
    await page.getByTestId('scan-export-start').click();
    await page.getByTestId('scan-exported').getByText(file).waitFor();
    await page.getByTestId('scan-export-close').click();
    const las = readFileSync(file);
    expect(las.toString('latin1', 0, 4)).toBe('LASF');
    // LAS 1.4, table 3: the number of point records.
    return Number(las.readBigUInt64LE(247));
  }

  it('task-1 scans an own tree on an own terrain by an own sensor, into a LAS file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tree.obj'), obj);
    copyFileSync(terrain, join(folder, 'slope.png'));
    const page = await app.open('light', { isFirstVisit: true });
    await page.getByRole('button', { name: 'Box and wall' }).click();
    await eventually(() => page.getByTestId('save-name').inputValue()).toContain('box');
    await page.getByTestId('save-name').fill(join(folder, 'mine.understory.yaml'));
    await page.getByTestId('save-confirm').click();
    await page.getByTestId('save-confirm').waitFor({ state: 'detached' });

    await part(page, 'scene.ground').click();
    await page.getByTestId('field-kind').selectOption('height-field');
    await fill(page, 'file', join(folder, 'slope.png'));
    await fill(page, 'zM.1', '6');
    await page.getByTestId('add-part').selectOption('mesh');
    await page.getByTestId('mesh-file').fill(join(folder, 'tree.obj'));
    await page.getByTestId('mesh-size').getByText('height 9.3 m').waitFor();
    await page.getByTestId('mesh-add').click();
    await part(page, 'scene.models.tree').waitFor();
    await page.getByTestId('add-part').selectOption('instance');
    await page.getByText('Click in the scene to place').waitFor();
    const box = await page.getByTestId('scene-canvas').boundingBox();
    await eventually(async () => {
      await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.5, (box?.y ?? 0) + 400);
      return page.getByText('Click in the scene to place').count();
    }).toBe(0);
    await page.getByTestId('field-model').selectOption('tree');
    await eventually(() => textOf(page)).toMatch(/model: tree,/);
    await page.keyboard.press('Control+s');
    await eventually(() => page.getByTestId('document-state').innerText()).toBe('saved');

    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-vlp-16').click();
    await page
      .getByTestId('sensor-panel')
      .getByRole('button', { name: 'Edit', exact: true })
      .click();
    await fill(page, 'beam.divergenceHorizontalMrad', '6');
    await page.getByTestId('save-sensor').click();
    await eventually(() => page.getByTestId('save-file').inputValue()).toContain(
      app.host.dataFolder,
    );
    await page.getByTestId('save-now').click();
    await page.getByTestId('save-now').waitFor({ state: 'detached' });
    await screenshot(page, 'task-1');
    expect(await exportScan(page, join(folder, 'mine.las'))).toBeGreaterThan(1000);
  });

  it('task-4 scans a plot from a tree list by five tripods, leaf-on and leaf-off', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'plot.csv'), treeList);
    const page = await app.open('dark', { isFirstVisit: true });
    const returns: number[] = [];
    for (const season of ['Leaf-off', 'Leaf-on']) {
      await page.getByTestId('nav-start').click();
      await page.getByTestId('new-plot').click();
      await page.getByTestId('plot-file').fill(join(folder, 'plot.csv'));
      await page.getByTestId('plot-size').fill('24');
      await page.getByRole('button', { name: season }).click();
      await page.getByTestId('plot-create').click();
      await page.getByTestId('plot-create').waitFor({ state: 'detached' });
      await settled(page);
      await screenshot(page, `task-4-${season}`);
      returns.push(await exportScan(page, join(folder, `${season}.las`)));
    }
    const [leafOff = NaN, leafOn = NaN] = returns;
    expect(leafOn).toBeGreaterThan(10_000);
    // Beams that leaves would stop leave the plot.
    expect(leafOff).toBeLessThan(leafOn);

    await openAtEdge(page, 'Plants');
    await page.getByTestId('export-truth').click();
    await page.getByTestId('truth-voxels').check();
    await page.getByTestId('truth-voxel').fill('1');
    const file = join(folder, 'leaves.csv');
    await page.getByTestId('truth-export-file').fill(file);
    await page.getByTestId('truth-export-start').click();
    await page.getByTestId('truth-exported').getByText('3 plants').waitFor();
    expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(100);
    await screenshot(page, 'task-4-truth');
  });
});
