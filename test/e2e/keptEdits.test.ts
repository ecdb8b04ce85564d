// Unsaved edits are still there when the page was loaded again: scenarios, the open one or not, the
// sensor and its form. And the sensor that one begins with is the scene's own.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { steady } from './drives.ts';
import { textOf, part } from './scenes.ts';

const box = readFileSync(
  new URL('../../assets/scenarios/box.understory.yaml', import.meta.url),
  'utf8',
);

describeApp('edits that are kept', (app) => {
  const nameOf = (page: Page): Promise<string> => page.getByTestId('document-name').innerText();

  /** Opens a sample, whatever is open. */
  async function show(page: Page, sample: string): Promise<void> {
    const tile = page.getByTestId(`open-${sample}`);
    await tile.or(page.getByTestId('document-name')).first().waitFor();
    const isOpen = (await tile.count()) === 0;
    if (isOpen && (await nameOf(page)).startsWith(sample)) return;
    if (isOpen) await page.getByTestId('close-scene').click();
    await tile.click();
    await eventually(() => nameOf(page)).toContain(sample);
    await part(page, 'scene.instances[0]').waitFor();
  }

  async function fill(page: Page, name: string, value: string): Promise<void> {
    await page.getByTestId(`field-${name}`).fill(value);
    await page.getByTestId(`field-${name}`).press('Tab');
  }

  async function sensorForm(page: Page): Promise<void> {
    const panel = page.getByTestId('sensor-panel');
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  }

  /** Loads the page again, and counts how often the browser asked. */
  async function reload(page: Page): Promise<number> {
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.accept();
    });
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    return asked;
  }

  it('come back after a reload, of every scenario and of the sensor', async () => {
    const page = await app.open('dark', { at: 'scene' });
    await show(page, 'box');
    await part(page, 'scene.instances[0]').click();
    await fill(page, 'scale', '1.25');
    await eventually(() => textOf(page)).toContain('scale: 1.25');
    await show(page, 'clearing');
    await part(page, 'scene.instances[0]').click();
    await fill(page, 'yawDeg', '77');
    await eventually(() => textOf(page)).toContain('yawDeg: 77');
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-hdl-32e').click();
    await sensorForm(page);
    await page.getByTestId('field-beam.divergenceHorizontalMrad').fill('6.6');
    const spot = page.locator('[data-test=spot] b');
    await eventually(() => spot.innerText()).toBe('6.6 cm × 1.67 cm');

    expect(await reload(page)).toBe(1);
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.locator('[data-test="sensor-hdl-32e"][aria-pressed=true]').waitFor();
    await eventually(() => spot.innerText()).toBe('6.6 cm × 1.67 cm');
    await sensorForm(page);
    await page.getByTestId('edited').waitFor();
    await page.getByRole('tab', { name: 'Contents' }).click();
    await show(page, 'box');
    await eventually(() => textOf(page)).toContain('scale: 1.25');
    expect(await page.getByTestId('document-state').innerText()).toBe('not saved');
    await show(page, 'clearing');
    await eventually(() => textOf(page)).toContain('yawDeg: 77');
    await page.getByTestId('revert').click();
    await eventually(() => textOf(page)).not.toContain('yawDeg: 77');
  });

  it('are offered, not forced, where the file has been changed since', async () => {
    const file = join(app.host.dataFolder, 'yard.understory.yaml');
    writeFileSync(file, box);
    const page = await app.open('light', { at: 'scene' });
    const open = async (): Promise<void> => {
      await page.keyboard.press('Control+o');
      await page.getByTestId('open-path').fill(file);
      await page.getByTestId('open-path').press('Enter');
      await eventually(() => nameOf(page)).toBe('yard.understory.yaml');
    };
    await open();
    await part(page, 'scene.instances[0]').click();
    await fill(page, 'scale', '1.25');
    await eventually(() => textOf(page)).toContain('scale: 1.25');
    writeFileSync(file, `${box}# theirs\n`);
    await reload(page);
    await page.getByTestId('open-box').or(page.getByTestId('document-name')).first().waitFor();
    if ((await page.getByTestId('document-name').count()) === 0) await open();
    await page.getByTestId('draft-offer').waitFor();
    expect(await textOf(page)).toContain('# theirs');
    expect(await textOf(page)).not.toContain('scale: 1.25');
    await screenshot(page, 'scene-draft-offer-light');
    await page.getByTestId('draft-take').click();
    await eventually(() => textOf(page)).toContain('scale: 1.25');
    expect(await page.getByTestId('draft-offer').count()).toBe(0);
    await page.getByTestId('undo').click();
    await eventually(() => textOf(page)).toContain('# theirs');
    expect(readFileSync(file, 'utf8')).toContain('# theirs');
  });

  it('and so are the tabs in front, in a window of another size', async () => {
    const page = await app.open('dark', { at: 'scene' });
    await page.getByRole('tab', { name: 'Scans' }).click();
    await page.getByRole('tab', { name: 'With/without noise' }).click();
    const width = async (): Promise<number> =>
      (await page.getByTestId('clean-noisy').boundingBox())?.width ?? 0;
    // Why steady: the panels take their places one after another.
    const before = await steady(page, width);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await eventually(width).toBeGreaterThan(before + 200);
    expect(await page.getByTestId('scans-panel').isVisible()).toBe(true);
    expect(await page.getByTestId('clean-noisy').isVisible()).toBe(true);
  });

  it('the sensor is the scene’s own until the user chooses another', async () => {
    const page = await app.open('dark', { at: 'scene' });
    await show(page, 'box');
    await page.getByRole('tab', { name: 'Sensor' }).click();
    const mounted = page.getByTestId('mounted-lidar');
    await eventually(() => mounted.getAttribute('aria-pressed')).toBe('true');
    await eventually(() => mounted.innerText()).toContain('height 1 m');
    await screenshot(page, 'sensor-of-scene-dark');
    await page.getByRole('tab', { name: 'Scans' }).click();
    const form = page.getByTestId('scans-panel');
    await form.getByText('Velodyne VLP-16').waitFor();
    await form.getByText('“lidar” of this scene').waitFor();
    await eventually(() => page.getByTestId('pose-zM').inputValue()).toBe('1');

    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-hdl-32e').click();
    await page.locator('[data-test="sensor-hdl-32e"][aria-pressed=true]').waitFor();
    await page.getByRole('tab', { name: 'Contents' }).click();
    await show(page, 'clearing');
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await eventually(() => mounted.getAttribute('aria-pressed')).toBe('false');
    await mounted.click();
    await eventually(() => mounted.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('tab', { name: 'Scans' }).click();
    await form.getByText('“lidar” of this scene').waitFor();
    await eventually(() => page.getByTestId('pose-xM').inputValue()).toBe('-9');
  });

  it('are told where another tab edits the same file', async () => {
    const file = join(app.host.dataFolder, 'shared.understory.yaml');
    writeFileSync(file, box);
    const openFile = async (one: Page): Promise<void> => {
      await one.getByLabel('File on the server').fill(file);
      await one.getByRole('button', { name: 'Open file' }).click();
      await part(one, 'scene.instances[0]').waitFor();
    };
    const page = await app.open('light', { at: 'scene' });
    await openFile(page);
    expect(await page.getByTestId('elsewhere').count()).toBe(0);
    const other = await page.context().newPage();
    await other.goto(new URL('#/scene', app.host.web.address).href);
    await openFile(other);
    await other.getByTestId('elsewhere').waitFor();
    await page.getByTestId('elsewhere').waitFor();
    await other.close();
    await page.getByTestId('elsewhere').waitFor({ state: 'detached' });
  });
});
