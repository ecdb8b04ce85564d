// The frame of the page in a real browser: palette, shortcuts, docks and their layouts, size, theme, jobs; and
// what becomes of them when the page is loaded again, or what it kept is junk.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeAppWith, eventually, focusOn, openAtEdge } from './app.ts';
import { screenshot } from './browser.ts';
import { startDrive } from './drives.ts';
import { madeUpHost } from './madeUpHost.ts';

const calmHost = madeUpHost({ tickMs: 250, points: 1000 });

describeAppWith(calmHost, 'the frame of the page', (app) => {
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
  const runTabs = (page: Page) => page.getByRole('tab', { name: /^A made-up yard/ });
  const run = async (page: Page, letters: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByTestId('palette-query').fill(letters);
    await page.keyboard.press('Enter');
    await page.getByTestId('palette').waitFor({ state: 'detached' });
  };

  it('finds a command by a few letters, and puts it first the next time', async () => {
    const page = await app.open();
    await focusOn(page.getByTestId('seed'));
    await page.keyboard.press('Control+k');
    const options = page.locator('[data-test=palette] [role=option]');
    await eventually(() => options.count()).toBeGreaterThan(10);
    await screenshot(page, 'palette-dark');
    await page.getByTestId('palette-query').fill('gorns');
    await eventually(() => options.first().innerText()).toContain('Runs');
    await page.keyboard.press('Escape');
    await page.getByTestId('palette').waitFor({ state: 'detached' });
    await eventually(() =>
      page.getByTestId('seed').evaluate((e) => e === document.activeElement),
    ).toBe(true);

    await run(page, 'theme light');
    await eventually(() => page.locator('html').getAttribute('data-theme')).toBe('light');
    await page.keyboard.press('Control+k');
    await eventually(() => options.first().innerText()).toContain('Theme: light');
    await page.keyboard.press('ArrowUp');
    expect(await options.last().getAttribute('aria-selected')).toBe('true');
    await page.getByTestId('palette-query').fill('zzzz');
    await page.getByText('No matching commands').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByTestId('palette').waitFor({ state: 'detached' });
  });

  it('lists the keys that work, and types what is typed', async () => {
    const page = await app.open('light');
    await page.keyboard.press('?');
    const list = page.getByTestId('shortcuts');
    await list.getByText('Find a command').waitFor();
    await list.getByText('Frame drives').waitFor();
    expect(await list.innerText()).not.toContain('Search runs');
    await screenshot(page, 'shortcuts-light');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    // A search needs a run.
    await startDrive(page);
    await page.keyboard.press('Alt+3');
    await eventually(() => page.url()).toContain('#/runs');
    await page.getByTestId('search').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('a?b');
    expect(await page.getByTestId('search').inputValue()).toBe('a?b');
  });

  it('closes a panel, opens it again, and comes back as it was', async () => {
    const page = await app.open();
    await openAtEdge(page, 'Latest runs');
    await focusOn(tab(page, 'Latest runs'));
    await page.keyboard.press('Delete');
    await eventually(() => tab(page, 'Latest runs').count()).toBe(0);
    await page.waitForTimeout(500);
    await page.reload();
    await tab(page, 'Start a drive').waitFor();
    expect(await tab(page, 'Latest runs').count()).toBe(0);

    await page.getByTestId('menu-view').click();
    await screenshot(page, 'view-menu-dark');
    await page.getByTestId('item-latest-runs').click();
    await tab(page, 'Latest runs').waitFor();
    await page.getByText('No runs yet').waitFor();
    for (const name of ['Latest runs', 'Start a drive']) {
      await focusOn(tab(page, name));
      await page.keyboard.press('Delete');
    }
    await tab(page, 'Cost maps at 10 s').hover();
    await tab(page, 'Cost maps at 10 s').getByTestId('close-tab').click();
    await page.getByTestId('menu-view').click();
    await page.getByTestId('item-live-drive').click();
    await page.getByText('All panels are closed').waitFor();
    await page.getByRole('button', { name: 'restore the layout' }).click();
    await eventually(() => page.getByRole('tab').count()).toBe(4);
  });

  it('keeps layouts under their names, beyond a reload, until they are deleted', async () => {
    const page = await app.open();
    await focusOn(tab(page, 'Start a drive'));
    await page.keyboard.press('Delete');
    await run(page, 'save layout');
    await page.getByTestId('layout-name').fill('Watching');
    await page.getByTestId('layout-save').click();
    await run(page, 'default layout');
    await tab(page, 'Start a drive').waitFor();

    await page.reload();
    await tab(page, 'Start a drive').waitFor();
    await page.getByTestId('menu-layout').click();
    await screenshot(page, 'layout-menu-dark');
    await page.getByTestId('item-apply-Watching').click();
    await eventually(() => tab(page, 'Start a drive').count()).toBe(0);
    await tab(page, 'Live drive').waitFor();

    await page.getByTestId('menu-layout').click();
    await page.getByTestId('item-forget-Watching').click();
    await page.getByTestId('menu-layout').click();
    await page.getByTestId('item-reset').waitFor();
    expect(await page.getByTestId('item-apply-Watching').count()).toBe(0);
  });

  it('is not held up by junk that was kept', async () => {
    const page = await app.open();
    for (const junk of ['{', '{"version":1,"current":{"drive":{"known":[],"dock":{"grid":{}}}}}']) {
      await page.evaluate((text) => {
        // Why on leaving too: the page keeps its layouts when it goes.
        for (const key of ['layouts', 'commands.recent', 'scale', 'theme', 'contrast']) {
          localStorage.setItem(`understory.${key}`, text);
          addEventListener('pagehide', () => localStorage.setItem(`understory.${key}`, text));
        }
      }, junk);
      await page.reload();
      await eventually(() => page.getByRole('tab').count()).toBe(4);
      await page.keyboard.press('Control+k');
      await page.locator('[data-test=palette] [role=option]').first().waitFor();
    }
  });

  it('fits itself to the window, and stays as the user changed it but for edges that fold', async () => {
    const page = await app.open();
    const leftOf = async (name: string): Promise<number> =>
      (await tab(page, name).boundingBox())?.x ?? -1;
    await eventually(() => leftOf('Live drive')).toBeGreaterThan(300);
    await page.setViewportSize({ width: 500, height: 700 });
    await eventually(() => leftOf('Live drive')).toBeLessThan(60);
    await screenshot(page, 'narrow-dark');
    await page.setViewportSize({ width: 1280, height: 720 });
    await eventually(() => leftOf('Live drive')).toBeGreaterThan(300);
    await screenshot(page, 'small-dark');
    await focusOn(tab(page, 'Latest runs'));
    await page.keyboard.press('Delete');
    await page.setViewportSize({ width: 500, height: 700 });
    await eventually(() => leftOf('Live drive')).toBeLessThan(60);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.waitForTimeout(600);
    expect(await tab(page, 'Latest runs').count()).toBe(0);
  });

  it('grows and shrinks, in its steps, and remembers', async () => {
    const page = await app.open('light');
    const field = page.getByTestId('seed');
    const height = async (): Promise<number> => (await field.boundingBox())?.height ?? 0;
    const drawn = await height();
    const ratio = async (): Promise<number> => (await height()) / drawn;
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Control+Equal');
    await eventually(ratio).toBeCloseTo(1.5, 1);
    await screenshot(page, 'large-light');
    await page.reload();
    await eventually(ratio).toBeCloseTo(1.5, 1);
    await page.keyboard.press('Control+0');
    await eventually(ratio).toBeCloseTo(1, 1);
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Control+Minus');
    await eventually(ratio).toBeCloseTo(0.8, 1);
  });

  it('shows a drive among the jobs, with its progress, its log and a button that stops it', async () => {
    const page = await app.open();
    await startDrive(page, { seconds: '30' });
    const status = page.getByTestId('open-jobs');
    await eventually(() => status.innerText()).toContain('Drive: A made-up yard');
    await eventually(() => status.innerText()).toContain('left');
    await status.click();
    const job = page.getByTestId('job-running');
    await job.getByText('Log').click();
    await job.getByText('driving').first().waitFor();
    const command = await job.getByTestId('copy').getAttribute('title');
    expect(command).toBe('npx understory drive yard --seconds 30 --seed 1');
    await screenshot(page, 'jobs-dark');
    await job.getByTestId('cancel-job').click();
    await page.getByTestId('job-cancelled').waitFor();
    await page.getByTestId('run-cancelled').waitFor({ state: 'attached' });
    await page.getByTestId('clear-jobs').click();
    await page.getByText('No jobs yet').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('jobs').waitFor({ state: 'detached' });
  });

  it('opens runs as tabs beside each other, and finds them by the address', async () => {
    const page = await app.open();
    for (const seed of ['1', '2']) {
      await startDrive(page, { seed, seconds: '0.5' });
      await eventually(() => page.getByTestId('run-finished').count()).toBe(Number(seed));
    }
    await page.getByTestId('nav-runs').click();
    for (const row of [0, 1]) {
      // Why not the first time: a view that is alone has no tab.
      if (row > 0) await tab(page, 'All runs').click();
      await page.locator('[role=row][aria-selected]').nth(row).dblclick();
      await eventually(() => runTabs(page).count()).toBe(row + 1);
    }
    const address = page.url();
    expect(address).toMatch(/#\/runs\/[\w-]+$/);
    await runTabs(page).first().click();
    await eventually(() => page.url()).not.toBe(address);
    await page.goBack();
    await eventually(() => page.url()).toBe(address);
    await eventually(() => runTabs(page).last().getAttribute('aria-selected')).toBe('true');
    await page.waitForTimeout(500);
    await page.reload();
    await eventually(() => runTabs(page).count()).toBe(2);
    expect(page.url()).toBe(address);
    await page.keyboard.press('Alt+2');
    await page.keyboard.press('Alt+3');
    await tab(page, 'All runs').click();
    await eventually(() => page.url()).toMatch(/#\/runs$/);
  });

  it('says what became of a job when the host goes, and takes the run up again when it is back', async () => {
    const page = await app.open();
    await startDrive(page, { seconds: '60' });
    await page.getByTestId('open-jobs').click();
    await page.getByTestId('job-running').waitFor();
    app.allowComplaints();
    await app.host.web.close();
    await page.getByTestId('job-lost').getByText('the host stopped responding').first().waitFor();
    await page.getByText('The host is not responding').waitFor();
    await screenshot(page, 'host-gone-dark');
    await app.host.reopen();
    // Why: a restarted host requires its new address.
    await page.goto(app.host.web.address);
    await page.getByText('Connected').waitFor();
    await page.getByTestId('open-jobs').click();
    await page.getByTestId('job-running').waitFor();
  });

  it('shows two windows of one host the same runs, and lets either stop them', async () => {
    const one = await app.open('dark');
    const other = await app.open('light');
    await startDrive(one, { seconds: '60' });
    const status = other.getByTestId('open-jobs');
    await eventually(() => status.innerText()).toContain('Drive: A made-up yard');
    await status.click();
    await other.getByTestId('cancel-job').click();
    await other.getByTestId('job-cancelled').waitFor();
    await one.getByTestId('run-cancelled').waitFor({ state: 'attached' });
    await one.getByText('Stopped by user').first().waitFor();
    // The theme of one window is its own until it is chosen.
    expect(await other.locator('html').getAttribute('data-theme')).toBe('light');
  });
});
