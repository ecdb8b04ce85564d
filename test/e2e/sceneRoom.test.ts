// The view of a scene keeps its room: in small windows, for what is framed, and for shadows that lie at the feet of
// what casts them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from 'fast-png';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeApp, eventually, focusOn } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { chooseCamera, openScene, part, placeInPicture, settled } from './scenes.ts';
import { expectRoom } from './viewRoom.ts';

/** Texts of the header that take more than one line. */
function wrapped(page: Page): Promise<string[]> {
  return page.locator('header:has(nav) :is(a, button)').evaluateAll((all) =>
    all
      .filter((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
        return (
          Math.max(...lines.map(({ top }) => top)) - Math.min(...lines.map(({ top }) => top)) > 14
        );
      })
      .map((one) => one.textContent),
  );
}

describeApp('the room of the picture', (app) => {
  it('has its header in one line at every width', async () => {
    const page = await app.open('dark', { at: 'scene' });
    for (const width of [1440, 1180, 1100, 1024, 960, 900]) {
      await page.setViewportSize({ width, height: 700 });
      await page.waitForTimeout(200);
      expect(await wrapped(page), `${width} px`).toEqual([]);
      const header = await page
        .locator('header:has(nav)')
        .evaluate((one) => [one.scrollWidth, one.clientWidth]);
      expect(header[0], `${width} px`).toBeLessThanOrEqual(header[1] ?? 0);
    }
  });

  it.each([
    ['1024x700', { width: 1024, height: 700 }],
    // 1440 × 900 at 150 %.
    ['150 %', { width: 960, height: 600 }],
  ])('ui-06 the picture stays usable in a small window, %s', async (_, size) => {
    const page = await openScene(app, 'box', 'dark');
    await page.setViewportSize(size);
    const canvas = page.getByTestId('scene-canvas');
    await expectRoom(canvas);
    await part(page, 'scene.ground').click();
    await focusOn(canvas);
    await page.keyboard.press('v');
    await page.getByText('Delete removes it').waitFor({ state: 'attached' });
    await expectRoom(canvas);
    await page.getByTestId('measure').click();
    for (const [index, right] of [0.4, 0.45, 0.5].entries()) {
      const { x, y } = await placeInPicture(page, right, 0.6);
      await page.mouse.click(x, y);
      await eventually(() => page.getByTestId('measured-point').count()).toBe(index + 1);
    }
    await expectRoom(canvas);
    await part(page, 'scene.instances[0]').click();
    await page.getByTestId('line-object').click();
    const line = page.getByTestId('object-line');
    await line.waitFor();
    for (const mode of ['Move', 'Turn', 'Scale', 'Select']) {
      await line.getByRole('button', { name: mode, exact: true }).click();
      await expectRoom(canvas);
    }
    await part(page, 'scene.instances[1]').click({ modifiers: ['Control'] });
    await page.getByTestId('many-line').waitFor();
    await focusOn(canvas);
    await page.keyboard.press('b');
    await page.getByTestId('clip-line').waitFor();
    await expectRoom(canvas);
    await page.keyboard.press('h');
    await page.getByTestId('light-line').waitFor();
    // Every tool at once: the line of one, and buttons of the others.
    for (const line of ['object', 'clip', 'measure']) {
      await page.getByTestId(`line-${line}`).waitFor();
    }
    await expectRoom(canvas);
    await screenshot(page, `small-window-${size.width}`);
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
    await page.getByTestId('line-clip').click();
    await page.getByTestId('clip-line').waitFor();
    await expectRoom(canvas);
    await page.getByTestId('clip-along').click();
    await expectRoom(canvas);
    expect(await wrapped(page)).toEqual([]);
    await page.getByLabel('Areas and routes').check();
    await page.getByTestId('close-scene').click();
    await page.getByTestId('open-box').waitFor();
  });

  it('ui-09 Frame keeps an object and its label clear of the line of its tool', async () => {
    const page = await openScene(app, 'clearing', 'light');
    await part(page, 'scene.instances[0]').click();
    await page.getByTestId('object-line').waitFor();
    await page.getByTestId('object-line').getByRole('button', { name: 'Frame' }).click();
    await settled(page);
    const label = page.locator('.label.name:visible', { hasText: /^oak-a$/ });
    const [line, name] = await Promise.all([
      page.getByTestId('object-line').boundingBox(),
      label.boundingBox(),
    ]);
    await screenshot(page, 'framed-light');
    expect(name?.y ?? 0).toBeGreaterThanOrEqual((line?.y ?? NaN) + (line?.height ?? NaN));
  });

  it('ui-05 shadows lie at the foot of objects on higher ground', async () => {
    const file = join(app.host.dataFolder, 'slope.understory.yaml');
    writeFileSync(file, steepScenario);
    const page = await app.open('light', { at: 'scene' });
    await page.getByLabel('File on the server').fill(file);
    await page.getByRole('button', { name: 'Open file' }).click();
    await settled(page);
    await part(page, 'scene.instances[0]').click();
    await page.getByTestId('object-line').waitFor();
    await chooseCamera(page, 'Top');
    await page.getByTestId('scene-canvas').press('f');
    await page.waitForTimeout(1000);
    // Nothing dark but shadows: no card, no names.
    await page.getByTestId('object-line').getByRole('button', { name: 'Deselect' }).click();
    for (const key of ['l', 'Minus', 'Minus', 'Minus', 'Minus', 'Minus']) {
      await page.getByTestId('scene-canvas').press(key);
    }
    await settled(page);
    await screenshot(page, 'steep-ground-light');
    const box = await page.getByTestId('scene-canvas').boundingBox();
    if (box === null) throw new Error('there is no picture');
    const clip = {
      x: box.x + 0.2 * box.width,
      y: box.y + 0.3 * box.height,
      width: 0.6 * box.width,
      height: 0.45 * box.height,
    };
    const { data, channels } = decode(await page.screenshot({ clip }));
    const light: number[] = [];
    for (let at = 0; at < data.length; at += channels) {
      light.push((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0));
    }
    // The first pixel is bare ground, on the other side than the shadow falls.
    const dark = light.filter((value) => value < 0.8 * (light[0] ?? 0)).length / light.length;
    // The post's shadow is as large as the post; 40 m away, as from the lowest ground, none of it is in sight.
    expect(dark).toBeGreaterThan(0.01);
    expect(dark).toBeLessThan(0.4);
  });
});

/** A white post on the hillside's terrain, five times as high. */
const terrain = fileURLToPath(new URL('../../assets/scenarios/hillside.png', import.meta.url));
const steepScenario = `understory: 2
name: Steep ground
seed: 1
scene:
  materials:
    soil: { reflectance: 0.4, colour: '#a08a68' }
    white: { reflectance: 0.9, colour: '#ffffff' }
  models:
    post: { kind: box, sizeM: [1, 1, 4], material: white }
  ground: { kind: height-field, file: ${terrain}, sizeM: [120, 120], zM: [0, 40], material: soil }
  instances:
    - { name: post, model: post, positionM: [20, 20, 2] }
`;
