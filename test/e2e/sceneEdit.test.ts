// A scene edited by form with the real host behind it: numbers, copies, counts, undo, saving with the comments,
// and errors at their fields, of which the text comes away unharmed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, type Theme } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { callHost } from './realRuns.ts';
import { placeInPicture, textOf, part } from './scenes.ts';

const sample = readFileSync(
  new URL('../../assets/scenarios/clearing.understory.yaml', import.meta.url),
  'utf8',
);

describeApp('editing a scene in the browser', (app) => {
  async function openSample(id: string, theme: Theme): Promise<Page> {
    const page = await app.open(theme, { at: 'scene' });
    await page.getByTestId(`open-${id}`).click();
    await part(page, 'scene.instances[0]').waitFor();
    return page;
  }

  const fieldOf = (page: Page, name: string) => page.getByTestId(`field-${name}`);

  async function fill(page: Page, name: string, value: string): Promise<void> {
    await fieldOf(page, name).fill(value);
    await fieldOf(page, name).press('Tab');
  }

  async function count(page: Page, name: string): Promise<number> {
    const text = await page.getByTestId(`plan-${name}`).innerText();
    const unit = { K: 1e3, M: 1e6 }[text.at(-1) ?? ''] ?? 1;
    return Number.parseFloat(text) * unit;
  }

  it('moves, copies, counts, undoes and saves with every comment', async () => {
    const page = await openSample('clearing', 'dark');
    await eventually(() => count(page, 'instances')).toBeGreaterThan(300);
    const before = await count(page, 'instances');

    await part(page, 'scene.instances[0]').click();
    await fill(page, 'positionM.0', '2.5');
    await eventually(() => textOf(page)).toContain('positionM: [2.5, -1, 0]');
    // The circles that keep clear of the oak go with it.
    expect(await textOf(page)).toContain('{ centreM: [2.5, -1], radiusM: 8 }');
    await page.getByTestId('duplicate').click();
    await part(page, 'scene.instances[1]').waitFor();
    await eventually(() => textOf(page)).toContain(
      'name: oak-b, model: tree, positionM: [4.5, -1, 0]',
    );

    await part(page, 'scene.scatters[2]').click();
    await fill(page, 'count', '100');
    await eventually(() => count(page, 'instances')).toBe(before - 250 + 1);
    await screenshot(page, 'scene-edit-dark');

    await page.getByTestId('undo').click();
    await eventually(() => count(page, 'instances')).toBe(before + 1);
    await page.keyboard.press('Control+Shift+z');
    await eventually(() => count(page, 'instances')).toBe(before - 250 + 1);

    await page.keyboard.press('Control+s');
    const name = page.getByTestId('save-name');
    await eventually(() => name.inputValue()).toContain('my-clearing.understory.yaml');
    await screenshot(page, 'scene-save-dark');
    const file = join(app.host.dataFolder, 'scenarios', 'yard.understory.yaml');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'mine: 1\n');
    await name.fill(file);
    await page.getByTestId('save-confirm').click();
    await page.getByRole('dialog').getByText('already').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('mine: 1\n');
    await page.getByTestId('save-confirm').click();
    await eventually(() => page.getByTestId('document-state').innerText()).toBe('saved');
    const saved = readFileSync(file, 'utf8');
    for (const comment of sample.match(/#.*$/gm) ?? []) expect(saved).toContain(comment);
    expect(saved).toContain('count: 100 # about as dense');
    const { problems } = await callHost(app.host, 'scenario.check', { scenario: file });
    expect(problems).toEqual([]);
    await page.getByTestId('drive-through').click();
    await eventually(() => page.getByTestId('scenario').inputValue()).toBe(file);
  });

  it('shows a problem at its field, keeps the text, and refuses to overwrite what others changed', async () => {
    const page = await openSample('box', 'light');
    const file = join(app.host.dataFolder, 'scenarios', 'my-box.understory.yaml');
    await part(page, 'scene.instances[0]').click();
    // A value that the schema refuses is marked while it is typed; the document is unchanged.
    await fieldOf(page, 'scale').fill('-3');
    await page.getByText('expected more than 0, found -3').waitFor();
    await fieldOf(page, 'scale').press('Tab');
    expect(await fieldOf(page, 'scale').inputValue()).toBe('-3');
    expect(await fieldOf(page, 'scale').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByTestId('document-state').innerText()).toBe('sample');
    await fill(page, 'scale', '1.5');
    await eventually(() => textOf(page)).toContain('scale: 1.5');
    // A text can say anything: of a place only the coordinate that is wrong is marked.
    const right = await textOf(page);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page
      .getByTestId('scene-text')
      .fill(
        right.replace('[5.5, 0, 1]', '[5.5, two, 1]').replace('reflectance: 0.2', 'reflectance: 7'),
      );
    await page.locator('[data-test=text-state]', { hasText: 'and 1 more' }).waitFor();
    await page.getByRole('tab', { name: 'Contents' }).click();
    await page.locator('[data-test=problem]', { hasText: 'positionM' }).click();
    await eventually(() => page.getByTestId('part-name').inputValue()).toBe('box');
    await eventually(() =>
      fieldOf(page, 'positionM.1').evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await page.getByText(/^y: expected a number, found 'two'/).waitFor();
    const areWrong = [0, 1, 2].map((part) =>
      fieldOf(page, `positionM.${part}`).getAttribute('aria-invalid'),
    );
    expect(await Promise.all(areWrong)).toEqual(['false', 'true', 'false']);
    await screenshot(page, 'scene-problems-light');
    await fill(page, 'positionM.1', '0');
    await part(page, 'scene.materials.ground').click();
    await fill(page, 'reflectance', '0.2');
    await eventually(() => page.getByTestId('problem').count()).toBe(0);

    await page.getByTestId('save').click();
    await page.getByTestId('save-confirm').click();
    await eventually(() => existsSync(file)).toBe(true);
    await eventually(() => page.getByTestId('document-state').innerText()).toBe('saved');
    writeFileSync(file, '# theirs\n');
    await fill(page, 'reflectance', '0.3');
    await eventually(() => page.getByTestId('document-state').innerText()).toBe('not saved');
    await page.getByTestId('save').click();
    await page.getByText('The file has changed on disk').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('# theirs\n');
    await screenshot(page, 'scene-conflict-light');
    await page.getByTestId('save-over').click();
    await eventually(() => readFileSync(file, 'utf8')).toContain('ground: { reflectance: 0.3');
  });

  it('adds at a click, imports a mesh, deletes with what depends on it, and keeps drafts', async () => {
    const page = await openSample('box', 'dark');
    const add = page.getByTestId('add-part');
    await page.getByTestId('scene-canvas').waitFor();
    await eventually(() => page.locator('.tools [data-test=measure]').count()).toBe(1);

    await add.selectOption('cylinder');
    await page.getByText('Click in the scene to place: cylinder').waitFor();
    const { x, y } = await placeInPicture(page, 0.5, 0.7);
    await eventually(async () => {
      await page.mouse.click(x, y);
      return page.getByText('Click in the scene to place: cylinder').count();
    }).toBe(0);
    await part(page, 'scene.models.cylinder').waitFor();
    const text = await textOf(page);
    const [, eastM = '', northM = ''] =
      /name: cylinder-a, model: cylinder, positionM: \[(.+?), (.+?), 0\]/.exec(text) ?? [];
    expect(Math.hypot(Number(eastM), Number(northM))).toBeGreaterThan(0.1);
    expect(await page.getByTestId('part-name').inputValue()).toBe('cylinder-a');
    await screenshot(page, 'scene-object-dark');

    const stl = join(app.host.dataFolder, 'Old rock.stl');
    writeFileSync(
      stl,
      'solid r\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 100 0 0\nvertex 0 100 50\nendloop\nendfacet\nendsolid\n',
    );
    await add.selectOption('mesh');
    await page.getByTestId('mesh-file').fill(stl);
    await page.getByTestId('mesh-unit').selectOption('cm');
    await screenshot(page, 'scene-import-dark');
    await page.getByTestId('mesh-add').click();
    await part(page, 'scene.models.old-rock').waitFor();
    await eventually(() => part(page, 'scene.models.old-rock').innerText()).toContain('1 △');

    // The list and the picture select the same part.
    await part(page, 'scene.instances[1]').click();
    const line = page.getByTestId('object-line');
    await line.getByText('sphere').first().waitFor();
    await line.getByRole('button', { name: 'Deselect' }).click();
    await page.getByText('Nothing selected').waitFor();
    await part(page, 'scene.models.cylinder').click();
    await page.getByTestId('delete').click();
    await page.getByText('Used by cylinder-a').waitFor();
    await page.getByTestId('delete-all').click();
    await eventually(() => textOf(page)).not.toContain('cylinder');
    expect(await page.getByTestId('problem').count()).toBe(0);

    // A text that is no YAML stays as it was typed, and forms wait until it is fixed.
    await page.getByRole('tab', { name: 'Text' }).click();
    const typed = `${await textOf(page)}seed: 1\n`;
    await page.getByTestId('scene-text').fill(typed);
    await page.locator('[data-test=text-state]', { hasText: 'unique' }).waitFor();
    await screenshot(page, 'scene-text-dark');
    expect(await textOf(page)).toBe(typed);
    await page.getByRole('tab', { name: 'Contents' }).click();
    await part(page, 'scene.instances[0]').click();
    await page.getByText('The text is not valid YAML').waitFor();
    await page.getByTestId('undo').click();
    await eventually(() => page.getByTestId('problem').count()).toBe(0);

    await page.getByTestId('close-scene').click();
    await page.getByTestId('open-optics').click();
    await eventually(() => page.getByTestId('document-name').innerText()).toContain('optics');
    await page.getByTestId('close-scene').click();
    await page.getByTestId('open-box').click();
    await part(page, 'scene.models.old-rock').waitFor();
    expect(await page.getByTestId('document-state').innerText()).toBe('not saved');
  });

  it('gives materials of the scene to those that a mesh file names', async () => {
    const obj = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'v 0 0 1'];
    const faces = ['usemtl Old bark', 'f 1 2 3', 'usemtl Leaf.001', 'f 1 2 4'];
    writeFileSync(join(app.host.dataFolder, 'tree.obj'), [...obj, ...faces, ''].join('\n'));
    const page = await openSample('box', 'light');
    await page.getByTestId('add-part').selectOption('mesh');
    await page.getByTestId('mesh-file').fill(join(app.host.dataFolder, 'tree.obj'));
    await page.getByTestId('mesh-add').click();
    await part(page, 'scene.models.tree').click();
    await page.getByTestId('field-materials.Leaf.001').selectOption('wall');
    await page.getByTestId('field-materials.Old bark').selectOption('sphere');
    await eventually(() => textOf(page)).toMatch(/Old bark['"]?: sphere/);
    expect(await textOf(page)).toMatch(/Leaf\.001['"]?: wall/);
    expect(await page.locator('[data-test=problem]').count()).toBe(0);
    await screenshot(page, 'scene-mesh-materials-light');
    await page.getByTestId('field-materials.Old bark').selectOption('');
    await eventually(() => textOf(page)).not.toContain('Old bark');
    expect(await textOf(page)).toMatch(/Leaf\.001['"]?: wall/);
  });

  it('is free of faults that axe finds, in both themes', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const page = await openSample('box', theme);
      for (const path of [
        'scene.instances[0]',
        'scene.walls[0]',
        'scene.materials.wall',
        'sensors[0]',
      ]) {
        await part(page, path).click();
        await page.getByTestId('part-name').waitFor();
        if (path === 'scene.instances[0]') await fill(page, 'scale', '-1');
        const faults = await faultsOf(page, ['scene-contents', 'scene-properties']);
        expect(faults, `${theme} ${path}`).toEqual([]);
      }
    }
  });
});
