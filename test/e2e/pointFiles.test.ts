// Point clouds of other programs on the page: dropped from this computer or opened by their path, they are shown by an
// octree, beside nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeLas, type LasPoint } from '#test/services/logs/lasFiles.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { dropFile } from './dropFile.ts';

const side = 300;
const offset = [636_000, 5_400_000, 300] as const;
/** A hill of 90 m × 90 m with a row of crowns. */
const hill: LasPoint[] = Array.from({ length: side ** 2 }, (_, row) => {
  const [x, y] = [0.3 * (row % side), 0.3 * Math.floor(row / side)];
  const groundM = 6 * Math.exp(-((x - 45) ** 2 + (y - 45) ** 2) / 600);
  const away = Math.hypot((x % 15) - 7.5, (y % 30) - 15);
  const crownM = away < 4 ? Math.sqrt(16 - away ** 2) + 5 : 0;
  const isCrown = crownM > 0 && row % 3 > 0;
  return {
    positionM: [offset[0] + x, offset[1] + y, offset[2] + groundM + (isCrown ? crownM : 0)],
    timeS: 0,
    intensity: isCrown ? 900 : 300,
    classification: isCrown ? 5 : 2,
  };
});

const cloudText = (page: Page): Promise<string> => page.getByTestId('log-text').innerText();

