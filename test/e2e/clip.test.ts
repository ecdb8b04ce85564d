// The clip box of views: switched and set by key, numbers and handles; what is outside is not drawn, picked, measured
// or exported.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode } from 'fast-png';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, focusOn } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';
import { driveRun } from './realRuns.ts';
import { chooseCamera, openScene, placeInPicture, settled, type Place } from './scenes.ts';
import { expectRoom } from './viewRoom.ts';

const accents = { dark: [0x4c, 0xcf, 0x96], light: [0x10, 0x79, 0x4f] } as const;

/** Pixels in the middle of a view that `isWanted`, each with its place on the page. */
async function pixelsOf(
  page: Page,
  canvas: Locator,
  isWanted: (rgb: readonly number[]) => boolean,
): Promise<Place[]> {
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('there is no view');
  // The middle, which nothing covers.
  const clip = {
    x: Math.round(box.x + 0.12 * box.width),
    y: Math.round(box.y + 0.3 * box.height),
    width: Math.round(0.76 * box.width),
    height: Math.round(0.5 * box.height),
  };
  const { data, channels, width } = decode(await page.screenshot({ clip }));
  const found: Place[] = [];
  for (let pixel = 0; pixel * channels < data.length; pixel += 1) {
    const rgb = Array.from(data.subarray(pixel * channels, pixel * channels + 3));
    if (isWanted(rgb)) {
      found.push({ x: clip.x + (pixel % width), y: clip.y + Math.floor(pixel / width) });
    }
  }
  return found;
}

/** The handles in the view: discs of the accent colour, wider than its edges. */
async function handles(page: Page, canvas: Locator): Promise<Place[]> {
  const rgb = accents.dark;
  const accent = await pixelsOf(page, canvas, (one) =>
    one.every((value, channel) => Math.abs(value - (rgb[channel] ?? 0)) <= 3),
  );
  const keyOf = ({ x, y }: Place): string => `${Math.round(x)} ${Math.round(y)}`;
  const all = new Set(accent.map(keyOf));
  const isCentre = ({ x, y }: Place): boolean =>
    [-3, 0, 3].every((dx) => [-3, 0, 3].every((dy) => all.has(keyOf({ x: x + dx, y: y + dy }))));
  return accent.filter(isCentre);
}

const number = (page: Page, name: string): Locator => page.getByTestId(`clip-${name}`);
const valueOf = async (page: Page, name: string): Promise<number> =>
  Number(await number(page, name).inputValue());

async function set(page: Page, values: Record<string, number>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await number(page, name).fill(String(value));
    await number(page, name).press('Enter');
  }
}

