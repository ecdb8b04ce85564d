// Every panel of the registry through axe in both themes, and the page used by the keyboard alone. Panels are
// looked at as a newcomer sees them, and with a run, a scene and a drive in them.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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

const patience = { timeout: 60_000 };
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResult {
  violations: {
    id: string;
    impact: string;
    nodes: { target: string[]; failureSummary: string; html: string }[];
  }[];
}

describe.skipIf(!hasBrowser)('the page for everybody', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  let axe: string;
  beforeAll(async () => {
    axe = await readFile(axeFile, 'utf8');
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

  /** What axe finds serious or critical, one line each. */
  async function serious(page: Page, where: string): Promise<string[]> {
    await page.waitForTimeout(300);
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: { run: (of: Document) => Promise<AxeResult> } }).axe.run(
        document,
      ),
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, html, failureSummary }) => {
          const why = failureSummary.split('\n')[1]?.trim() ?? '';
          return `${where}: ${id}: ${target.join(' ')}: ${why} ${html.slice(0, 120)}`;
        }),
      );
  }

  async function openReady(theme: 'dark' | 'light'): Promise<Page> {
    const { page } = await openPage(browser, theme);
    await page.goto(host.web.address);
    await page.getByText('Connected').waitFor();
    // Why: axe looks at every panel, and a panel behind another is not shown.
    await page.evaluate(axe);
    return page;
  }

  /** Each tab of the activity in front once; a picture of each is kept. */
  async function eachTab(page: Page, activity: string, state: string): Promise<string[]> {
    const found: string[] = [];
    await page.evaluate((to) => (location.hash = `#/${to}`), activity);
    const tabs = page.locator('[role=tab]:visible');
    await tabs.first().waitFor();
    for (let at = 0; at < (await tabs.count()); at += 1) {
      await tabs.nth(at).click();
      const title = (await tabs.nth(at).getAttribute('aria-label')) ?? '';
      found.push(...(await serious(page, `${activity}, ${state}, ${title}`)));
      const name = `${activity}-${state}-${title}`.toLowerCase().replaceAll(/\W+/g, '-');
      await screenshot(page, `panel-${name}`);
    }
    return found;
  }

  it.each(['dark', 'light'] as const)(
    'has no fault that axe calls serious: %s',
    async (theme) => {
      const page = await openReady(theme);
      const found: string[] = [];
      for (const activity of ['scene', 'drive', 'runs']) {
        found.push(...(await eachTab(page, activity, `empty ${theme}`)));
      }

      await page.evaluate(() => (location.hash = '#/drive'));
      await page.locator('[data-test=scenario]').selectOption('clearing');
      await page.locator('[data-test=seconds]').fill('2');
      await page.locator('[data-test=start]').click();
      await page.locator('[data-test=run-running]').waitFor(patience);
      await page.locator('[data-test=open-jobs]').click();
      found.push(...(await serious(page, 'a drive, with the jobs open')));
      await page.locator('[data-test=open-jobs]').click();
      await page.locator('[data-test=run-finished]').waitFor(patience);
      found.push(...(await eachTab(page, 'drive', `full ${theme}`)));
      await page.getByRole('tab', { name: 'Live drive', exact: true }).click();
      await page.locator('[data-test=to-run]').first().click();
      await page.locator('[data-test=moment]').waitFor(patience);
      found.push(...(await eachTab(page, 'runs', `full ${theme}`)));

      await page.keyboard.press('Control+o');
      await page.locator('[data-test=open-path]').waitFor();
      found.push(...(await serious(page, 'the dialog that opens scenarios')));
      await page.locator('[data-test=open-path]').fill('box');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url(), patience).toContain('#/scene');
      await page.waitForTimeout(2000);
      found.push(...(await eachTab(page, 'scene', `full ${theme}`)));

      for (const keys of ['Control+k', '?']) {
        await page.locator('header h1').click();
        await page.keyboard.press(keys);
        found.push(...(await serious(page, keys)));
        await page.keyboard.press('Escape');
      }
      for (const menu of ['view', 'layout']) {
        await page.locator(`[data-test=menu-${menu}]`).click();
        found.push(...(await serious(page, `the menu ${menu}`)));
        await page.keyboard.press('Escape');
      }
      expect([...new Set(found)].join('\n')).toBe('');
    },
    300_000,
  );

  it('can be used by the keyboard alone', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    await page.getByText('Connected').waitFor();
    const run = async (letters: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(letters);
      await page.keyboard.press('Enter');
      await page.locator('[data-test=palette]').waitFor({ state: 'detached' });
    };
    for (const activity of ['Scene', 'Runs', 'Drive']) {
      await run(`go to ${activity}`);
      await expect.poll(() => page.url()).toContain(`#/${activity.toLowerCase()}`);
    }
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('data-test') ?? null);
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 80 && (await focused()) !== name; presses += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await focused()).toBe(name);
    };
    await tabTo('scenario');
    await page.keyboard.type('clear');
    await tabTo('seconds');
    await page.keyboard.type('6');
    await tabTo('start');
    const ring = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(
        document.activeElement ?? document.body,
      );
      return `${outlineWidth} ${outlineStyle}`;
    });
    expect(ring).toBe('2px solid');
    await page.keyboard.press('Enter');
    await page.locator('[data-test=run-running]').waitFor(patience);
    await run('pause the drives');
    await page.getByRole('button', { name: 'Go on' }).first().waitFor(patience);
    await tabTo('seconds');
    await page.keyboard.press('Control+k');
    await page.locator('[data-test=palette]').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('seconds');
    expect(complaints).toEqual([]);
  }, 120_000);

  it('keeps still for who asked for that', async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(host.web.address);
    await page.getByText('Connected').waitFor();
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element);
          return animationName !== 'none' || Number.parseFloat(transitionDuration) > 0;
        }).length,
    );
    expect(moving).toBe(0);
  });
});
