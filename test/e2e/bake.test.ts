// Physics that is baked from the page: a scenario whose bake is missing or of an earlier state opens, is baked by its
// button or the palette, and is shown; a bake can be cancelled.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { part, settled, textOf } from './scenes.ts';

const falling = `understory: 2
name: Falling box
scene:
  materials: { soil: { reflectance: 0.3 } }
  models:
    crate: { kind: box, sizeM: [1, 1, 1], material: soil }
  ground: { kind: plane, sizeM: [40, 40], material: soil }
  physics: { file: falling.bake.csv, durationS: 3 }
  motions:
    fall: { kind: baked, densityKgPerM3: 500 }
  instances:
    - { name: crate-a, model: crate, positionM: [0, 0, 4], onGround: false, motion: fall }
sensors: []
`;

async function openFile(page: Page, file: string): Promise<void> {
  await page.keyboard.press('Control+o');
  await page.getByTestId('open-path').fill(file);
  await page.getByTestId('open-path').press('Enter');
  await page.getByTestId('bake-bar').waitFor();
}

describeApp('baking physics', (app) => {
  const folder = (): string => join(app.host.dataFolder, 'scenarios');

  function writeScenario(text: string): string {
    const file = join(folder(), 'falling.understory.yaml');
    mkdirSync(folder(), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  it('writes the poses that the scene needs, and shows it', async () => {
    const file = writeScenario(falling);
    const poses = (): string => readFileSync(join(folder(), 'falling.bake.csv'), 'utf8');
    const page = await app.open('light', { at: 'scene' });
    await openFile(page, file);
    await page.locator('.problems', { hasText: 'there is no file' }).waitFor();
    await page.getByTestId('bake').click();
    await page.getByTestId('baked').filter({ hasText: 'Baked 3 s' }).waitFor();
    await settled(page);
    await eventually(() => page.locator('.problem').allInnerTexts()).toEqual([]);
    await eventually(() => page.getByTestId('time').innerText()).toContain('0.00 /');
    const first = poses();
    expect(first.split('\n').length).toBeGreaterThan(20);
    expect(await faultsOf(page, ['scene-contents'])).toEqual([]);
    await screenshot(page, 'bake-light');

    // Another state of the scene: saved and baked again, by the palette.
    await part(page, 'scene.motions.fall').click();
    await page.getByTestId('field-velocityMPerS.0').fill('3');
    await page.getByTestId('field-velocityMPerS.0').press('Tab');
    await eventually(() => textOf(page)).toContain('velocityMPerS: [3, 0, 0]');
    expect(await page.getByTestId('baked').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bake physics');
    await page.keyboard.press('Enter');
    await page.getByTestId('baked').waitFor();
    expect(poses()).not.toBe(first);
    expect(readFileSync(file, 'utf8')).toContain('velocityMPerS: [3, 0, 0]');
    await eventually(() => page.locator('.problem').allInnerTexts()).toEqual([]);
  });

  it('is cancelled, and writes nothing', async () => {
    const file = writeScenario(falling.replace('durationS: 3', 'durationS: 1900'));
    const page = await app.open('dark', { at: 'scene' });
    await openFile(page, file);
    await page.getByTestId('bake').click();
    await page.getByTestId('bake-cancel').click();
    await page.getByTestId('bake').waitFor();
    expect(await page.getByTestId('baked').count()).toBe(0);
    await page.locator('.problems', { hasText: 'there is no file' }).waitFor();
  });
});