describeApp('the clip box', (app) => {
  it('limits what a scene shows, picks and measures', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    const canvas = page.getByTestId('scene-canvas');
    await page.getByRole('tab', { name: 'Scans' }).click();
    await page.getByTestId('scan-once').click();
    await page.locator('[data-test=scans] li').waitFor();
    await focusOn(canvas);
    await page.keyboard.press('b');
    await page.getByTestId('clip-line').waitFor();
    // Around all points: the courtyard of 40 m with its walls.
    expect(await valueOf(page, 'size-0')).toBeGreaterThan(39);
    await page.getByTestId('clip-section-1').click();
    expect(await valueOf(page, 'size-1')).toBe(2);
    await settled(page);
    expect(await seriousFaults(page)).toEqual([]);
    await screenshot(page, 'clip-section-dark');
    // The walls beside the section are not drawn, nor are their names.
    await page.locator('.label.name:visible', { hasText: 'oak-a' }).waitFor();
    expect(await page.locator('.label.name:visible', { hasText: 'wall-north' }).count()).toBe(0);

    // Its marks have the colour of soil.
    await page.getByRole('checkbox', { name: 'Sensor' }).uncheck();
    // From the top, 4 m along x and 6 m along y, clear of the tools.
    await chooseCamera(page, 'Top');
    await set(page, { 'centre-0': 0, 'centre-1': 0, 'size-0': 4, 'size-1': 6 });
    await settled(page);
    await page.waitForTimeout(800);
    // Soil, leaves and the box: the sky has more blue.
    const shown = await pixelsOf(
      page,
      canvas,
      ([red = 0, green = 0, blue = 0]) => Math.max(red, green) - blue > 25,
    );
    const acrossPx = shown.map(({ x }) => x).sort((one, other) => one - other);
    const [minX = 0, maxX = Infinity] = [acrossPx[0], acrossPx.at(-1)];
    const box = await canvas.boundingBox();
    // Unclipped, the ground fills the view.
    expect(maxX - minX).toBeLessThan(0.35 * (box?.width ?? 0));

    // Measured is what is drawn: a click into the box, and one far from it.
    await page.getByTestId('measure').click();
    const { y = 0 } = shown[shown.length >> 1] ?? {};
    // Beside the handle in the middle.
    await page.mouse.click((minX + maxX) / 2 + 18, y + 22);
    await page.getByTestId('measured-point').waitFor();
    const far = await placeInPicture(page, 0.75, 0.6);
    await page.mouse.click(far.x, far.y);
    await page.waitForTimeout(300);
    expect(await page.getByTestId('measured-point').count()).toBe(1);
    await page.getByTestId('measure').click();

    // A handle: the box becomes longer where it is dragged, and moves as a whole with Shift.
    await focusOn(canvas);
    await page.keyboard.press('Escape');
    await page.mouse.move(far.x, far.y);
    await page.waitForTimeout(500);
    const found = await handles(page, canvas);
    const right = found.reduce((most, one) => (one.x > most.x ? one : most), { x: 0, y: 0 });
    const before = [await valueOf(page, 'centre-0'), await valueOf(page, 'size-0')] as const;
    const drag = async (): Promise<void> => {
      await page.mouse.move(right.x - 2, right.y);
      await page.mouse.down();
      await page.mouse.move(right.x + 40, right.y, { steps: 4 });
      await page.mouse.up();
    };
    await drag();
    const size = await valueOf(page, 'size-0');
    expect(size).toBeGreaterThan(before[1] + 0.2);
    expect((await valueOf(page, 'centre-0')) - before[0]).toBeCloseTo((size - before[1]) / 2, 2);
    await screenshot(page, 'clip-handles-dark');

    // A line between two points of the ground.
    await page.getByTestId('clip-reset').click();
    await page.getByTestId('clip-along').click();
    await page.getByText('Click the first end of the section.').waitFor();
    const from = await placeInPicture(page, 0.4, 0.45);
    const to = await placeInPicture(page, 0.6, 0.65);
    await page.mouse.click(from.x, from.y);
    await page.getByText('Click the second end').waitFor();
    await page.mouse.click(to.x, to.y);
    await page.getByText('Click the second end').waitFor({ state: 'detached' });
    // To the right and down from the top with north up: towards the south-east.
    const yawDeg = await valueOf(page, 'turn');
    expect(yawDeg).toBeGreaterThan(-60);
    expect(yawDeg).toBeLessThan(-10);
    await focusOn(canvas);
    await page.keyboard.press('b');
    await page.getByTestId('clip-line').waitFor({ state: 'detached' });
  });

  it('limits the cloud of a run, and what is exported of it', async () => {
    await driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seconds: 1, seed: 1 });
    const page = await app.open('light', { at: 'runs' });
    await page.getByTestId('row-finished').dblclick();
    const run = page.getByTestId('run-page');
    await run.getByTestId('moment').waitFor();
    await page.waitForTimeout(1000);
    await page.locator('body').press('b');
    await page.getByTestId('clip-line').waitFor();
    await expectRoom(run.getByTestId('replay'), 0.2);
    await set(page, { 'centre-0': 0, 'centre-1': 0, 'size-0': 6, 'size-1': 40, 'size-2': 20 });
    await page.waitForTimeout(1500);
    await screenshot(page, 'clip-run-light');
    expect(await seriousFaults(page)).toEqual([]);

    await page.getByTestId('export').click();
    await page.getByTestId('export-csv').check();
    const file = join(temporaryFolder(), 'inside.csv');
    await page.getByTestId('export-file').fill(file);
    await page.getByTestId('export-start').click();
    await page.getByTestId('exported').waitFor();
    const [head = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const column = head.split(',').indexOf('x_m');
    const xM = lines.map((line) => Number(line.split(',')[column]));
    expect(Math.min(...xM)).toBeGreaterThanOrEqual(-3);
    expect(Math.max(...xM)).toBeLessThanOrEqual(3);
    expect(xM.length).toBeGreaterThan(100);
  });
});
