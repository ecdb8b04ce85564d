// The scene view with the real host and worker: samples open with one click, the courtyard keeps within its
// budget from wherever it is seen, objects are identified by a click, and distances are measured.
import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { chooseCamera, openScene, placeOf, settled } from './scenes.ts';

const maxTriangles = 5_000_000;
const maxCalls = 300;

describeApp('the scene view', (app) => {
  it('opens the clearing and names what was clicked', async () => {
    const page = await openScene(app, 'clearing', 'light');
    await screenshot(page, 'scene-clearing-light');
    const crown = await placeOf(page, 'oak-a');
    await page.mouse.click(crown.x, crown.y + 70);
    const line = page.getByTestId('object-line');
    await line.getByRole('heading', { name: 'oak-a' }).waitFor();
    const text = (await line.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('Class tree');
    expect(text).toContain('Triangles 317,648');
    expect(text).toMatch(/Material (leaf|bark) Reflectance (50|30) %/);
    expect(text).toContain('Position -1.00, -1.00, 0.00 m');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await settled(page);
    await screenshot(page, 'scene-selected-light');
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
    await page.keyboard.press('Escape');
    await line.waitFor({ state: 'detached' });
  });

  it('moves a tree by its handles, at once and in the text', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    const crown = await placeOf(page, 'oak-a');
    await page.mouse.click(crown.x, crown.y + 70);
    const line = page.getByTestId('object-line');
    await line.getByRole('heading', { name: 'oak-a' }).waitFor();
    await chooseCamera(page, 'Top');
    await line.getByRole('button', { name: 'Frame' }).click();
    await page.waitForTimeout(600);
    await line.getByRole('button', { name: 'Move', exact: true }).click();
    await settled(page);
    await screenshot(page, 'scene-handles-dark');
    // Its handles are about it, which is not the middle: Frame leaves room for the tools.
    const { x, y } = await placeOf(page, 'oak-a');
    await page.mouse.move(x - 45, y);
    await page.mouse.down();
    await page.mouse.move(x - 110, y, { steps: 4 });
    await page.mouse.move(x - 160, y, { steps: 4 });
    await page.mouse.up();
    const eastM = async (): Promise<number> => {
      const position = /Position\s+(-?[\d.]+), -1\.00, 0\.00 m/.exec(await line.innerText());
      return Number(position?.[1] ?? Number.NaN);
    };
    await eventually(eastM).toBeLessThan(-1.4);
    await screenshot(page, 'scene-moved-dark');
    await page.keyboard.press('Control+KeyZ');
    await eventually(eastM).toBe(-1);
  });

  it('measures what is known', async () => {
    const page = await openScene(app, 'box', 'dark');
    await chooseCamera(page, 'Top');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await settled(page);
    await page.getByTestId('measure').click();
    const [sphere, box] = [await placeOf(page, 'sphere'), await placeOf(page, 'box')];
    await page.mouse.click(sphere.x, sphere.y);
    await page.mouse.click(box.x, box.y);
    await page.mouse.click(box.x + 60, box.y);
    const legs = page.getByTestId('leg');
    await eventually(() => legs.count()).toBe(2);
    const numbers = async (leg: number): Promise<number[]> => {
      const cells = await legs.nth(leg).locator('.number').allInnerTexts();
      return cells.map((cell) => Number.parseFloat(cell.replace('−', '-')));
    };
    // From the sphere's top (-8, 0, 2) to the cube's (5.5, 0, 1.5) and down. A pixel is a few centimetres here.
    const [distanceM = 0, horizontalM = 0, verticalM = 0] = await numbers(0);
    expect(Math.abs(horizontalM - 13.5)).toBeLessThan(0.25);
    expect(Math.abs(verticalM + 0.5)).toBeLessThan(0.03);
    expect(distanceM).toBeCloseTo(Math.hypot(horizontalM, verticalM), 1);
    expect((await numbers(1))[2]).toBeCloseTo(-1.5, 3);
    await screenshot(page, 'scene-measure-dark');
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('Escape');
    await eventually(() => legs.count()).toBe(0);
    await page.getByTestId('close-scene').click();
    await page.getByTestId('open-box').waitFor();
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
  });

  it('darkens the foot of a wall, which hides sky, and leaves open ground as it is', async () => {
    const page = await openScene(app, 'box', 'light');
    await chooseCamera(page, 'Top');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await settled(page);
    const [top, west, east] = [
      await placeOf(page, 'wall'),
      await placeOf(page, 'sphere'),
      await placeOf(page, 'box'),
    ];
    await page.keyboard.press('KeyL');
    // The wall is north of all, 3 m high, and the sphere 13.5 m west of the cube.
    const pixelsPerM = (east.x - west.x) / 13.5;
    // A metre beside the lines of the sensor, which is south of the wall's middle.
    const strip = {
      x: Math.round(top.x - pixelsPerM) - 4,
      y: Math.round(top.y),
      width: 9,
      height: Math.round(8 * pixelsPerM),
    };
    const lightOf = async (): Promise<number[]> => {
      await page.waitForTimeout(300);
      await settled(page);
      return rowLight(page, strip);
    };
    const withIt = await lightOf();
    await page.getByTestId('occlusion').click();
    const without = await lightOf();
    const ratios = withIt.map((light, row) => light / (without[row] ?? NaN));
    // At the foot of a long wall half of the sky is hidden, and that is a fifth or more of the light here. A step of 8
    // bits is a hundredth of it, and less in the mean of nine pixels.
    expect(Math.min(...ratios)).toBeLessThan(0.95);
    // Nothing is within 2 m of the last 2 m of the strip.
    for (const ratio of ratios.slice(-Math.round(2 * pixelsPerM))) {
      expect(Math.abs(ratio - 1)).toBeLessThan(0.01);
    }
  });

  it('keeps the courtyard within its budget at every camera', async () => {
    const page = await openScene(app, 'courtyard', 'dark');
    await page.getByRole('button', { name: 'Full detail' }).click();
    const seen: { triangles: number; calls: number }[] = [];
    const look = async (name: string): Promise<void> => {
      await page.waitForTimeout(300);
      seen.push(await settled(page));
      await screenshot(page, `scene-courtyard-${name}`);
    };
    await look('dark');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await look('whole-dark');
    await chooseCamera(page, 'Top');
    await look('top-dark');
    await chooseCamera(page, 'Orbit');
    await page.getByTestId('theme').click();
    await focusOn(page.getByTestId('scene-canvas'));
    for (let press = 0; press < 12; press += 1) await page.keyboard.press('Equal');
    await look('near-light');
    for (const { triangles, calls } of seen) {
      expect(triangles).toBeGreaterThan(100_000);
      expect(triangles).toBeLessThanOrEqual(maxTriangles);
      expect(calls).toBeLessThanOrEqual(maxCalls);
    }
    expect(Math.max(...seen.map(({ triangles }) => triangles))).toBeGreaterThan(2_000_000);
  });
});

/** Mean light (linear) of the rows of a part of the screen, from the top. */
async function rowLight(
  page: Page,
  clip: { x: number; y: number; width: number; height: number },
): Promise<number[]> {
  const { data, channels } = decode(await page.screenshot({ clip }));
  const perRow = channels * clip.width;
  return Array.from({ length: clip.height }, (_, row) => {
    let light = 0;
    for (let at = row * perRow; at < (row + 1) * perRow; at += 1)
      if (at % channels < 3) light += ((data[at] ?? 0) / 255) ** 2.2;
    return light / (3 * clip.width);
  });
}
