// Weather and wind of a scene in the page: kinds of weather added, changed and removed by form, parts of the vehicle's
// body too, and the scene drawn in them.
import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { openScene, part, settled, textOf } from './scenes.ts';

async function fill(page: Page, name: string, value: string): Promise<void> {
  await page.getByTestId(`field-${name}`).fill(value);
  await page.getByTestId(`field-${name}`).press('Tab');
}

/** The entry of the text that begins with this: its line, and those that are further in. */
async function entryOf(page: Page, beginning: string): Promise<string> {
  const lines = (await textOf(page)).split('\n');
  const from = lines.findIndex((line) => line.trimStart().startsWith(beginning));
  if (from === -1) return '';
  const depth = (line: string): number => line.search(/\S/);
  const end = lines.findIndex(
    (line, index) => index > from && depth(line) <= depth(lines[from] ?? ''),
  );
  return lines
    .slice(from, end)
    .map((line) => line.trim())
    .join(' ');
}

/** A tree in the view, beside the field of view of the sensor: a PNG. */
async function treeIn(page: Page): Promise<Buffer> {
  const box = await page.getByTestId('scene-canvas').boundingBox();
  if (box === null) throw new Error('there is no view');
  const { x, y, width, height } = box;
  const clip = {
    x: x + 0.77 * width,
    y: y + 0.42 * height,
    width: 0.15 * width,
    height: 0.2 * height,
  };
  return page.screenshot({ clip });
}

/** Standard deviation of the green of its pixels. */
function contrast(png: Buffer): number {
  const { data, channels } = decode(png);
  const greens = Float64Array.from(
    { length: data.length / channels },
    (_, at) => data[channels * at + 1] ?? 0,
  );
  const mean = greens.reduce((sum, green) => sum + green, 0) / greens.length;
  const squares = greens.reduce((sum, green) => sum + (green - mean) ** 2, 0);
  return Math.sqrt(squares / greens.length);
}

