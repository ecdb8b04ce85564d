// Shapes of a scenario dragged over its ground with a mouse: areas, exclusion zones, walls, routes and positions. Each
// drag is one step of the text, which keeps its comments.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { documentData } from '#domain/scenario/editDocument.ts';
import { groundShapes } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { middleOf } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { chooseCamera, drag, openScene, part, projectionOf, settled, textOf } from './scenes.ts';

const clearing = readFileSync(
  new URL('../../assets/scenarios/clearing.understory.yaml', import.meta.url),
  'utf8',
);

describeApp('shapes on the ground', (app) => {
  /** From above, at rest; returns what drags from one place of the level ground to another. */
  async function fromAbove(page: Page) {
    await chooseCamera(page, 'Top');
    await page.getByTestId('scene-canvas').press('f');
    await page.waitForTimeout(800);
    await settled(page);
    const pixelOf = await projectionOf(page);
    const dragM = (from: number[], to: number[]): Promise<void> =>
      drag(page, pixelOf(from), pixelOf(to));
    return { pixelOf, dragM };
  }
  const undone = async (page: Page, to: string): Promise<void> => {
    await page.getByTestId('undo').click();
    await eventually(() => textOf(page)).toBe(to);
  };
  /** Numbers of the text behind this, of the first such list. */
  const numbersAfter = async (page: Page, beginning: string): Promise<number[]> => {
    const text = await textOf(page);
    const line = text.slice(text.indexOf(beginning) + beginning.length).split('\n')[0] ?? '';
    return [...line.matchAll(/-?\d+(\.\d+)?/g)].map(([number]) => Number(number));
  };
  const expectNear = (found: number[], wanted: number[], withinM = 0.15): void => {
    expect(found.length).toBe(wanted.length);
    for (const [index, value] of wanted.entries()) {
      expect(Math.abs((found[index] ?? NaN) - value), found.join(', ')).toBeLessThan(withinM);
    }
  };

  it('move walls and corners of areas, add and remove corners, one step each', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    expect(await textOf(page)).toBe(clearing);
    // The area with the walls around it, so that their ends are in the view.
    await part(page, 'scene.scatters[1]').click();
    await part(page, 'scene.walls[0]').click({ modifiers: ['Control'] });
    const { dragM } = await fromAbove(page);
    await part(page, 'scene.walls[0]').click();
    await dragM([20.4, -20.2], [15, -16]);
    await eventually(() => numbersAfter(page, 'toM:')).not.toEqual([20.4, -20.2]);
    expectNear(await numbersAfter(page, 'toM:'), [15, -16]);
    const moved = await textOf(page);
    expect(moved.split('\n').length).toBe(clearing.split('\n').length);
    expect(await page.getByTestId('undo').getAttribute('title')).toContain(
      'Move point of wall-south',
    );
    await undone(page, clearing);

    await part(page, 'scene.scatters[1]').click();
    const area =
      'name: shrub\n      model: shrub\n      count: 8\n      pattern: poisson-disk\n      minSpacingM: 4\n      areaM:';
    await settled(page);
    await dragM([18, 18], [12, 9]);
    await eventually(() => numbersAfter(page, area)).not.toEqual([
      -18, -18, 18, -18, 18, 18, -18, 18,
    ]);
    expectNear(await numbersAfter(page, area), [-18, -18, 18, -18, 12, 9, -18, 18]);
    // A corner is added where two have a gap.
    await dragM([0, -18], [2, -12]);
    await eventually(async () => (await numbersAfter(page, area)).length).toBe(10);
    expectNear(await numbersAfter(page, area), [-18, -18, 2, -12, 18, -18, 12, 9, -18, 18]);
    await screenshot(page, 'shapes-area-dark');
    // It is selected now, moved by keys, and removed.
    await page.keyboard.press('Shift+ArrowRight');
    await eventually(async () => (await numbersAfter(page, area))[2]).toBeGreaterThan(2.8);
    await page.keyboard.press('Delete');
    await eventually(async () => (await numbersAfter(page, area)).length).toBe(8);
    await page.keyboard.press('Control+z');
    await eventually(async () => (await numbersAfter(page, area)).length).toBe(10);
  });

  it('move zones and routes, by a line the whole', async () => {
    const page = await openScene(app, 'clearing', 'light');
    await part(page, 'scene.scatters[0]').click();
    const { dragM, pixelOf } = await fromAbove(page);
    const zone = 'keepClear:\n        -';
    // Its edge to the east, then its centre.
    await dragM([-3, -7], [-5, -7]);
    await eventually(() => numbersAfter(page, zone)).not.toEqual([-9, -7, 6]);
    expectNear(await numbersAfter(page, zone), [-9, -7, 4]);
    await dragM([-9, -7], [-10, 3]);
    await eventually(async () => (await numbersAfter(page, zone))[1]).toBeGreaterThan(0);
    expectNear(await numbersAfter(page, zone), [-10, 3, 4]);

    await part(page, 'mission').click();
    await dragM([7, 5], [3, 10]);
    await eventually(() => numbersAfter(page, 'goalM:')).not.toEqual([7, 5, 20]);
    expectNear(await numbersAfter(page, 'goalM:'), [3, 10, 20]);
    expect(await textOf(page)).toContain('] # 20 m away');
    // The line between them moves both.
    const [fromX = 0, fromY = 0] = await numbersAfter(page, 'startM:');
    const [toX = 0, toY = 0] = await numbersAfter(page, 'goalM:');
    const middle = [(fromX + toX) / 2, (fromY + toY) / 2];
    await dragM(middle, [middle[0]! + 3, middle[1]! - 2]);
    await eventually(() => numbersAfter(page, 'startM:')).not.toEqual([fromX, fromY]);
    expectNear(await numbersAfter(page, 'startM:'), [fromX + 3, fromY - 2]);
    expectNear(await numbersAfter(page, 'goalM:'), [toX + 3, toY - 2, 20]);
    await screenshot(page, 'shapes-mission-light');
    expect(await page.locator('.problem').allInnerTexts()).toEqual([]);
    // Escape ends a drag, and nothing has changed.
    const before = await textOf(page);
    const [start, aside] = [pixelOf([fromX + 3, fromY - 2]), pixelOf([0, 0])];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(aside.x, aside.y, { steps: 4 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await page.waitForTimeout(500);
    expect(await textOf(page)).toBe(before);
  });

  it('go along with the handles of several parts, in one step', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    await part(page, 'scene.instances[0]').click();
    for (const path of ['scene.scatters[0]', 'mission']) {
      await part(page, path).click({ modifiers: ['Control'] });
    }
    await page.getByTestId('many-line').getByText('3 parts').waitFor();
    const { pixelOf } = await fromAbove(page);
    await page.getByTestId('many-line').getByRole('button', { name: 'Move', exact: true }).click();
    await settled(page);
    const middles = ['scatters', 'mission'].map((word) =>
      middleOf(
        groundShapes(documentData(clearing), (path) => path.includes(word))
          .filter(({ part: [, list, index] }) => list !== 'scatters' || index === 0)
          .flatMap(({ pointsM }) => pointsM),
      ),
    );
    const [x, y] = middleOf([[-1, -1], ...middles]);
    const grip = pixelOf([x, y]);
    await screenshot(page, 'shapes-group-dark');
    await drag(page, { x: grip.x, y: grip.y - 40 }, { x: grip.x, y: grip.y - 90 });
    await eventually(() => textOf(page)).not.toBe(clearing);
    const oak = await numbersAfter(page, 'model: tree, positionM:');
    const byM = (oak[1] ?? 0) + 1;
    expect(byM).toBeGreaterThan(0.5);
    expect(oak[0]).toBe(-1);
    const north = (places: number[]): number[] => places.map((one, at) => one + (at % 2) * byM);
    expectNear(
      await numbersAfter(page, 'minSpacingM: 8\n      areaM:'),
      north([-17, -17, 17, -17, 17, 17, -17, 17]),
    );
    expectNear((await numbersAfter(page, 'keepClear:\n        -')).slice(0, 2), north([-9, -7]));
    expectNear(await numbersAfter(page, 'startM:'), north([-9, -7]));
    expectNear((await numbersAfter(page, 'goalM:')).slice(0, 2), north([7, 5]));
    // Scatters that are not selected stay.
    expectNear(
      await numbersAfter(page, 'minSpacingM: 4\n      areaM:'),
      [-18, -18, 18, -18, 18, 18, -18, 18],
    );
    expect(await page.getByTestId('undo').getAttribute('title')).toContain('Move 3 parts');
    await undone(page, clearing);
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
  });

  it('have a handle for the heading of the start', async () => {
    const page = await openScene(app, 'clearing', 'light');
    await part(page, 'mission').click();
    const { dragM } = await fromAbove(page);
    const yawRad = (37 * Math.PI) / 180;
    await dragM([-9 + 4 * Math.cos(yawRad), -7 + 4 * Math.sin(yawRad)], [-9, -2]);
    await eventually(() => numbersAfter(page, 'startYawDeg:')).not.toEqual([37]);
    expectNear(await numbersAfter(page, 'startYawDeg:'), [90], 2);
    expectNear(await numbersAfter(page, 'startM:'), [-9, -7]);
    await settled(page);
    await screenshot(page, 'shapes-heading-light');
    await undone(page, clearing);
  });

  it('have handles for the cost map, which stays whole cells', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    await part(page, 'navigation').click();
    const { dragM } = await fromAbove(page);
    await page.locator('.label.name:visible', { hasText: 'navigation: cost map' }).waitFor();
    await screenshot(page, 'shapes-cost-map-dark');
    // 100 cells of 0.5 m about the middle of start and goal, (-1, -1), by its corner in the south-west.
    await dragM([-26, -26], [-16, -21]);
    await eventually(() => textOf(page)).toContain('originM:');
    const [cells = NaN, x, y] = await numbersAfter(page, 'costMap:');
    expect(Math.abs(cells - 90)).toBeLessThan(2);
    expect([x, y]).toEqual([24 - cells / 2, 24 - cells / 2]);
    await settled(page);
    await screenshot(page, 'shapes-cost-map-smaller-dark');
    expect(await page.getByTestId('undo').getAttribute('title')).toContain('Move point of');
    await undone(page, clearing);
  });

  it('have handles for the tiles of a landscape, and for what is in them', async () => {
    const file = join(app.host.dataFolder, 'forest.understory.yaml');
    writeFileSync(file, forest);
    const page = await app.open('light', { at: 'scene' });
    await page.getByLabel('File on the server').fill(file);
    await page.getByRole('button', { name: 'Open file' }).click();
    await settled(page);
    await part(page, 'scene.landscapes[0]').click();
    const { dragM } = await fromAbove(page);
    await screenshot(page, 'shapes-tile-light');
    await dragM([0, -15], [10, -15]);
    await eventually(() => numbersAfter(page, 'sideM:')).not.toEqual([20]);
    expectNear(await numbersAfter(page, 'sideM:'), [30], 0.3);
    const side = await textOf(page);
    await settled(page);
    await dragM([-8, -8], [-2, -14]);
    await eventually(() => textOf(page)).not.toBe(side);
    // Relative to the corner of the tile at (-20, -20).
    expectNear(await numbersAfter(page, 'count: 4\n          areaM:'), [0, 0, 12, 0, 18, 6], 0.3);
    expect(await page.locator('.problem').allInnerTexts()).toEqual([]);
    await undone(page, side);
    await undone(page, forest);
  });

  it('lie on hills, where they are seen and dragged', async () => {
    const file = join(app.host.dataFolder, 'hill.understory.yaml');
    const heights = fileURLToPath(new URL('../../assets/scenarios/hillside.png', import.meta.url));
    writeFileSync(file, hill.replace('HEIGHTS', heights));
    const page = await app.open('dark', { at: 'scene' });
    await page.getByLabel('File on the server').fill(file);
    await page.getByRole('button', { name: 'Open file' }).click();
    await settled(page);
    await part(page, 'survey').click();
    const canvas = page.getByTestId('scene-canvas');
    await canvas.press('f');
    await page.waitForTimeout(800);
    await settled(page);
    await screenshot(page, 'shapes-hill-dark');
    // The label of a tripod is above its handle, which is on the hill.
    const label = page.locator('.label.name:visible', { hasText: /^middle$/ });
    const box = await label.boundingBox();
    if (box === null) throw new Error('no label of the position');
    const foot = { x: box.x + box.width / 2, y: box.y + box.height + 9 };
    const level = (await projectionOf(page))([0, 0, 0]);
    expect(level.y - foot.y).toBeGreaterThan(15);
    await drag(page, foot, { x: foot.x + 60, y: foot.y + 10 });
    await eventually(() => numbersAfter(page, 'name: middle, positionM:')).not.toEqual([0, 0, 1.8]);
    // Its height above the ground stays.
    expect((await numbersAfter(page, 'name: middle, positionM:'))[2]).toBe(1.8);
    await focusOn(canvas);
    // By the keyboard alone: the next point, three steps.
    const before = await numbersAfter(page, 'name: second, positionM:');
    await page.keyboard.press('v');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await eventually(async () => {
      const now = await numbersAfter(page, 'name: second, positionM:');
      return Math.hypot(now[0]! - before[0]!, now[1]! - before[1]!);
    }).toBeCloseTo(3, 6);
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);
  });
});

