// State of the scene view: cards beside the clicked object, the link to the scene
// among the jobs, and scene and camera when the page is loaded again.
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { chooseCamera, openScene, placeInPicture, placeOf, settled, type Place } from './scenes.ts';

describeApp('the scene view', (app) => {
  async function covers(line: Locator, { x, y }: Place): Promise<boolean> {
    const box = await line.boundingBox();
    if (box === null) throw new Error('the line is not in sight');
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  }

  it('lays the line of a tool away from what was clicked', async () => {
    const page = await openScene(app, 'clearing', 'light');
    const line = page.getByTestId('object-line');
    await chooseCamera(page, 'Top');
    await settled(page);
    for (const down of [0.04, 0.96, 0.04]) {
      await page.keyboard.press('Escape');
      await line.waitFor({ state: 'detached' });
      const place = await placeInPicture(page, 0.3, down);
      await page.mouse.click(place.x, place.y);
      await line.waitFor();
      await page.waitForTimeout(300);
      expect(await covers(line, place), `at ${down}`).toBe(false);
      await screenshot(page, `scene-line-${down < 0.5 ? 'bottom' : 'top'}-light`);
    }
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
    await page.keyboard.press('Escape');
    await line.waitFor({ state: 'detached' });
  });

  it('is among the jobs, and is there again when the page is loaded again', async () => {
    const page = await openScene(app, 'box', 'dark');
    await page.keyboard.press('Control+j');
    await page.getByTestId('job-done').filter({ hasText: 'Open scene: box' }).waitFor();
    await page.keyboard.press('Control+j');
    await chooseCamera(page, 'Top');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    // Why: a key ends the path of the camera, which takes longer on a busy machine.
    await settled(page);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    await settled(page);
    const before = await placeOf(page, 'sphere');
    await page.reload();
    await settled(page);
    const top = page
      .getByRole('toolbar', { name: 'Scene view' })
      .getByRole('button', { name: 'Top', exact: true });
    await eventually(() => top.getAttribute('aria-pressed')).toBe('true');
    const after = await placeOf(page, 'sphere');
    expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(3);
    await page.getByTestId('close-scene').click();
    await page.getByTestId('open-box').waitFor();
    await page.reload();
    await page.getByTestId('open-box').waitFor();
  });

  it('outlines where scatters are, and what they keep clear', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    const labels = page.locator('.label.name:visible');
    expect((await labels.allInnerTexts()).filter((text) => text.includes(': '))).toEqual([]);
    await page.getByLabel('Areas and routes').check();
    await labels.filter({ hasText: 'tree: exclusion zone, 6 m' }).first().waitFor();
    await settled(page);
    await screenshot(page, 'scene-areas-dark');
    await page.getByLabel('Areas and routes').uncheck();
    await labels
      .filter({ hasText: 'tree: exclusion zone, 6 m' })
      .first()
      .waitFor({ state: 'hidden' });
    await page.getByText('shrub', { exact: true }).first().click();
    await labels.filter({ hasText: 'shrub: ' }).first().waitFor();
    expect(await labels.filter({ hasText: 'tree: ' }).count()).toBe(0);
  });

  it('shows the places of measured points, and ends by Esc', async () => {
    const page = await openScene(app, 'box', 'dark');
    await chooseCamera(page, 'Top');
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await settled(page);
    await page.getByTestId('measure').click();
    const middle = await placeOf(page, 'box');
    await page.mouse.click(middle.x, middle.y);
    const cells = page.getByTestId('measured-point').locator('.number');
    await eventually(() => cells.count()).toBe(3);
    await screenshot(page, 'scene-measure-points-dark');
    const z = Number(await cells.nth(2).innerText());
    expect(z).toBe(1.5);
    await page.keyboard.press('Escape');
    await eventually(() => cells.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByTestId('measure-line').waitFor({ state: 'detached' });
  });
});
