// The table of runs and the page of one, with the real thing behind them: drive, find, tag, ask, scrub, play,
// export, delete, restore.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openUnderstory, type Understory } from '#hosts/compose.ts';
import { serve, type WebHost } from '#hosts/web/serve.ts';
import { fillCatalogue } from '#test/catalogue/manyRuns.ts';
import { buildPage, hasBrowser, launchBrowser, openPage, screenshot } from './browser.ts';

const patience = { timeout: 60_000 };

describe.skipIf(!hasBrowser)('the runs in the browser', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let dataFolder: string;
  let understory: Understory;
  let web: WebHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
    dataFolder = await mkdtemp(join(tmpdir(), 'understory-runs-'));
    understory = await openUnderstory({ dataFolder });
    const { handlers, events, log } = understory;
    web = await serve({ handlers, events, log, rendererFolder: built.folder });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await web.close();
    await understory.dispose();
    await built.remove();
    await rm(dataFolder, { recursive: true });
  }, 60_000);

  async function timeShown(page: Page): Promise<number> {
    return Number.parseFloat(await page.locator('[data-test=time]').innerText());
  }

  it('finds a run, tags it, scrubs and plays it, and takes its points out', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(web.address);
    await page.locator('[data-test=nav-runs]').click();
    await page.getByText('No runs yet').last().waitFor();
    await screenshot(page, 'runs-empty-dark');

    await page.getByRole('link', { name: 'Drive' }).first().click();
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption('vlp-16');
    for (const seed of ['1', '2']) {
      await page.locator('[data-test=seed]').fill(seed);
      await page.locator('[data-test=seconds]').fill('3');
      await page.locator('[data-test=start]').click();
      await expect
        .poll(() => page.locator('[data-test=run-finished]').count(), patience)
        .toBe(Number(seed));
    }

    await page.locator('[data-test=nav-runs]').click();
    await expect.poll(() => page.locator('[data-test=count]').innerText()).toBe('2 runs');
    await page.locator('[data-test=sort-seed]').click();
    await page.locator('[data-test=row-finished]').first().click();
    await page.locator('[data-test=new-tag]').fill('wet baseline');
    await page.locator('[data-test=new-tag]').press('Enter');
    await page.locator('[data-test=notes]').fill('Second seed, through the tall grass');
    await page.locator('[data-test=notes]').press('Control+Enter');
    await page.locator('.row .tag', { hasText: 'baseline' }).waitFor();
    await screenshot(page, 'runs-table-dark');
    await page.keyboard.press('Tab');
    await page.locator('[data-test=search]').fill('tall gra');
    await expect.poll(() => page.locator('[data-test=count]').innerText()).toBe('1 run');
    await page.locator('[data-test=theme]').click();
    await screenshot(page, 'runs-found-light');
    await page.locator('[data-test=theme]').click();
    await page.locator('[data-test=run-rows]').focus();
    await page.keyboard.press('Enter');

    await page.locator('[data-test=run-page]').waitFor();
    await page.locator('[data-test=moment]').waitFor(patience);
    await expect.poll(() => timeShown(page)).toBe(3);
    await screenshot(page, 'run-page-dark');

    await page.locator('body').press('ArrowLeft');
    await expect.poll(() => timeShown(page)).toBe(2.9);
    await page.locator('[data-test=run-page] [data-test=speed]').selectOption('0.5');
    await page.locator('[data-test=timeline]').fill('1.2');
    await expect.poll(() => timeShown(page)).toBe(1.2);
    await page.locator('[data-test=timeline]').press('Space');
    await expect.poll(() => timeShown(page), patience).toBeGreaterThan(1.5);
    await page.locator('[data-test=timeline]').press('Space');
    const stopped = await timeShown(page);
    await page.waitForTimeout(400);
    expect(await timeShown(page)).toBe(stopped);
    expect(stopped).toBeLessThan(3);

    await page.locator('[data-test=instance]').fill('tree-1');
    await page.locator('[data-test=ask]').click();
    await page.locator('[data-test=answers]').waitFor();
    await page.locator('[data-test=run-page]').getByLabel('Colour by').selectOption('class');
    await page.locator('[data-test=theme]').click();
    await page.locator('[data-test=theme]').click();
    await page.getByText('Theme: dark').or(page.getByText('Theme: light')).waitFor();
    await page.waitForTimeout(800);
    await screenshot(page, 'run-page-asked');

    await page.locator('[data-test=export]').click();
    const file = join(dataFolder, 'cloud.pcd');
    await page.locator('[data-test=export-file]').fill(file);
    await page.locator('[data-test=export-start]').click();
    await page.locator('[data-test=exported]').waitFor(patience);
    await screenshot(page, 'run-export');
    const head = (await readFile(file)).subarray(0, 2000).toString('latin1');
    const points = Number(/^POINTS (\d+)$/m.exec(head)?.[1]);
    const [run] = await listRuns(understory);
    expect(points).toBeGreaterThan(1000);
    expect(points).toBe(run?.figures?.points);
    await page.locator('[data-test=export-start]').click();
    await page.getByText(/There is a file of that name already: .*B, .*Replace it\?/).waitFor();
    expect((await readFile(file)).subarray(0, 2000).toString('latin1')).toBe(head);
    await screenshot(page, 'run-export-exists');
    await page.locator('[data-test=export-start]', { hasText: 'Replace the file' }).click();
    await page.locator('[data-test=exported]').waitFor(patience);
    expect((await readFile(file)).subarray(0, 2000).toString('latin1')).toBe(head);
    await page.locator('[data-test=export-file]').fill(join(dataFolder, 'no', 'such', 'cloud.pcd'));
    await page.locator('[data-test=export-start]').click();
    await page.getByText(`there is no folder '${join(dataFolder, 'no')}': make it`).waitFor();
    await page.locator('[data-test=export-close]').click();

    await page.reload();
    await page.locator('[data-test=moment]').waitFor(patience);
    await page.locator('[data-test=back]').click();
    await page
      .locator('[data-test=clear]')
      .click()
      .catch(() => undefined);
    await page.locator('[data-test=run-rows]').focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => page.locator('[data-test=count]').innerText()).toBe('1 run');
    await page.locator('[data-test=trash]').click();
    await expect.poll(() => page.locator('[data-test=count]').innerText()).toBe('1 in the trash');
    await page.locator('[data-test=restore]').waitFor();
    await screenshot(page, 'runs-trash');
    await page.locator('[data-test=restore]').click();
    await page.getByText('The trash is empty').waitFor();
    expect(complaints).toEqual([]);
  }, 240_000);

  it('shows ten thousand runs with a few rows, and goes to the last of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'understory-many-'));
    const many = await openUnderstory({ dataFolder: folder });
    fillCatalogue(join(folder, 'catalogue.sqlite'), 10_000);
    const { handlers, events, log } = many;
    const host = await serve({ handlers, events, log, rendererFolder: built.folder });
    try {
      const { page, complaints } = await openPage(browser, 'light');
      await page.goto(host.address);
      await page.locator('[data-test=nav-runs]').click();
      const rows = page.locator('[role=row][aria-selected]');
      await page.getByText('drive ').first().waitFor();
      expect(await rows.count()).toBeLessThan(50);
      await page.locator('[data-test=sort-points]').click();
      await page.locator('[data-test=run-rows]').focus();
      await page.keyboard.press('End');
      const last = page.locator('#run-row-9999 .points');
      await expect.poll(() => last.innerText()).toBe('0');
      expect(await rows.count()).toBeLessThan(50);
      await page.locator('[data-test=search]').fill('forest-7 night');
      await expect.poll(() => page.locator('[data-test=count]').innerText()).toMatch(/^22\d runs$/);
      await screenshot(page, 'runs-many-light');
      expect(complaints).toEqual([]);
    } finally {
      await host.close();
      await many.dispose();
      await rm(folder, { recursive: true });
    }
  });
});

/** The runs that were tagged. */
async function listRuns({ handlers }: Understory) {
  const { reply } = await handlers['runs.list'](
    {
      ...{ tag: 'wet', trash: 'without', sortBy: 'created' },
      isDescending: true,
      limit: 9,
      offset: 0,
    },
    {
      signal: new AbortController().signal,
      progress: () => undefined,
      chunk: () => Promise.resolve(),
    },
  );
  return reply.runs;
}
