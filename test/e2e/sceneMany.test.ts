// Several parts of a scene by hand: selected, moved, copied between scenarios, deleted, brought into line, hidden, locked,
// grouped; and areas that are painted. Each change is one step of the text.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { chooseCamera, drag, openScene, part, projectionOf, settled, textOf } from './scenes.ts';
import { expectRoom } from './viewRoom.ts';

const box = readFileSync(
  new URL('../../assets/scenarios/box.understory.yaml', import.meta.url),
  'utf8',
);

describeApp('several parts of a scene', (app) => {
  const choose = async (page: Page, ...paths: string[]): Promise<void> => {
    for (const [index, path] of paths.entries()) {
      await part(page, path).click(index === 0 ? {} : { modifiers: ['Control'] });
    }
  };
  const names = async (page: Page): Promise<string[]> =>
    [...(await textOf(page)).matchAll(/ name: ([\w-]+)/g)].map(([, name]) => name ?? '');
  const undone = async (page: Page): Promise<void> => {
    await page.keyboard.press('Control+z');
    await eventually(() => textOf(page)).toBe(box);
  };
  async function fromAbove(page: Page) {
    await chooseCamera(page, 'Top');
    await page.getByTestId('scene-canvas').press('f');
    await page.waitForTimeout(800);
    await settled(page);
    return projectionOf(page);
  }

  it('are moved, duplicated, deleted, aligned and put on the ground, one step each', async () => {
    const page = await openScene(app, 'box', 'light');
    await choose(page, 'scene.instances[0]', 'scene.instances[1]');
    await page.getByTestId('many-line').getByText('2 objects').waitFor();
    const at = await fromAbove(page);
    // The handle to the north of their middle.
    await page.getByTestId('many-line').getByRole('button', { name: 'Move', exact: true }).click();
    await settled(page);
    await screenshot(page, 'many-move-light');
    const middle = at([-1.25, 0, 1]);
    const grip = { x: middle.x, y: middle.y - 40 };
    await drag(page, grip, { x: grip.x, y: grip.y - 60 });
    await eventually(() => textOf(page)).not.toBe(box);
    const moved = [...(await textOf(page)).matchAll(/positionM: \[(\S+), (\S+), 1\]/g)];
    expect(moved.slice(0, 2).map(([, x]) => x)).toEqual(['5.5', '-8']);
    expect(Number(moved[0]?.[2])).toBeGreaterThan(0.5);
    expect(moved[0]?.[2]).toBe(moved[1]?.[2]);
    await undone(page);

    await page.keyboard.press('Control+d');
    await eventually(async () => (await names(page)).includes('sphere-b')).toBe(true);
    await page.getByTestId('many-parts').getByText('2 parts').waitFor();
    await page.keyboard.press('Delete');
    await eventually(() => textOf(page)).toBe(box);

    // By a rectangle of the view, without the ground.
    const [corner, opposite] = [at([6.4, -3, 0]), at([-9.5, 3, 0])];
    await page.getByTestId('box-select').click();
    await drag(page, corner, opposite);
    await page.getByTestId('many-line').getByText('2 objects').waitFor();
    await settled(page);
    await page.keyboard.press('Shift+G');
    // The box hangs half a metre above the ground; the sphere is on it.
    await eventually(() => textOf(page)).toContain(
      'name: box, model: box, positionM: [5.5, 0, 0.5]',
    );
    expect(await textOf(page)).toContain('name: sphere, model: sphere, positionM: [-8, 0, 1]');
    await undone(page);
    await settled(page);
    await page.getByTestId('menu-arrange').click();
    await page.getByTestId('item-west').click();
    // Their western sides: the sphere's is at −9.
    await eventually(() => textOf(page)).toContain('positionM: [-8.5, 0, 1]');
    await undone(page);
    expect(await faultsOf(page, ['scene-contents', 'scene-properties', 'scene-view'])).toEqual([]);
  });

  it('are copied as YAML and pasted at the pointer, into another scenario too', async () => {
    const page = await openScene(app, 'box', 'dark');
    await choose(page, 'scene.instances[0]', 'scene.walls[0]');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await eventually(() => names(page)).toEqual([
      'wall',
      'wall-b',
      'box',
      'sphere',
      'box-b',
      'lidar',
    ]);
    expect((await textOf(page)).match(/kind: box/g)).toHaveLength(1);
    await undone(page);

    await page.getByTestId('close-scene').click();
    await page.getByTestId('open-clearing').click();
    await settled(page);
    const at = await fromAbove(page);
    const place = at([10, -10]);
    await page.mouse.move(place.x, place.y);
    await page.keyboard.press('Control+v');
    await eventually(() => names(page)).toContain('box');
    const text = await textOf(page);
    expect(text).toContain('box: { kind: box, sizeM: [1, 1, 1], material: box }');
    const [, x = '', y = ''] =
      /name: box, model: box, positionM: \[(\S+), (\S+), 1\]/.exec(text) ?? [];
    const [, toX = '', toY = ''] =
      /name: wall\n\s+fromM: .*\n\s+toM: \[(\S+), (\S+)\]/.exec(text) ?? [];
    expect(Number.isFinite(Number(x) + Number(y) + Number(toX || 0) + Number(toY || 0))).toBe(true);
    expect(Math.hypot(Number(x) - 10, Number(y) + 10)).toBeLessThan(12);
    expect(await page.locator('[data-test=problem]').count()).toBe(0);
    await settled(page);
    await screenshot(page, 'many-pasted-dark');

    // Anything else in the clipboard is refused with a sentence.
    await page
      .getByTestId('tab-text')
      .or(page.getByRole('tab', { name: 'Text' }))
      .first()
      .click();
    await page
      .getByTestId('scene-text')
      .evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 20));
    await page.getByTestId('scene-text').focus();
    await page.keyboard.press('Control+c');
    await page.getByRole('tab', { name: 'Contents' }).click();
    await part(page, 'scene.walls[0]').focus();
    await page.keyboard.press('Control+v');
    await page.getByText('The clipboard holds no parts of a scenario').waitFor();
  });

  it('are hidden, locked and grouped in the page, over a reload, and the file has none of it', async () => {
    const page = await openScene(app, 'box', 'dark');
    // Why first: with a part selected the view has its final size.
    await part(page, 'scene.models.box').click();
    const at = await fromAbove(page);
    // Beside the rays of the sensor, which can be clicked, too.
    const { x, y } = at([5.5, 0.4, 1.5]);
    const clicked = async (): Promise<string> => {
      await page.mouse.click(x, y);
      await page.waitForTimeout(400);
      return page.getByTestId('object-line').getByRole('heading').innerText();
    };
    expect(await clicked()).toBe('box');
    await page.keyboard.press('Shift+H');
    await eventually(() =>
      page.getByTestId('hide-scene.instances[0]').getAttribute('aria-pressed'),
    ).toBe('true');
    expect(await clicked()).toBe('ground');
    await part(page, 'scene.instances[0]').hover();
    await page.getByTestId('hide-scene.instances[0]').click();
    expect(await clicked()).toBe('box');
    await page.getByTestId('lock-scene.instances[0]').click();
    expect(await clicked()).toBe('ground');

    await choose(page, 'scene.instances[1]', 'scene.walls[0]');
    await page.keyboard.press('Control+g');
    await page.getByTestId('group-name').fill('Far objects');
    await page.getByTestId('group-name').press('Enter');
    await page.getByTestId('group-Far objects').waitFor();
    await part(page, 'scene.navigation').or(part(page, 'navigation')).first().click();
    await part(page, 'scene.walls[0]').click();
    await page.getByTestId('many-parts').getByText('2 parts').waitFor();
    await part(page, 'scene.walls[0]').click();
    await eventually(() => page.getByTestId('part-name').inputValue()).toBe('wall');
    expect(await textOf(page)).toBe(box);
    await page.reload();
    await page.getByTestId('group-Far objects').click();
    await page.getByTestId('many-parts').getByText('2 parts').waitFor();
    expect(await page.getByTestId('lock-scene.instances[0]').getAttribute('aria-pressed')).toBe(
      'true',
    );
  });

  it('areas are painted: they grow, and get exclusion zones', async () => {
    const page = await openScene(app, 'clearing', 'light');
    await page.setViewportSize({ width: 1440, height: 900 });
    await part(page, 'scene.scatters[1]').click();
    const at = await fromAbove(page);
    await page.keyboard.press('r');
    await page.getByTestId('brush-line').getByText('Paint shrub').waitFor();
    const areaOf = async (): Promise<string> => {
      const text = await textOf(page);
      return text.slice(text.indexOf('- name: shrub'), text.indexOf('- name: grass'));
    };
    const before = await areaOf();
    await drag(page, at([17, -5]), at([20, -5]));
    await eventually(areaOf).not.toBe(before);
    const grown = [...(await areaOf()).matchAll(/\[(-?[\d.]+), (-?[\d.]+)\]/g)];
    expect(Math.max(...grown.map(([, x]) => Number(x)))).toBeGreaterThan(20);
    expect(await page.getByTestId('undo').getAttribute('title')).toContain(
      'Paint the area of shrub',
    );

    await page.keyboard.press(']');
    await page.keyboard.press('Shift+R');
    await drag(page, at([-12, 10]), at([-6, 10]));
    await eventually(async () => (await areaOf()).match(/centreM/g)?.length ?? 0).toBeGreaterThan(
      4,
    );
    expect(await areaOf()).toContain('radiusM: 2.5 }');
    await settled(page);
    await screenshot(page, 'brush-light');
    await expectRoom(page.getByTestId('scene-canvas'), 0.4);
    await page.setViewportSize({ width: 1024, height: 700 });
    await expectRoom(page.getByTestId('scene-canvas'));
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('brush-line').waitFor({ state: 'detached' });
    expect(await page.locator('[data-test=problem]').count()).toBe(0);
  });
});