describeApp('weather and wind of a scene', (app) => {
  it('are added, changed and removed by their forms', async () => {
    const page = await openScene(app, 'clearing', 'light');
    await page.getByTestId('add-part').selectOption('weather');
    await part(page, 'scene.weather').waitFor();
    await eventually(() => entryOf(page, 'weather:')).toContain('rateMmPerH: 10');
    await page.getByTestId('remove-rain').click();
    await eventually(() => entryOf(page, 'weather:')).not.toContain('rain');
    await page.getByTestId('add-rain').click();
    await fill(page, 'rain.rateMmPerH', '25');
    await eventually(() => entryOf(page, 'weather:')).toContain('rateMmPerH: 25');
    for (const kind of ['snow', 'fog', 'smoke', 'dust', 'wheelDust']) {
      await page.getByTestId(`add-${kind}`).click();
      await eventually(() => entryOf(page, 'weather:')).toContain(kind);
    }
    await page.getByTestId('field-snow.wetness').selectOption('wet');
    await fill(page, 'fog.visibilityM', '120');
    await eventually(() => entryOf(page, 'weather:')).toContain('visibilityM: 120');
    expect(await page.locator('.problem').allInnerTexts()).toEqual([]);
    expect(await faultsOf(page, ['scene-properties'])).toEqual([]);
    await settled(page);
    await screenshot(page, 'weather-form-light');
    expect(await faultsInSight(page)).toEqual([]);
    for (const kind of ['rain', 'snow', 'smoke', 'dust', 'wheelDust']) {
      await page.getByTestId(`remove-${kind}`).click();
      await eventually(() => entryOf(page, 'weather:')).not.toContain(kind);
    }
    expect(await entryOf(page, 'weather:')).toContain('fog');

    await page.getByTestId('add-part').selectOption('wind');
    await part(page, 'scene.wind').waitFor();
    await fill(page, 'speedMPerS', '12');
    await fill(page, 'directionDeg', '90');
    await eventually(() => entryOf(page, 'wind:')).toContain('directionDeg: 90');
    expect(await entryOf(page, 'wind:')).toContain('speedMPerS: 12');
    await fill(page, 'directionDeg', '');
    await eventually(() => entryOf(page, 'wind:')).not.toContain('directionDeg');
    await settled(page);
    await screenshot(page, 'wind-form-light');
    await page.getByTestId('delete').click();
    await eventually(() => entryOf(page, 'wind:')).toBe('');
  });

  it('are drawn as they are edited, until they are switched off', async () => {
    const page = await openScene(app, 'clearing', 'light');
    const air = page.getByTestId('scene-air');
    const visibility = page.getByTestId('visibility');
    expect([await air.count(), await page.getByTestId('show-air').count()]).toEqual([0, 0]);
    const clear = await treeIn(page);
    await page.getByTestId('add-part').selectOption('weather');
    await eventually(() => visibility.innerText()).toBe('5 km');
    await page.getByTestId('remove-rain').click();
    await eventually(() => air.count()).toBe(0);
    await page.getByTestId('add-fog').click();
    await fill(page, 'fog.visibilityM', '60');
    await eventually(() => visibility.innerText()).toBe('60 m');
    await settled(page);
    await screenshot(page, 'fog-light');
    const foggy = await treeIn(page);
    expect(contrast(foggy)).toBeLessThan(0.7 * contrast(clear));
    await fill(page, 'fog.visibilityM', '15');
    await eventually(async () => contrast(await treeIn(page))).toBeLessThan(0.7 * contrast(foggy));

    await page.getByTestId('add-part').selectOption('wind');
    const speed = page.getByTestId('wind-speed');
    const arrow = page.getByTestId('wind-arrow');
    await eventually(() => speed.innerText()).toBe('8.00 m/s');
    const before = await arrow.getAttribute('transform');
    await fill(page, 'directionDeg', '90');
    await eventually(() => arrow.getAttribute('transform')).not.toBe(before);
    await fill(page, 'speedMPerS', '15.5');
    await eventually(() => speed.innerText()).toBe('15.50 m/s');
    expect(await faultsOf(page, ['scene-view'])).toEqual([]);

    await page.getByTestId('show-air').uncheck();
    await eventually(() => air.count()).toBe(0);
    await eventually(async () => contrast(await treeIn(page))).toBeGreaterThan(
      0.95 * contrast(clear),
    );
    await screenshot(page, 'fog-off-light');
  });

  it('stand beside a body of the vehicle, of boxes and models', async () => {
    const page = await openScene(app, 'clearing', 'dark');
    await part(page, 'vehicle').click();
    await page.getByTestId('add-body').click();
    await eventually(() => entryOf(page, 'body:')).toContain('name: part');
    await page.getByTestId('add-body').click();
    await eventually(() => entryOf(page, 'body:')).toContain('name: part-2');
    await page.getByTestId('field-body.1.name').fill('roof');
    await page.getByTestId('field-body.1.name').press('Enter');
    await fill(page, 'body.1.positionM.2', '1.6');
    await page.getByTestId('field-body[0]').selectOption('1');
    await eventually(() => entryOf(page, 'body:')).toContain('kind: model');
    const body = await entryOf(page, 'body:');
    expect(body).toContain('name: roof');
    expect(body).toContain('1.6');
    expect(await page.locator('.problem').allInnerTexts()).toEqual([]);
    expect(await faultsOf(page, ['scene-properties'])).toEqual([]);
    await settled(page);
    await screenshot(page, 'body-form-dark');
    await page.getByTestId('remove-body[0]').click();
    await eventually(() => entryOf(page, 'body:')).not.toContain('kind: model');
    await page.getByTestId('remove-body[0]').click();
    await eventually(() => entryOf(page, 'body:')).toBe('');
    expect(await page.locator('.problem').allInnerTexts()).toEqual([]);
  });
});