const hill = `understory: 2
name: Hill
seed: 1
scene:
  materials:
    soil: { reflectance: 0.4, colour: '#a08a68' }
  models:
    post: { kind: box, sizeM: [1, 1, 4], material: soil }
  ground: { kind: height-field, file: HEIGHTS, sizeM: [120, 120], zM: [10, 40], material: soil }
  instances:
    - { name: post, model: post, positionM: [20, 20, 2] }
sensors:
  - { name: tripod, sensor: vz-400i, mount: { positionM: [0, 0, 1.8] } }
survey:
  kind: positions
  sensor: tripod
  positions:
    - { name: middle, positionM: [0, 0, 1.8] }
    - { name: second, positionM: [10, 10, 1.8] }
`;

const forest = `understory: 2
name: Forest
seed: 1
scene:
  materials:
    soil: { reflectance: 0.4, colour: '#a08a68' }
  models:
    post: { kind: box, sizeM: [0.4, 0.4, 3], material: soil }
  ground: { kind: plane, sizeM: [60, 60], material: soil }
  landscapes:
    - name: forest
      areaM: [[-20, -20], [20, -20], [20, 20], [-20, 20]]
      sideM: 20
      tiles: 2
      scatters:
        - name: posts
          model: post
          count: 4
          areaM: [[0, 0], [12, 0], [12, 12]]
sensors: []
`;
