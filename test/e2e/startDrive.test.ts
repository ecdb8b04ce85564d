// What the form that starts drives says of numbers that no run can have: at the field, which comes into sight.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  screenshot,
  type RealHost,
} from './browser.ts';

describe.skipIf(!hasBrowser)('the form that starts drives', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
    host = await openRealHost(built.folder);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await host.close();
    await built.remove();
  });

  const isFocused = (page: Page, test: string): Promise<boolean> =>
    page.locator(`[data-test=${test}]`).evaluate((one) => one === document.activeElement);

  it('says at the field which number is wrong, and brings it into sight', async () => {
    const { page, complaints } = await openPage(browser, 'light');
    // So low that the fields below lie under the buttons that stay.
    await page.setViewportSize({ width: 1440, height: 620 });
    await page.goto(host.web.address);
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=seed]').fill('1.5');
    await page.locator('[data-test=seconds]').fill('-2');
    await page.locator('[data-panel=start-drive]').evaluate((panel) => panel.scrollTo(0, 0));
    await page.locator('[data-test=start]').click();
    const problem = page.getByText('a whole number from 0 to 4294967295');
    await problem.waitFor();
    expect(await isFocused(page, 'seed')).toBe(true);
    const [said, buttons] = await Promise.all([
      problem.boundingBox(),
      page.locator('[data-test=start]').boundingBox(),
    ]);
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThan(buttons?.y ?? 0);
    await screenshot(page, 'start-drive-bad-seed-light');
    await page.locator('[data-test=theme]').click();
    await screenshot(page, 'start-drive-bad-seed-dark');

    await page.locator('[data-test=seed]').fill('3');
    await problem.waitFor({ state: 'detached' });
    await page.locator('[data-test=start]').click();
    await expect.poll(() => isFocused(page, 'seconds')).toBe(true);
    await page.getByText('more than 0 s').waitFor();
    await page.locator('[data-test=seconds]').fill('');
    await page.locator('[data-test=goal-x]').pressSequentially('-');
    await page.getByText('not a number').waitFor();
    await page.locator('[data-test=start]').click();
    await expect.poll(() => isFocused(page, 'goal-x')).toBe(true);

    // What only the host knows.
    await page.locator('[data-test=goal-x]').fill('900');
    await page.locator('[data-test=goal-y]').fill('900');
    await page.locator('[data-test=start]').click();
    await page.locator('[data-field=goalM] [role=alert]').waitFor();
    expect(await isFocused(page, 'goal-x')).toBe(true);
    await page.reload();
    await expect.poll(() => page.locator('[data-test=scenario]').inputValue()).toBe('clearing');
    expect(await page.locator('[data-test=goal-x]').inputValue()).toBe('900');
    expect(await page.locator('[data-test=seed]').inputValue()).toBe('3');
    // The scenario's own places are read again, too.
    await page.locator('[data-test=place-x]').and(page.getByPlaceholder('-9')).waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);
});
