// A scene edited by form with the real host behind it: numbers, copies, counts, undo, saving with the comments,
// and errors at their fields, of which the text comes away unharmed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  screenshot,
  type RealHost,
} from './browser.ts';

const patience = { timeout: 30_000 };
const axeSource = readFileSync(
  new URL('../../node_modules/axe-core/axe.min.js', import.meta.url),
  'utf8',
);
const sample = readFileSync(
  new URL('../../assets/scenarios/clearing.understory.yaml', import.meta.url),
  'utf8',
);

describe.skipIf(!hasBrowser)('editing a scene in the browser', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });
  beforeEach(async () => {
    host = await openRealHost(built.folder);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await host.close();
  }, 60_000);

  async function openSample(
    id: string,
    theme: 'dark' | 'light',
  ): Promise<Awaited<ReturnType<typeof openPage>>> {
    const opened = await openPage(browser, theme);
    const { page } = opened;
    await page.goto(`${host.web.address}#/scene`);
    await page.locator(`[data-test=open-${id}]`).click();
    await page.locator('[data-test="thing-scene.instances[0]"]').waitFor(patience);
    return opened;
  }

  const thing = (page: Page, path: string) => page.locator(`[data-test="thing-${path}"]`);
  const fieldOf = (page: Page, name: string) => page.locator(`[data-test="field-${name}"]`);
  const textOf = (page: Page): Promise<string> =>
    page.locator('[data-test=scene-text]').inputValue();

  async function fill(page: Page, name: string, value: string): Promise<void> {
    await fieldOf(page, name).fill(value);
    await fieldOf(page, name).press('Tab');
  }

  async function count(page: Page, name: string): Promise<number> {
    const text = await page.locator(`[data-test=plan-${name}]`).innerText();
    const unit = { K: 1e3, M: 1e6 }[text.at(-1) ?? ''] ?? 1;
    return Number.parseFloat(text) * unit;
  }

  it('moves, copies, counts, goes back and saves with every comment', async () => {
    const { page, complaints } = await openSample('clearing', 'dark');
    await expect.poll(() => count(page, 'instances'), patience).toBeGreaterThan(300);
    const before = await count(page, 'instances');

    await thing(page, 'scene.instances[0]').click();
    await fill(page, 'positionM.0', '2.5');
    await expect.poll(() => textOf(page), patience).toContain('positionM: [2.5, -1, 0]');
    // The circles that keep clear of the oak go with it.
    expect(await textOf(page)).toContain('{ centreM: [2.5, -1], radiusM: 8 }');
    await page.locator('[data-test=duplicate]').click();
    await thing(page, 'scene.instances[1]').waitFor();
    await expect
      .poll(() => textOf(page), patience)
      .toContain('name: oak-b, model: tree, positionM: [4.5, -1, 0]');

    await thing(page, 'scene.scatters[2]').click();
    await fill(page, 'count', '100');
    await expect.poll(() => count(page, 'instances'), patience).toBe(before - 250 + 1);
    await screenshot(page, 'scene-edit-dark');

    await page.locator('[data-test=undo]').click();
    await expect.poll(() => count(page, 'instances'), patience).toBe(before + 1);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => count(page, 'instances'), patience).toBe(before - 250 + 1);

    await page.keyboard.press('Control+s');
    const name = page.locator('[data-test=save-name]');
    await expect.poll(() => name.inputValue()).toContain('my-clearing.understory.yaml');
    await screenshot(page, 'scene-save-dark');
    const file = join(host.dataFolder, 'yard.understory.yaml');
    writeFileSync(file, 'mine: 1\n');
    await name.fill(file);
    await page.locator('[data-test=save-confirm]').click();
    await page.getByRole('dialog').getByText('already').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('mine: 1\n');
    await page.locator('[data-test=save-confirm]').click();
    await expect.poll(() => page.locator('[data-test=document-state]').innerText()).toBe('saved');
    const saved = readFileSync(file, 'utf8');
    for (const comment of sample.match(/#.*$/gm) ?? []) expect(saved).toContain(comment);
    expect(saved).toContain('count: 100 # about as dense');
    const checked = await host.understory.handlers['scenario.check'](
      { scenario: file },
      { signal: new AbortController().signal, progress: () => {}, chunk: async () => {} },
    );
    expect(checked.reply.problems).toEqual([]);
    await page.locator('[data-test=drive-through]').click();
    await expect.poll(() => page.locator('[data-test=scenario]').inputValue()).toBe(file);
    expect(complaints).toEqual([]);
  }, 120_000);

  it('shows a problem at its field, keeps the text, and refuses to overwrite what others changed', async () => {
    const { page, complaints } = await openSample('box', 'light');
    const file = join(host.dataFolder, 'scenarios', 'my-box.understory.yaml');
    await thing(page, 'scene.instances[0]').click();
    // What the schema refuses is said while it is typed; the document stays as it was.
    await fieldOf(page, 'scale').fill('-3');
    await page.getByText('expected more than 0, found -3').waitFor();
    await fieldOf(page, 'scale').press('Tab');
    expect(await fieldOf(page, 'scale').inputValue()).toBe('-3');
    expect(await fieldOf(page, 'scale').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('[data-test=document-state]').innerText()).toBe('sample');
    await fill(page, 'scale', '1.5');
    await expect.poll(() => textOf(page)).toContain('scale: 1.5');
    // A text can say anything: of a place only the coordinate that is wrong is marked.
    const right = await textOf(page);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page
      .locator('[data-test=scene-text]')
      .fill(
        right.replace('[5.5, 0, 1]', '[5.5, two, 1]').replace('reflectance: 0.2', 'reflectance: 7'),
      );
    await page.locator('[data-test=text-state]', { hasText: 'and 1 more' }).waitFor();
    await page.getByRole('tab', { name: 'Contents' }).click();
    await page.locator('[data-test=problem]', { hasText: 'positionM' }).click();
    await expect.poll(() => page.locator('[data-test=thing-name]').inputValue()).toBe('box');
    await expect
      .poll(() => fieldOf(page, 'positionM.1').evaluate((one) => one === document.activeElement))
      .toBe(true);
    await page.getByText(/^y: expected a number, found 'two'/).waitFor();
    const areWrong = [0, 1, 2].map((part) =>
      fieldOf(page, `positionM.${part}`).getAttribute('aria-invalid'),
    );
    expect(await Promise.all(areWrong)).toEqual(['false', 'true', 'false']);
    await screenshot(page, 'scene-problems-light');
    await fill(page, 'positionM.1', '0');
    await thing(page, 'scene.materials.ground').click();
    await fill(page, 'reflectance', '0.2');
    await expect.poll(() => page.locator('[data-test=problem]').count()).toBe(0);

    await page.locator('[data-test=save]').click();
    await page.locator('[data-test=save-confirm]').click();
    await expect.poll(() => existsSync(file)).toBe(true);
    await expect.poll(() => page.locator('[data-test=document-state]').innerText()).toBe('saved');
    writeFileSync(file, '# theirs\n');
    await fill(page, 'reflectance', '0.3');
    await expect
      .poll(() => page.locator('[data-test=document-state]').innerText())
      .toBe('not saved');
    await page.locator('[data-test=save]').click();
    await page.getByText('Another program changed this file').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('# theirs\n');
    await screenshot(page, 'scene-conflict-light');
    await page.locator('[data-test=save-over]').click();
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('ground: { reflectance: 0.3');
    expect(complaints).toEqual([]);
  }, 120_000);

  it('adds at a click, imports a mesh, deletes with what depends on it, and keeps drafts', async () => {
    const { page, complaints } = await openSample('box', 'dark');
    const add = page.locator('[data-test=add-thing]');
    await page.locator('[data-test=scene-canvas]').waitFor();
    await expect.poll(() => page.locator('.tools [data-test=measure]').count(), patience).toBe(1);

    await add.selectOption('cylinder');
    await page.getByText('Click where the cylinder goes').waitFor();
    const canvas = await page.locator('[data-test=scene-canvas]').boundingBox();
    if (canvas === null) throw new Error('there is no picture');
    const clickPicture = (): Promise<void> =>
      page.mouse.click(canvas.x + canvas.width / 2, canvas.y + 0.7 * canvas.height);
    await expect
      .poll(async () => {
        await clickPicture();
        return page.getByText('Click where the cylinder goes').count();
      }, patience)
      .toBe(0);
    await thing(page, 'scene.models.cylinder').waitFor();
    const text = await textOf(page);
    const [, x = '', y = ''] =
      /name: cylinder-a, model: cylinder, positionM: \[(.+?), (.+?), 0\]/.exec(text) ?? [];
    expect(Math.hypot(Number(x), Number(y))).toBeGreaterThan(0.1);
    expect(await page.locator('[data-test=thing-name]').inputValue()).toBe('cylinder-a');
    await screenshot(page, 'scene-object-dark');

    const stl = join(host.dataFolder, 'Old rock.stl');
    writeFileSync(
      stl,
      'solid r\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 100 0 0\nvertex 0 100 50\nendloop\nendfacet\nendsolid\n',
    );
    await add.selectOption('mesh');
    await page.locator('[data-test=mesh-file]').fill(stl);
    await page.locator('[data-test=mesh-unit]').selectOption('cm');
    await screenshot(page, 'scene-import-dark');
    await page.locator('[data-test=mesh-add]').click();
    await thing(page, 'scene.models.old-rock').waitFor();
    await expect
      .poll(() => thing(page, 'scene.models.old-rock').innerText(), patience)
      .toContain('1 △');

    // The list and the picture select the same thing.
    await thing(page, 'scene.instances[1]').click();
    const card = page.locator('[data-test=object-card]');
    await card.getByText('sphere').first().waitFor();
    await card.getByRole('button', { name: 'Deselect' }).click();
    await page.getByText('Nothing is selected').waitFor();
    await thing(page, 'scene.models.cylinder').click();
    await page.locator('[data-test=delete]').click();
    await page.getByText('Used by cylinder-a').waitFor();
    await page.locator('[data-test=delete-all]').click();
    await expect.poll(() => textOf(page)).not.toContain('cylinder');
    expect(await page.locator('[data-test=problem]').count()).toBe(0);

    // A text that is no YAML stays as it was typed, and forms wait until it is mended.
    await page.getByRole('tab', { name: 'Text' }).click();
    const typed = `${await textOf(page)}seed: 1\n`;
    await page.locator('[data-test=scene-text]').fill(typed);
    await page.locator('[data-test=text-state]', { hasText: 'unique' }).waitFor();
    await screenshot(page, 'scene-text-dark');
    expect(await textOf(page)).toBe(typed);
    await page.getByRole('tab', { name: 'Contents' }).click();
    await thing(page, 'scene.instances[0]').click();
    await page.getByText('The text is not YAML').waitFor();
    await page.locator('[data-test=undo]').click();
    await expect.poll(() => page.locator('[data-test=problem]').count()).toBe(0);

    await page.locator('[data-test=close-scene]').click();
    await page.locator('[data-test=open-optics]').click();
    await expect
      .poll(() => page.locator('[data-test=document-name]').innerText(), patience)
      .toContain('optics');
    await page.locator('[data-test=close-scene]').click();
    await page.locator('[data-test=open-box]').click();
    await thing(page, 'scene.models.old-rock').waitFor(patience);
    expect(await page.locator('[data-test=document-state]').innerText()).toBe('not saved');
    expect(complaints).toEqual([]);
  }, 180_000);

  it('is free of faults that axe finds, in both themes', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const { page } = await openSample('box', theme);
      await page.evaluate(axeSource);
      for (const path of [
        'scene.instances[0]',
        'scene.walls[0]',
        'scene.materials.wall',
        'sensors[0]',
      ]) {
        await thing(page, path).click();
        await page.locator('[data-test=thing-name]').waitFor();
        if (path === 'scene.instances[0]') await fill(page, 'scale', '-1');
        const faults = await faultsOf(page);
        expect(faults, `${theme} ${path}`).toEqual([]);
      }
    }
  }, 120_000);
});

/** What axe finds wrong with the panels of editing. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    interface Axe {
      run: (at: unknown) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const panels = ['scene-contents', 'scene-properties'].map((id) => [`[data-panel=${id}]`]);
    const { violations } = await axe.run({ include: panels });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