describeApp('point clouds of other programs', (app) => {
  it('are shown once they are dropped on the page, and again later', async () => {
    const file = join(temporaryFolder(), 'hill.las');
    writeLas(file, hill, offset);
    const page = await app.open('dark', { at: 'runs' });
    await page.getByTestId('first-drive').waitFor();
    await dropFile(page, 'hill.las', readFileSync(file));
    await eventually(() => page.url()).toContain('#/learn');
    await eventually(() => cloudText(page)).toBe('hill.las · 90.0 k returns');
    await page.getByText('Height in m').waitFor();
    await page.waitForTimeout(2500);
    await screenshot(page, 'cloud-height-dark');
    const key = page.locator('.key.left figure');
    const automatic = await key.innerText();
    await page.getByTestId('cloud-range').click();
    await page.getByLabel('Upper end of the colour scale').press('Home');
    await page.getByRole('button', { name: 'Automatic range' }).waitFor();
    await eventually(() => key.innerText()).not.toBe(automatic);
    await page.waitForTimeout(700);
    await screenshot(page, 'cloud-range-dark');
    expect(await faultsOf(page, ['learn-view'])).toEqual([]);
    await page.getByRole('button', { name: 'Automatic range' }).click();
    await eventually(() => key.innerText()).toBe(automatic);
    await page.keyboard.press('Escape');
    await page.getByTestId('cloud-by').selectOption('class');
    await page.getByText('high vegetation').waitFor();
    await page.getByTestId('cloud-hill.las').waitFor();
    await page.waitForTimeout(1500);
    await screenshot(page, 'cloud-class-dark');
    expect(await faultsOf(page, ['learn-clouds', 'learn-view'])).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.waitForTimeout(700);
    expect(await faultsInSight(page)).toEqual([]);
    await page.reload();
    await eventually(() => cloudText(page)).toBe('hill.las · 90.0 k returns');
  });

  it('are shown in their colours where they have them, and a clicked point with its values', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'coloured.las');
    const coloured = hill.map((point, row): LasPoint => {
      const isStripe = Math.floor(row / (10 * side)) % 3 === 0;
      const soil = isStripe ? ([150, 110, 60, 0] as const) : ([90, 140, 60, 0] as const);
      return { ...point, colours: point.classification === 5 ? [40, 90, 30, 0] : soil };
    });
    writeLas(file, coloured, offset, { format: 3 });
    const plain = join(folder, 'grey.las');
    writeLas(plain, hill.slice(0, 5000), offset);
    const page = await app.open('dark', { at: 'scene' });
    const openFile = async (path: string): Promise<void> => {
      await page.keyboard.press('Control+o');
      await page.getByTestId('open-path').fill(path);
      await page.getByTestId('open-path').press('Enter');
    };
    await page.getByTestId('open-box').waitFor();
    await openFile(file);
    await eventually(() => cloudText(page)).toBe('coloured.las · 90.0 k returns');
    await page.getByTestId('cloud-by').selectOption('rgb');
    await page.getByText('Colours of the file.').waitFor();
    await page.waitForTimeout(1500);
    await screenshot(page, 'cloud-rgb-dark');
    const canvas = page.getByTestId('learn-canvas');
    await canvas.focus();
    await canvas.press('Enter');
    const values = page.getByTestId('point-values');
    await eventually(() => values.innerText()).toMatch(
      /^intensity [39]00 · class .+ \([25]\) · RGB (?:150, 110, 60|90, 140, 60|40, 90, 30)$/,
    );
    await page.waitForTimeout(800);
    await screenshot(page, 'cloud-rgb-picked-dark');
    expect(await faultsOf(page, ['learn-view', 'learn-ranges'])).toEqual([]);

    await openFile(plain);
    await eventually(() => cloudText(page)).toBe('grey.las · 5.00 k returns');
    const choices = page.getByTestId('cloud-by').locator('option');
    await eventually(() => choices.allInnerTexts()).toEqual(['Height', 'Intensity', 'Class']);
    expect(await page.getByTestId('cloud-by').inputValue()).toBe('height');
  });

  it('are compared by the distances to another one', async () => {
    const folder = temporaryFolder();
    const [now, before] = [join(folder, 'now.las'), join(folder, 'before.las')];
    writeLas(now, hill, offset);
    const isGround = ({ classification }: LasPoint): boolean => classification === 2;
    // Before, there were no crowns, and the ground was 5 cm lower.
    const lower = hill.filter(isGround).map((point): LasPoint => {
      const [x, y, z] = point.positionM;
      return { ...point, positionM: [x, y, z - 0.05] };
    });
    writeLas(before, lower, offset);
    const page = await app.open('dark', { at: 'scene' });
    await page.getByTestId('open-box').waitFor();
    for (const file of [before, now]) {
      await page.keyboard.press('Control+o');
      await page.getByTestId('open-path').fill(file);
      await page.getByTestId('open-path').press('Enter');
      await page.getByTestId(`cloud-${basename(file)}`).waitFor();
    }
    await eventually(() => cloudText(page)).toBe('now.las · 90.0 k returns');
    await page.getByTestId('distance-to').selectOption(before);
    await eventually(() => page.getByTestId('cloud-by').inputValue()).toBe('distance');
    const text = await page.getByTestId('cloud-distances').innerText();
    const [, meanM = '', rmsM = ''] = /^mean ([\d.]+) m · RMS ([\d.]+) m$/.exec(text) ?? [];
    const crowns = hill.filter((point) => !isGround(point)).length / hill.length;
    // Ground is 5 cm away at most, and crowns between 5 m less the slope of the ground, and 9 m.
    expect(Number(meanM)).toBeGreaterThan(4 * crowns);
    expect(Number(meanM)).toBeLessThan(0.05 + 9 * crowns);
    expect(Number(rmsM)).toBeGreaterThan(4 * Math.sqrt(crowns));
    await page.waitForTimeout(1500);
    await screenshot(page, 'cloud-distances-dark');
    const canvas = page.getByTestId('learn-canvas');
    await canvas.focus();
    await canvas.press('Enter');
    await eventually(() => page.getByTestId('point-values').innerText()).toMatch(
      /class .+ \([25]\) · distance \d\.\d{3} m$/,
    );
    expect(await faultsOf(page, ['learn-view', 'learn-ranges'])).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.waitForTimeout(700);
    expect(await faultsInSight(page)).toEqual([]);
    await screenshot(page, 'cloud-distances-small');

    await page.getByTestId('distance-to').selectOption({ label: 'nothing' });
    await eventually(() => page.getByTestId('cloud-by').inputValue()).toBe('height');
    await page.getByText('Height in m').waitFor();
  });

  it('are opened by their path, and refused with a reason', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'plot.las');
    writeLas(file, hill.slice(0, 5000), offset);
    const page = await app.open('light', { at: 'scene' });
    await page.getByTestId('open-box').waitFor();
    await page.keyboard.press('Control+o');
    await page.getByTestId('open-path').fill(file);
    await screenshot(page, 'cloud-open-light');
    await page.getByTestId('open-path').press('Enter');
    await eventually(() => cloudText(page)).toBe('plot.las · 5.00 k returns');

    const cut = join(folder, 'cut.laz');
    writeFileSync(cut, readFileSync(file).subarray(0, 900));
    await page.getByTestId('open-cloud').click();
    await page.getByTestId('open-cloud-path').fill(cut);
    await page.getByTestId('open-cloud-path').press('Enter');
    await page.locator('[data-panel=learn-view] .error').getByText('cut.laz').waitFor();
    await screenshot(page, 'cloud-damaged-light');
    await page.getByTestId('cloud-plot.las').click();
    await eventually(() => cloudText(page)).toBe('plot.las · 5.00 k returns');

    await dropFile(page, 'scan.e57', Buffer.from('ASTM-E57'));
    await page.getByTestId('refusal').getByText('pdal translate scan.e57').waitFor();
    expect(await page.getByTestId('cloud-scan.e57').count()).toBe(0);
  });
});
