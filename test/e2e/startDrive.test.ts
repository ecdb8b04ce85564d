// The form that starts drives reports numbers that no run can have: at the field, which comes into sight.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { fillDrive } from './drives.ts';

describeApp('the form that starts drives', (app) => {
  const isFocused = (page: Page, test: string): Promise<boolean> =>
    page.getByTestId(test).evaluate((one) => one === document.activeElement);

  it('says at the field which number is wrong, and brings it into sight', async () => {
    const page = await app.open('light');
    // So low that the fields below lie under the buttons that stay.
    await page.setViewportSize({ width: 1440, height: 620 });
    await fillDrive(page, { scenario: 'clearing', seed: '1.5', seconds: '-2' });
    await page.locator('[data-panel=start-drive]').evaluate((panel) => panel.scrollTo(0, 0));
    await page.getByTestId('start').click();
    const problem = page.getByText('a whole number from 0 to 4294967295');
    await problem.waitFor();
    expect(await isFocused(page, 'seed')).toBe(true);
    const [said, buttons] = await Promise.all([
      problem.boundingBox(),
      page.getByTestId('start').boundingBox(),
    ]);
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThan(buttons?.y ?? 0);
    await screenshot(page, 'start-drive-bad-seed-light');
    await page.getByTestId('theme').click();
    await screenshot(page, 'start-drive-bad-seed-dark');

    await page.getByTestId('seed').fill('3');
    await problem.waitFor({ state: 'detached' });
    await page.getByTestId('start').click();
    await eventually(() => isFocused(page, 'seconds')).toBe(true);
    await page.getByText('more than 0 s').waitFor();
    await page.getByTestId('seconds').fill('');
    await page.getByTestId('goal-x').pressSequentially('-');
    await page.getByText('not a number').waitFor();
    await page.getByTestId('start').click();
    await eventually(() => isFocused(page, 'goal-x')).toBe(true);

    // A problem that only the host finds.
    await page.getByTestId('goal-x').fill('900');
    await page.getByTestId('goal-y').fill('900');
    await page.getByTestId('start').click();
    await page.locator('[data-field=goalM] [role=alert]').waitFor();
    expect(await isFocused(page, 'goal-x')).toBe(true);
    await page.reload();
    await eventually(() => page.getByTestId('scenario').inputValue()).toBe('clearing');
    expect(await page.getByTestId('goal-x').inputValue()).toBe('900');
    expect(await page.getByTestId('seed').inputValue()).toBe('3');
    // The scenario's own places are read again, too.
    await page.getByTestId('place-x').and(page.getByPlaceholder('-9')).waitFor();
  });
});
