// A scene used by hand: flown through, its objects dragged by their handles, a sensor placed where
// the user clicks. Moves are in the text, and can be undone.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { screenshot } from './browser.ts';
import {
  chooseCamera,
  eyeOf,
  openScene,
  placeInPicture,
  placeOf,
  settled,
  textOf,
  part,
  type Eye,
} from './scenes.ts';

describeApp('a scene in hand', (app) => {
  it('is flown through with keys and mouse', async () => {
    const page = await openScene(app, 'box', 'dark');
    await chooseCamera(page, 'Fly');
    await page.getByText('W A S D to move').waitFor();
    const start = await eyeOf(page);
    /** Metres forward, to the right and up that a held key brings. */
    const flown = async (...keys: string[]): Promise<[number, number, number]> => {
      const from = await eyeOf(page);
      for (const key of keys) await page.keyboard.down(key);
      // Until it has come somewhere: how fast depends on how often the picture is drawn.
      await eventually(async () => distanceM(from, await eyeOf(page))).toBeGreaterThan(1);
      for (const key of keys) await page.keyboard.up(key);
      const to = await atRest(page);
      const [x = 0, y = 0, z = 0] = to.positionM.map((one, axis) => one - from.positionM[axis]!);
      const [cos, sin] = [Math.cos(from.yawRad), Math.sin(from.yawRad)];
      return [x * cos + y * sin, x * sin - y * cos, z];
    };

    const [forward, aside, up] = await flown('w');
    expect(forward).toBeGreaterThan(0.5);
    expect(Math.abs(aside)).toBeLessThan(0.05);
    // Along the line of sight, which goes down.
    expect(up / forward).toBeCloseTo(Math.tan(start.upRad), 1);
    expect((await flown('s'))[0]).toBeLessThan(-0.5);
    const [straight, right] = await flown('d');
    expect(right).toBeGreaterThan(0.5);
    expect(Math.abs(straight)).toBeLessThan(0.05);
    expect((await flown('a'))[1]).toBeLessThan(-0.5);
    expect((await flown('e'))[2]).toBeGreaterThan(0.5);
    expect((await flown('q'))[2]).toBeLessThan(-0.5);

    const before = await eyeOf(page);
    const { x, y } = await placeInPicture(page, 0.5, 0.6);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 100, y - 40, { steps: 5 });
    await page.mouse.up();
    const after = await atRest(page);
    expect(after.positionM).toEqual(before.positionM);
    expect(after.yawRad).toBeLessThan(before.yawRad - 0.1);
    expect(after.upRad).toBeGreaterThan(before.upRad + 0.04);
    await settled(page);
    await screenshot(page, 'scene-flown-dark');
    // With the button up the mouse looks nowhere.
    await page.mouse.move(x - 100, y + 40, { steps: 5 });
    expect(await atRest(page)).toEqual(after);

    // A held key that is released elsewhere does not fly on.
    await page.keyboard.down('w');
    await focusOn(page.getByTestId('measure'));
    await page.keyboard.up('w');
    await atRest(page);
  });

  it('moves a wall by its handles, in the text too, and takes it back', async () => {
    const page = await openScene(app, 'box', 'light');
    const line = page.getByTestId('object-line');
    await chooseCamera(page, 'Top');
    /** Drags the handle to the north or the south of what is selected by so many pixels down. */
    const drag = async (down: number): Promise<void> => {
      await line.getByRole('button', { name: 'Frame' }).click();
      await page.waitForTimeout(600);
      await settled(page);
      const { x, y } = await placeInPicture(page, 0.5, 0.5);
      const grip = y + 40 * Math.sign(down);
      await page.mouse.move(x, grip);
      await page.mouse.down();
      await page.mouse.move(x, grip + down / 2, { steps: 4 });
      await page.mouse.move(x, grip + down, { steps: 4 });
      await page.mouse.up();
    };
    const undone = async (): Promise<void> => {
      await page.getByTestId('undo').click();
      await eventually(() => textOf(page)).toBe(untouched);
    };
    const untouched = await textOf(page);

    await part(page, 'scene.walls[0]').click();
    await line.getByRole('heading', { name: 'wall' }).waitFor();
    await line.getByRole('button', { name: 'Move', exact: true }).click();
    await drag(-100);
    const ends = /fromM: \[(\S+), (\S+)\]\s+toM: \[(\S+), (\S+)\]/;
    await eventually(async () => numbersIn(await textOf(page), ends)[1]).toBeGreaterThan(10.3);
    const [fromX, fromY, toX, toY] = numbersIn(await textOf(page), ends);
    expect([fromX, toX]).toEqual([-10, 10]);
    expect(toY).toBe(fromY);
    await settled(page);
    await screenshot(page, 'scene-wall-moved-light');
    await undone();
    await line.getByRole('button', { name: 'Deselect' }).click();
  });

  it('places a sensor at a click, at the height above ground as before', async () => {
    const page = await openScene(app, 'box', 'dark');
    await page.getByRole('tab', { name: 'Scans' }).click();
    const pose = async (): Promise<number[]> =>
      Promise.all(
        ['xM', 'yM', 'zM'].map(async (name) =>
          Number(await page.getByTestId(`pose-${name}`).inputValue()),
        ),
      );
    await eventually(pose).toEqual([0, 0, 1]);
    await chooseCamera(page, 'Top');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await settled(page);
    const top = await placeOf(page, 'box');
    await page.getByTestId('place-sensor').click();
    await page.getByText('Click a place').waitFor();
    await page.mouse.click(top.x, top.y);
    await eventually(async () => (await pose())[0]).not.toBe(0);
    // A pixel is a few centimetres here; the cube's top is at 1.5 m.
    const [x = 0, y = 0, z = 0] = await pose();
    expect(Math.hypot(x - 5.5, y)).toBeLessThan(0.3);
    expect(z).toBeCloseTo(2.5, 2);
    await page.getByTestId('place-sensor').getByText('Place by click').waitFor();
    expect(await page.getByTestId('object-line').count()).toBe(0);
    await page.getByTestId('scan-once').click();
    await eventually(() => page.getByTestId('scans').locator('li').count()).toBe(1);
    await settled(page);
    await screenshot(page, 'scene-sensor-placed-dark');
    // From there the next click selects again.
    await page.mouse.click(top.x, top.y + 2);
    await page.getByTestId('object-line').or(page.getByTestId('pulse-panel')).first().waitFor();
  });

  it.each([
    { sample: 'hillside', theme: 'light' },
    { sample: 'optics', theme: 'dark' },
  ] as const)('opens $sample', async ({ sample, theme }) => {
    const page = await openScene(app, sample, theme);
    expect((await settled(page)).triangles).toBeGreaterThan(100);
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await settled(page);
    await screenshot(page, `scene-${sample}-${theme}`);
    expect(await page.getByTestId('problem').count()).toBe(0);
  });
});

function distanceM({ positionM: from }: Eye, { positionM: to }: Eye): number {
  return Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
}

/** Once it moves no more. */
async function atRest(page: Page): Promise<Eye> {
  let last = await eyeOf(page);
  await eventually(async () => {
    const before = last;
    await page.waitForTimeout(250);
    last = await eyeOf(page);
    return JSON.stringify(last) === JSON.stringify(before);
  }).toBe(true);
  return last;
}

function numbersIn(text: string, pattern: RegExp): number[] {
  return (pattern.exec(text) ?? []).slice(1).map(Number);
}
