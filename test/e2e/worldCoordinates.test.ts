// A scene at UTM coordinates on the page: fields, grid, measured points and returns of pulses are in the world, to 0.1 mm.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { screenshot } from './browser.ts';
import { chooseCamera, placeOf, settled } from './scenes.ts';

/** A block with its top at 302 m, 4 m east and 2 m north of the origin. */
const scenario = `
understory: 2
name: far
scene:
  origin: [500000, 5400000, 300]
  crs: EPSG:25832
  materials:
    soil: { reflectance: 0.3, colour: '#7d6a55' }
    paint: { reflectance: 0.6, colour: '#d8d2c4' }
  models: { block: { kind: box, sizeM: [2, 2, 2], material: paint } }
  ground: { kind: plane, sizeM: [40, 40], centreM: [500000, 5400000], zM: 300, material: soil }
  instances: [{ name: block, model: block, positionM: [500004, 5400002, 1] }]
`;

const origin = [500_000, 5_400_000, 300] as const;

describeApp('a scene at UTM coordinates', (app) => {
  async function open(): Promise<Page> {
    const file = join(app.host.dataFolder, 'far.understory.yaml');
    await writeFile(file, scenario);
    const page = await app.open('light');
    await page.keyboard.press('Control+o');
    await page.getByTestId('open-path').fill(file);
    await page.keyboard.press('Enter');
    await eventually(() => page.url()).toContain('#/scene');
    // Those of the block and the ground, not of the sky, marks and handles.
    expect((await settled(page)).triangles).toBe(14);
    return page;
  }

  it('shows and takes coordinates of the world', async () => {
    const page = await open();
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-vlp-16').click();
    await page.getByRole('tab', { name: 'Scans' }).click();
    const field = (name: string) => page.getByTestId(`pose-${name}`);
    await eventually(() => field('zM').inputValue()).toBe('302');
    const poseM = [500_001.2345, 5_399_998.7654, 301.5001];
    for (const [axis, name] of ['xM', 'yM', 'zM'].entries()) {
      await field(name).fill(String(poseM[axis]));
      await field(name).press('Enter');
      await eventually(() => field(name).inputValue()).toBe(String(poseM[axis]));
    }
    await page.getByTestId('scan-once').click();
    await eventually(() => page.locator('[data-test=scans] li').count()).toBe(1);
    await page.getByTestId('look-into-pulse').click();
    const returned = page.getByTestId('pulse-return').first();
    await returned.waitFor();
    const words = await returned.innerText();
    const place = /at (5\d{5}\.\d{4}), (5[34]\d{5}\.\d{4}), (\d{3}\.\d{4}) m/.exec(words);
    const [x = NaN, y = NaN, z = NaN] = (place ?? []).slice(1).map(Number);
    const rangeM = Number(/([\d.]+) m/.exec(words)?.[1]);
    // The range is shown to a millimetre.
    const awayM = Math.hypot(x - (poseM[0] ?? 0), y - (poseM[1] ?? 0), z - (poseM[2] ?? 0));
    expect(Math.abs(awayM - rangeM)).toBeLessThan(1e-3);
    await screenshot(page, 'world-coordinates-pulse');

    await page.getByRole('tab', { name: 'Sensor' }).click();
    await chooseCamera(page, 'Top');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await settled(page);
    await page.getByTestId('measure').click();
    const block = await placeOf(page, 'block');
    await page.mouse.click(block.x, block.y);
    await page.mouse.click(block.x + 20, block.y);
    const cells = page.getByTestId('measured-point').first().locator('.number');
    await eventually(() => cells.count()).toBe(3);
    const texts = await cells.allInnerTexts();
    for (const text of texts) expect(text).toMatch(/^\d+\.\d{4}$/);
    const [east = NaN, north = NaN, up = NaN] = texts.map((text, axis) => {
      return Number(text) - (origin[axis] ?? 0);
    });
    // A pixel is some centimetres; the top of the block is level.
    expect(Math.abs(east - 4)).toBeLessThan(0.3);
    expect(Math.abs(north - 2)).toBeLessThan(0.3);
    expect(Math.abs(up - 2)).toBeLessThan(1e-4);
    await screenshot(page, 'world-coordinates-measure');

    await page.getByLabel('Grid').check();
    await focusOn(page.getByTestId('scene-canvas'));
    for (let press = 0; press < 20; press += 1) await page.keyboard.press('Minus');
    const numbers = page.locator('.label.grid:visible');
    await eventually(() =>
      numbers.filter({ hasText: /^x (499|500)\d{3} m$/ }).count(),
    ).toBeGreaterThan(1);
    expect(await numbers.filter({ hasText: /^y 5(399|400)\d{3} m$/ }).count()).toBeGreaterThan(1);
    await screenshot(page, 'world-coordinates-grid');
  });
});
