// The frame of the page in a real browser: palette, shortcuts, docks and their layouts, size, theme, jobs; and
// what becomes of them when the page is loaded again, or what it kept is junk.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serve, type WebHost } from '#hosts/web/serve.ts';
import { createSyntheticHost } from '#test/hosts/syntheticHost.ts';
import { buildPage, hasBrowser, launchBrowser, openPage, screenshot } from './browser.ts';

const patience = { timeout: 15_000 };
const silent = { info() {}, warn() {}, error() {} };

describe.skipIf(!hasBrowser)('the frame of the page', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let web: WebHost;
  let host: ReturnType<typeof createSyntheticHost>;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });
  beforeEach(async () => {
    host = createSyntheticHost({ tickMs: 250, points: 1000 });
    web = await serve({ ...host, rendererFolder: built.folder, log: silent });
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await web.close();
  });

  async function open(theme: 'dark' | 'light' = 'dark'): Promise<{
    page: Page;
    complaints: string[];
  }> {
    const opened = await openPage(browser, theme);
    await opened.page.goto(web.address);
    await opened.page.getByText('Connected').waitFor();
    return opened;
  }

  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  const run = async (page: Page, letters: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.locator('[data-test=palette-query]').fill(letters);
    await page.keyboard.press('Enter');
    await page.locator('[data-test=palette]').waitFor({ state: 'detached' });
  };

  it('finds a command by a few letters, and puts it first the next time', async () => {
    const { page, complaints } = await open();
    await page.locator('[data-test=seed]').focus();
    await page.keyboard.press('Control+k');
    const options = page.locator('[data-test=palette] [role=option]');
    await expect.poll(() => options.count(), patience).toBeGreaterThan(10);
    await screenshot(page, 'palette-dark');
    await page.locator('[data-test=palette-query]').fill('gorns');
    await expect.poll(() => options.first().innerText(), patience).toContain('Runs');
    await page.keyboard.press('Escape');
    await page.locator('[data-test=palette]').waitFor({ state: 'detached' });
    expect(
      await page.locator('[data-test=seed]').evaluate((e) => e === document.activeElement),
    ).toBe(true);

    await run(page, 'theme light');
    await expect
      .poll(() => page.locator('html').getAttribute('data-theme'), patience)
      .toBe('light');
    await page.keyboard.press('Control+k');
    await expect.poll(() => options.first().innerText(), patience).toContain('Theme: light');
    await page.keyboard.press('ArrowUp');
    expect(await options.last().getAttribute('aria-selected')).toBe('true');
    await page.locator('[data-test=palette-query]').fill('zzzz');
    await page.getByText('No command is called anything like').waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('[data-test=palette]').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('lists the keys that work, and types what is typed', async () => {
    const { page, complaints } = await open('light');
    await page.keyboard.press('?');
    const list = page.locator('[data-test=shortcuts]');
    await list.getByText('Find a command').waitFor();
    expect(await list.innerText()).toContain('Bring the drives into sight');
    expect(await list.innerText()).not.toContain('Search the runs');
    await screenshot(page, 'shortcuts-light');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+3');
    await expect.poll(() => page.url(), patience).toContain('#/runs');
    await page.keyboard.press('/');
    await page.keyboard.type('a?b');
    expect(await page.locator('[data-test=search]').inputValue()).toBe('a?b');
    expect(complaints).toEqual([]);
  });

  it('closes a panel, opens it again, and comes back as it was', async () => {
    const { page, complaints } = await open();
    await tab(page, 'Latest runs').focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => tab(page, 'Latest runs').count(), patience).toBe(0);
    await page.waitForTimeout(500);
    await page.reload();
    await tab(page, 'Start a drive').waitFor();
    expect(await tab(page, 'Latest runs').count()).toBe(0);

    await page.locator('[data-test=menu-view]').click();
    await screenshot(page, 'view-menu-dark');
    await page.locator('[data-test=item-latest-runs]').click();
    await tab(page, 'Latest runs').waitFor();
    await page.getByText('No runs yet').waitFor();
    for (const name of ['Latest runs', 'Start a drive', 'Cost maps at 10 s', 'Live drive']) {
      await tab(page, name).hover();
      await tab(page, name).locator('[data-test=close-tab]').click();
    }
    await page.getByText('All panels are closed').waitFor();
    await page.getByRole('button', { name: 'bring the layout back' }).click();
    await expect.poll(() => page.getByRole('tab').count(), patience).toBe(4);
    expect(complaints).toEqual([]);
  });

  it('keeps layouts under their names, beyond a reload, until they are deleted', async () => {
    const { page, complaints } = await open();
    await tab(page, 'Start a drive').focus();
    await page.keyboard.press('Delete');
    await run(page, 'save the layout');
    await page.locator('[data-test=layout-name]').fill('Watching');
    await page.locator('[data-test=layout-save]').click();
    await run(page, 'default layout');
    await tab(page, 'Start a drive').waitFor();

    await page.reload();
    await tab(page, 'Start a drive').waitFor();
    await page.locator('[data-test=menu-layout]').click();
    await screenshot(page, 'layout-menu-dark');
    await page.locator('[data-test=item-apply-Watching]').click();
    await expect.poll(() => tab(page, 'Start a drive').count(), patience).toBe(0);
    await tab(page, 'Live drive').waitFor();

    await page.locator('[data-test=menu-layout]').click();
    await page.locator('[data-test=item-forget-Watching]').click();
    await page.locator('[data-test=menu-layout]').click();
    await page.locator('[data-test=item-reset]').waitFor();
    expect(await page.locator('[data-test=item-apply-Watching]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('is not held up by junk that was kept', async () => {
    const { page, complaints } = await open();
    for (const junk of ['{', '{"version":1,"current":{"drive":{"known":[],"dock":{"grid":{}}}}}']) {
      await page.evaluate((text) => {
        // Why on leaving too: the page keeps its layouts when it goes.
        for (const key of ['layouts', 'commands.recent', 'scale', 'theme', 'contrast']) {
          localStorage.setItem(`understory.${key}`, text);
          addEventListener('pagehide', () => localStorage.setItem(`understory.${key}`, text));
        }
      }, junk);
      await page.reload();
      await expect.poll(() => page.getByRole('tab').count(), patience).toBe(4);
      await page.keyboard.press('Control+k');
      await page.locator('[data-test=palette] [role=option]').first().waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('fits itself to the window until somebody has changed it', async () => {
    const { page, complaints } = await open();
    const leftOf = async (name: string): Promise<number> =>
      (await tab(page, name).boundingBox())?.x ?? -1;
    await expect.poll(() => leftOf('Live drive'), patience).toBeGreaterThan(300);
    await page.setViewportSize({ width: 800, height: 700 });
    await expect.poll(() => leftOf('Live drive'), patience).toBeLessThan(20);
    await screenshot(page, 'narrow-dark');
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect.poll(() => leftOf('Live drive'), patience).toBeGreaterThan(300);
    await screenshot(page, 'small-dark');
    await tab(page, 'Latest runs').focus();
    await page.keyboard.press('Delete');
    await page.setViewportSize({ width: 800, height: 700 });
    await page.waitForTimeout(600);
    expect(await leftOf('Live drive')).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });

  it('grows and shrinks, in its steps, and remembers', async () => {
    const { page, complaints } = await open('light');
    const field = page.locator('[data-test=seed]');
    const height = async (): Promise<number> => (await field.boundingBox())?.height ?? 0;
    const drawn = await height();
    const ratio = async (): Promise<number> => (await height()) / drawn;
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Control+Equal');
    await expect.poll(ratio, patience).toBeCloseTo(1.5, 1);
    await screenshot(page, 'large-light');
    await page.reload();
    await expect.poll(ratio, patience).toBeCloseTo(1.5, 1);
    await page.keyboard.press('Control+0');
    await expect.poll(ratio, patience).toBeCloseTo(1, 1);
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Control+Minus');
    await expect.poll(ratio, patience).toBeCloseTo(0.8, 1);
    expect(complaints).toEqual([]);
  });

  it('shows a drive among the jobs, with its progress, its log and a way to stop it', async () => {
    const { page, complaints } = await open();
    await page.locator('[data-test=seconds]').fill('30');
    await page.locator('[data-test=start]').click();
    const status = page.locator('[data-test=open-jobs]');
    await expect.poll(() => status.innerText(), patience).toContain('Drive: A made-up yard');
    await expect.poll(() => status.innerText(), { timeout: 20_000 }).toContain('left');
    await status.click();
    const job = page.locator('[data-test=job-running]');
    await job.getByText('Log').click();
    await job.getByText('driving').first().waitFor();
    const command = await job.locator('[data-test=copy]').getAttribute('title');
    expect(command).toBe('npx understory drive yard --seed 1 --seconds 30');
    await screenshot(page, 'jobs-dark');
    await job.locator('[data-test=cancel-job]').click();
    await page.locator('[data-test=job-cancelled]').waitFor();
    await page.locator('[data-test=run-cancelled]').waitFor();
    await page.locator('[data-test=clear-jobs]').click();
    await page.getByText('Nothing has been started').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-test=jobs]').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('opens runs as tabs beside each other, and finds them by the address', async () => {
    const { page } = await open();
    for (const seed of ['1', '2']) {
      await page.locator('[data-test=seed]').fill(seed);
      await page.locator('[data-test=seconds]').fill('0.5');
      await page.locator('[data-test=start]').click();
      await expect
        .poll(() => page.locator('[data-test=run-finished]').count(), patience)
        .toBe(Number(seed));
    }
    await page.locator('[data-test=nav-runs]').click();
    for (const row of [0, 1]) {
      await tab(page, 'All runs').click();
      await page.locator('[role=row][aria-selected]').nth(row).dblclick();
      await expect.poll(() => tab(page, 'A made-up yard').count(), patience).toBe(row + 1);
    }
    const address = page.url();
    expect(address).toMatch(/#\/runs\/[\w-]+$/);
    await tab(page, 'A made-up yard').first().click();
    await expect.poll(() => page.url(), patience).not.toBe(address);
    await page.goBack();
    await expect.poll(() => page.url(), patience).toBe(address);
    await expect
      .poll(() => tab(page, 'A made-up yard').last().getAttribute('aria-selected'), patience)
      .toBe('true');
    await page.waitForTimeout(500);
    await page.reload();
    await expect.poll(() => tab(page, 'A made-up yard').count(), patience).toBe(2);
    expect(page.url()).toBe(address);
    await page.keyboard.press('Alt+2');
    await page.keyboard.press('Alt+3');
    await tab(page, 'All runs').click();
    await expect.poll(() => page.url(), patience).toMatch(/#\/runs$/);
  });

  it('says what became of a job when the host goes, and takes the run up again when it is back', async () => {
    const { page } = await open();
    await page.locator('[data-test=seconds]').fill('60');
    await page.locator('[data-test=start]').click();
    await page.locator('[data-test=open-jobs]').click();
    await page.locator('[data-test=job-running]').waitFor();
    const port = Number(new URL(web.address).port);
    await web.close();
    await page.locator('[data-test=job-lost]').getByText('the host went away').first().waitFor();
    await page.getByText('The host does not answer').waitFor();
    await screenshot(page, 'host-gone-dark');
    web = await serve({ ...host, port, rendererFolder: built.folder, log: silent });
    // Why: a host that was started anew lets nobody in without its new address.
    await page.goto(web.address);
    await page.getByText('Connected').waitFor();
    await page.locator('[data-test=open-jobs]').click();
    await page.locator('[data-test=job-running]').waitFor();
  });

  it('shows two windows of one host the same runs, and lets either stop them', async () => {
    const one = await open('dark');
    const other = await open('light');
    await one.page.locator('[data-test=seconds]').fill('60');
    await one.page.locator('[data-test=start]').click();
    const status = other.page.locator('[data-test=open-jobs]');
    await expect.poll(() => status.innerText(), patience).toContain('Drive: A made-up yard');
    await status.click();
    await other.page.locator('[data-test=cancel-job]').click();
    await other.page.locator('[data-test=job-cancelled]').waitFor();
    await one.page.locator('[data-test=run-cancelled]').waitFor();
    await one.page.getByText('Stopped by hand').first().waitFor();
    // The theme of one window is its own until it is chosen.
    expect(await other.page.locator('html').getAttribute('data-theme')).toBe('light');
    expect([...one.complaints, ...other.complaints]).toEqual([]);
  });
});
