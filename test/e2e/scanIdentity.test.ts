// A scan keeps the scene that it was made in: its object names, its version, and whether a command can repeat it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { openScene, settled, textOf, part } from './scenes.ts';

describeApp('what a scan belongs to', (app) => {
  it('ui-01 names of hits stay those of the scanned scene', async () => {
    const page = await openScene(app, 'box', 'dark');
    await scanOnce(page);
    await page.getByTestId('look-into-pulse').click();
    const pulse = page.getByTestId('pulse-panel');
    await pulse.getByTestId('pulse-return').first().waitFor();
    const before = await namesIn(page);
    expect(before.length).toBeGreaterThan(0);
    await openByPalette(page, 'Clearing');
    await page.getByTestId('pulse-relation').getByText('scene: box').waitFor();
    expect(await namesIn(page)).toEqual(before);
    await page.keyboard.press('.');
    await pulse.getByText('The scene has changed since this scan. Scan again.').waitFor();
    expect(await pulse.getByTestId('pulse-return').count()).toBe(0);
    await page.getByTestId('scans').locator('li').first().waitFor();
  });

  it('ui-02 scans of another scene or version are marked and hidden', async () => {
    const page = await openScene(app, 'box', 'dark');
    await scanOnce(page);
    const relation = page.getByTestId('scan-relation');
    const note = page.getByTestId('scan-note');
    expect(await relation.count()).toBe(0);
    await moveBox(page, '3');
    await page.getByRole('tab', { name: 'Scans' }).click();
    await eventually(() => relation.innerText()).toBe('before 1 edit');
    await note.getByText('1 scan of another scene or version hidden').waitFor();
    await page.getByTestId('scan-older').check();
    await note.getByText('1 scan of an earlier version of this scene drawn').waitFor();
    await screenshot(page, 'scan-outdated-dark');
    await page.keyboard.press('Control+z');
    await relation.waitFor({ state: 'detached' });
    await note.waitFor({ state: 'detached' });
    await openByPalette(page, 'Clearing');
    await eventually(() => relation.innerText()).toBe('scene: box');
    await note.getByText('1 scan of another scene or version hidden').waitFor();
    expect(await page.getByTestId('scan-older').count()).toBe(0);
    await screenshot(page, 'scan-other-scene-dark');
  });

  it('ui-03 a command is not offered for unsaved edits', async () => {
    const page = await openScene(app, 'box', 'light');
    await page.getByRole('tab', { name: 'Scans' }).click();
    const scans = page.getByTestId('scans-panel');
    const tools = page.getByRole('toolbar', { name: 'Scene view' });
    await scans.getByTestId('copy').waitFor();
    await moveBox(page, '3');
    await page.getByRole('tab', { name: 'Scans' }).click();
    for (const place of [scans, tools]) {
      await place.getByTestId('save-to-copy').waitFor();
      expect(await place.getByTestId('copy').count()).toBe(0);
    }
    await screenshot(page, 'copy-unsaved-light');
    await page.getByTestId('scan-once').click();
    await eventually(() => page.getByTestId('scans').locator('li').count()).toBe(1);
    await scans.getByTestId('save-to-copy').click();
    const name = page.getByTestId('save-name');
    await eventually(() => name.inputValue()).toContain('my-box.understory.yaml');
    await page.getByTestId('save-confirm').click();
    await scans.getByTestId('copy').waitFor();
    for (const place of [scans, tools]) {
      const line = await place.getByTestId('copy').getAttribute('title');
      expect(line).toContain('my-box.understory.yaml');
    }
  });
});

async function scanOnce(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Scans' }).click();
  await page.getByTestId('scan-once').click();
  await eventually(() => page.getByTestId('scans').locator('li').count()).toBe(1);
}

/** Names of the surfaces that the rays of the shown pulse hit. */
function namesIn(page: Page): Promise<string[]> {
  return page.getByTestId('pulse-panel').locator('table td:nth-child(4)').allInnerTexts();
}

async function openByPalette(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`Open scenario: ${title}`);
  await page.keyboard.press('Enter');
  await eventually(() => page.getByTestId('document-name').textContent()).toContain(
    title.toLowerCase(),
  );
  await settled(page);
}

async function moveBox(page: Page, x: string): Promise<void> {
  await page.getByRole('tab', { name: 'Contents' }).click();
  await part(page, 'scene.instances[0]').click();
  await page.getByTestId('field-positionM.0').fill(x);
  await page.getByTestId('field-positionM.0').press('Tab');
  await eventually(() => textOf(page)).toContain(`positionM: [${x},`);
}
