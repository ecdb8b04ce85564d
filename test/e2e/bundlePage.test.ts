// The page of a run in a bundle, opened from disk in a real browser: no server, no product, no network.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { entriesOf, pack } from '#test/services/bundles/packedRun.ts';
import { eventually } from './app.ts';
import { seriousFaults } from './axe.ts';
import { hasBrowser, launchBrowser, openPage, screenshot } from './browser.ts';

describe.skipIf(!hasBrowser)('the page of a bundle', { timeout: 300_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** Opens a page from disk; every request that leaves the disk is counted. */
  async function openFile(
    file: string,
    theme: 'dark' | 'light',
  ): Promise<{ page: Page; complaints: string[]; requests: string[] }> {
    const { page, complaints } = await openPage(browser, theme);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    return { page, complaints, requests };
  }

  async function drivenRun(folder: string, seed: number): Promise<string> {
    const scenario = ['clearing', '--sensor', 'vlp-16', '--seconds', '2', '--seed', String(seed)];
    await runHere(folder, 'drive', ...scenario);
    const { stdout } = await runHere(folder, 'runs', 'list', '--json');
    return (JSON.parse(stdout) as { id: string }[])[0]?.id ?? '';
  }

  /** Unpacks as any ZIP program does, but for recordings. */
  async function unzip(bundle: string, folder: string): Promise<void> {
    for (const { name, bytes } of await entriesOf(bundle)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
  }

  it('shows facts, path and a cloud that is turned, zoomed and coloured', async () => {
    const folder = temporaryFolder();
    const bundle = join(folder, 'x.understory');
    await pack(folder, await drivenRun(folder, 1), bundle, '--html');
    await unzip(bundle, folder);
    const { page, complaints, requests } = await openFile(join(folder, 'index.html'), 'light');
    await page.getByRole('heading', { name: 'Clearing' }).waitFor();
    await page.locator('#map image').waitFor();
    await page.locator('#cloud-controls').waitFor();
    await page.locator('#cloud-message').waitFor({ state: 'hidden' });
    const canvas = page.locator('#cloud-view');
    await canvas.scrollIntoViewIfNeeded();
    const drawn = (): Promise<string> => canvas.screenshot().then((png) => png.toString('base64'));
    const changes = async (act: () => Promise<unknown>): Promise<void> => {
      const before = await drawn();
      await act();
      await eventually(drawn).not.toBe(before);
    };
    await screenshot(page, 'bundle-page-light');
    await changes(async () => {
      await canvas.hover();
      await page.mouse.down();
      await page.mouse.move(430, 420, { steps: 4 });
      await page.mouse.up();
    });
    await canvas.hover();
    await changes(() => page.mouse.wheel(0, -400));
    await changes(() => canvas.press('ArrowLeft'));
    await changes(() => page.locator('#cloud-colour').selectOption('class'));
    await page.locator('#cloud-classes').getByText('tree').waitFor();
    await changes(() => page.locator('#cloud-colour').selectOption('intensity'));
    await changes(() => page.locator('#cloud-reset').click());
    expect(await seriousFaults(page)).toEqual([]);
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });

    const dark = await openFile(join(folder, 'index.html'), 'dark');
    await dark.page.locator('#cloud-controls').waitFor();
    await screenshot(dark.page, 'bundle-page-dark');
    expect(await seriousFaults(dark.page)).toEqual([]);
    expect(dark.complaints).toEqual([]);
  });

  it('lists several runs with a page each, and says where WebGL is missing', async () => {
    const folder = temporaryFolder();
    const ids = [await drivenRun(folder, 1), await drivenRun(folder, 2)];
    const bundle = join(folder, 'x.understory');
    await runHere(folder, 'runs', 'pack', ...ids, '--html', '--out', bundle);
    await unzip(bundle, folder);
    const { page, complaints } = await openFile(join(folder, 'index.html'), 'light');
    await page.getByRole('heading', { name: '2 runs' }).waitFor();
    expect(await page.getByRole('link', { name: 'Clearing' }).count()).toBe(2);
    await screenshot(page, 'bundle-list-light');
    expect(complaints).toEqual([]);

    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.getByRole('link', { name: 'Clearing' }).first().click();
    await page.getByText('This browser shows no WebGL').waitFor();
    await page.getByText('Path on the last cost map').waitFor();
    expect(complaints).toEqual([]);
  });
});
