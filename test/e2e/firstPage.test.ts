// The first page in a real browser over the real web host, with a made-up drive behind it: every state
// that the page can be in. liveDrive.test.ts does the same with the real simulation.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serve, type WebHost } from '#hosts/web/serve.ts';
import { createSyntheticHost } from '#test/hosts/syntheticHost.ts';
import { buildPage, hasBrowser, launchBrowser, openPage, screenshot } from './browser.ts';

const silent = { info() {}, warn() {}, error() {} };

describe.skipIf(!hasBrowser)('the first page', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let web: WebHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });

  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await web.close();
  });

  async function startHost(): Promise<void> {
    const { handlers, events } = createSyntheticHost({ tickMs: 250, points: 2000 });
    web = await serve({
      handlers,
      events,
      rendererFolder: built.folder,
      log: silent,
    });
  }

  it('says what to do while there is nothing, in both themes', async () => {
    await startHost();
    for (const theme of ['dark', 'light'] as const) {
      const { page, complaints } = await openPage(browser, theme);
      await page.goto(web.address);
      await page.getByText('Connected').waitFor();
      expect(page.url()).not.toContain('token');
      await page.getByText('No runs yet').waitFor();
      await page.getByText('Nothing to watch yet').waitFor();
      await screenshot(page, `empty-${theme}`);
      expect(complaints).toEqual([]);
    }
  });

  it('drives, pauses, colours, stops and lists the run', async () => {
    await startHost();
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(web.address);
    await page.locator('[data-test=start]').click();
    const distance = page.locator('[data-test=distance] dd');
    const metres = async (): Promise<number> =>
      Number.parseFloat((await distance.innerText()) || '');
    await expect.poll(metres, { timeout: 20_000 }).toBeLessThan(30);
    const early = await metres();
    await expect.poll(metres, { timeout: 20_000 }).toBeLessThan(early - 2);
    await page.locator('[data-test=run-running]').waitFor();
    await screenshot(page, 'made-up-dark');

    await page.locator('body').press('Space');
    await page.getByText('paused · driving').waitFor();
    const frozen = await metres();
    await page.waitForTimeout(500);
    expect(await metres()).toBe(frozen);
    await page.locator('body').press('Space');
    await expect.poll(metres, { timeout: 20_000 }).toBeLessThan(frozen);

    await page.getByLabel('Colour by').selectOption('class');
    await page.getByText('trunk').waitFor();
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await page.locator('body').press('f');
    await page.waitForTimeout(400);
    await screenshot(page, 'made-up-top');
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.waitForTimeout(600);
    await screenshot(page, 'made-up-follow');

    await page.locator('[data-test=stop]').click();
    await page.locator('[data-test=run-cancelled]').waitFor();
    await page.getByRole('heading', { name: 'Stopped by hand' }).waitFor();
    await page.waitForTimeout(300);
    await screenshot(page, 'made-up-stopped');
    expect(complaints).toEqual([]);
  });

  it('shows the figures of a run that has ended, and says when the host is gone', async () => {
    await startHost();
    const { page } = await openPage(browser, 'light');
    await page.goto(web.address);
    await page.locator('[data-test=seconds]').fill('0.5');
    await page.locator('[data-test=start]').click();
    await page.locator('[data-test=run-finished]').waitFor();
    await page.reload();
    await page.locator('[data-test=run-finished]').click();
    await page.locator('[data-test=summary]').getByText('Stopped after the time').waitFor();
    await screenshot(page, 'summary-light');
    await web.close();
    await page.getByText('Connection lost').waitFor();
    await page.getByText('The host does not answer').waitFor();
    await screenshot(page, 'lost-light');
  });

  it('puts a refusal where it belongs', async () => {
    await startHost();
    const { page } = await openPage(browser, 'light');
    await page.goto(web.address);
    await page.getByText('Connected').waitFor();
    await page.locator('[data-test=scenario]').evaluate((select: HTMLSelectElement) => {
      const option = document.createElement('option');
      option.value = 'marsh';
      select.append(option);
      select.value = 'marsh';
      select.dispatchEvent(new Event('change'));
    });
    await page.locator('[data-test=seed]').fill('1');
    await page.locator('[data-test=start]').click();
    await page.getByText("no yard 'marsh'").waitFor();
  });
});
