// Light of a scene: shadows of the sun on what is there, by the hour, the same in both themes, and drawn once for a
// scene that does not change.
import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';
import { openScene, settled } from './scenes.ts';

/** Mean red, green and blue of a part of the view, in shares of its width and height. */
async function colourOf(
  page: Page,
  { right, down, width, height }: Record<'right' | 'down' | 'width' | 'height', number>,
): Promise<number[]> {
  const box = await page.getByTestId('scene-canvas').boundingBox();
  if (box === null) throw new Error('there is no view');
  const clip = {
    x: Math.round(box.x + right * box.width),
    y: Math.round(box.y + down * box.height),
    width: Math.round(width * box.width),
    height: Math.round(height * box.height),
  };
  const { data, channels } = decode(await page.screenshot({ clip }));
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += channels) {
    for (const channel of [0, 1, 2])
      sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0);
  }
  return sums.map((sum) => sum / (data.length / channels));
}

const sky = { right: 0.4, down: 0.02, width: 0.2, height: 0.08 };
const bright = (rgb: number[]): number => rgb.reduce((sum, value) => sum + value, 0);

describeApp('the light of a scene', (app) => {
  const passes = async (page: Page): Promise<number> =>
    Number(await page.getByTestId('scene-metrics').getAttribute('data-shadow-passes'));

  async function setHour(page: Page, hour: number): Promise<void> {
    const before = await passes(page);
    await page.getByTestId('sun-hour').fill(String(hour));
    await eventually(() => passes(page)).toBeGreaterThan(before);
    await settled(page);
  }

  it('draws shadows once, and again when the hour changes or something moves', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    await eventually(() => passes(page)).toBeGreaterThan(0);
    await settled(page);
    await page.waitForTimeout(1500);
    const before = await passes(page);
    // The camera turns about the scene, which is still.
    const canvas = page.getByTestId('scene-canvas');
    await focusOn(canvas);
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'Equal']) await canvas.press(key);
    const { calls, triangles } = await settled(page);
    expect(await passes(page)).toBe(before);
    // With those of a pass, 120 at most, no more than 400.
    expect(calls).toBeLessThanOrEqual(280);
    expect(triangles).toBeLessThanOrEqual(5_000_000);

    await canvas.press('h');
    await page.getByTestId('light-line').waitFor();
    await setHour(page, 18.5);
    expect(await seriousFaults(page)).toEqual([]);
    const [red = 0, , blue = 0] = await colourOf(page, sky);
    expect(red).toBeGreaterThan(blue);
    await screenshot(page, 'light-evening-dark');
    const evening = await colourOf(page, sky);
    await setHour(page, 0);
    expect(bright(await colourOf(page, sky))).toBeLessThan(0.5 * bright(evening));
    // It is the hour of the whole page, and of the next visit.
    await page.reload();
    await page.getByTestId('light').click();
    expect(await page.getByTestId('sun-hour').inputValue()).toBe('0');
  });

  it('is the same in both themes', async () => {
    const colours = [];
    for (const theme of ['dark', 'light'] as const) {
      const page = await openScene(app, 'clearing', theme);
      await eventually(() => passes(page)).toBeGreaterThan(0);
      await settled(page);
      colours.push(await colourOf(page, sky));
      await screenshot(page, `light-${theme}`);
    }
    const [dark = [], light = []] = colours;
    for (const channel of [0, 1, 2]) {
      expect(Math.abs((dark[channel] ?? 0) - (light[channel] ?? 0))).toBeLessThan(2);
    }
  });
});
