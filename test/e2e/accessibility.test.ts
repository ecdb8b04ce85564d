// Every panel of the registry through axe in both themes, without a text that is cut or tiny; and the page used by the
// keyboard alone. Panels are looked at as a newcomer sees them, and with a run, a scene and a drive in them.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { startDrive } from './drives.ts';
import { settled } from './scenes.ts';

describeApp('the page for everybody', (app) => {
  /** Serious and critical findings of axe, one line each. */
  async function serious(page: Page, where: string): Promise<string[]> {
    await page.waitForTimeout(300);
    return (await seriousFaults(page)).map((fault) => `${where}: ${fault}`);
  }

  /** Each tab of the activity in front once; a picture of each is kept. */
  async function eachTab(page: Page, activity: string, state: string): Promise<string[]> {
    const found: string[] = [];
    await page.evaluate((to) => (location.hash = `#/${to}`), activity);
    await page.locator('[data-panel]:visible').first().waitFor();
    const tabs = page.locator('[role=tab]:visible');
    // A view that is alone has no tab.
    if ((await tabs.count()) === 0) found.push(...(await serious(page, `${activity}, ${state}`)));
    for (let at = 0; at < (await tabs.count()); at += 1) {
      const [kind] = ((await tabs.nth(at).getAttribute('data-tab-panel-id')) ?? '').split(':');
      // Why not always: a click on the tab of an open edge folds it.
      const isInFront = (await tabs.nth(at).getAttribute('aria-selected')) === 'true';
      const isSeen = await page.locator(`[data-panel="${kind}"]`).first().isVisible();
      if (!isInFront || !isSeen) await tabs.nth(at).click();
      const title = (await tabs.nth(at).getAttribute('aria-label')) ?? '';
      found.push(...(await serious(page, `${activity}, ${state}, ${title}`)));
      for (const fault of await faultsInSight(page)) found.push(`${activity}, ${state}: ${fault}`);
      const name = `${activity}-${state}-${title}`.toLowerCase().replaceAll(/\W+/g, '-');
      await screenshot(page, `panel-${name}`);
    }
    return found;
  }

  it.each(['dark', 'light'] as const)(
    'has no fault that axe calls serious: %s',
    async (theme) => {
      const page = await app.open(theme);
      const found: string[] = [];
      for (const activity of ['scene', 'drive', 'runs', 'campaigns', 'learn']) {
        found.push(...(await eachTab(page, activity, `empty ${theme}`)));
      }

      await page.evaluate(() => (location.hash = '#/drive'));
      await startDrive(page, { scenario: 'clearing', seconds: '2', speed: '1' });
      await page.getByTestId('run-running').waitFor({ state: 'attached' });
      await page.getByTestId('open-jobs').click();
      found.push(...(await serious(page, 'a drive, with the jobs open')));
      await page.getByTestId('open-jobs').click();
      await page.getByTestId('run-finished').waitFor({ state: 'attached' });
      found.push(...(await eachTab(page, 'drive', `full ${theme}`)));
      await page.getByRole('tab', { name: 'Live drive', exact: true }).click();
      await page.getByTestId('to-run').first().click();
      await page.getByTestId('moment').waitFor();
      found.push(...(await eachTab(page, 'runs', `full ${theme}`)));

      await page.keyboard.press('Control+o');
      await page.getByTestId('open-path').waitFor();
      found.push(...(await serious(page, 'the dialog that opens scenarios')));
      await page.getByTestId('open-path').fill('box');
      await page.keyboard.press('Enter');
      await eventually(() => page.url()).toContain('#/scene');
      await settled(page);
      found.push(...(await eachTab(page, 'scene', `full ${theme}`)));

      for (const keys of ['Control+k', '?']) {
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await page.keyboard.press(keys);
        found.push(...(await serious(page, keys)));
        await page.keyboard.press('Escape');
      }
      for (const menu of ['view', 'layout']) {
        await page.getByTestId(`menu-${menu}`).click();
        found.push(...(await serious(page, `the menu ${menu}`)));
        await page.keyboard.press('Escape');
      }
      expect([...new Set(found)].join('\n')).toBe('');
    },
    300_000,
  );

  it('can be used by the keyboard alone', async () => {
    const page = await app.open('dark');
    const run = async (letters: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(letters);
      await page.keyboard.press('Enter');
      await page.getByTestId('palette').waitFor({ state: 'detached' });
    };
    for (const activity of ['Scene', 'Runs', 'Drive']) {
      await run(`go to ${activity}`);
      await eventually(() => page.url()).toContain(`#/${activity.toLowerCase()}`);
    }
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('data-test') ?? null);
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 120 && (await focused()) !== name; presses += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await focused()).toBe(name);
    };
    await tabTo('scenario');
    await page.keyboard.type('clear');
    // In real time, so that it does not arrive before it is paused.
    await tabTo('start-speed');
    await page.keyboard.type('1');
    await tabTo('start');
    const ring = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(
        document.activeElement ?? document.body,
      );
      return `${outlineWidth} ${outlineStyle}`;
    });
    expect(ring).toBe('2px solid');
    await page.keyboard.press('Enter');
    await page.getByTestId('run-running').waitFor({ state: 'attached' });
    await run('pause or resume drives');
    await page.getByRole('button', { name: 'Resume' }).first().waitFor();
    // The form is folded while a drive is under way.
    await run('panel: start a drive');
    await page.getByTestId('seconds').waitFor();
    await tabTo('seconds');
    await page.keyboard.press('Control+k');
    await page.getByTestId('palette').waitFor();
    await page.keyboard.press('Escape');
    await eventually(focused).toBe('seconds');
  });

  it.each([
    { name: 'forced colours', media: { forcedColors: 'active' } },
    { name: 'more contrast', media: { contrast: 'more' } },
  ] as const)('can be read with $name', async ({ name, media }) => {
    const page = await app.open('dark', { before: (opened) => opened.emulateMedia(media) });
    const found: string[] = [];
    await startDrive(page, { scenario: 'clearing', seconds: '0.5' });
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });
    for (const activity of ['drive', 'runs', 'campaigns', 'learn']) {
      found.push(...(await eachTab(page, activity, name)));
    }
    await page.evaluate(() => (location.hash = '#/scene'));
    await page.getByTestId('open-box').click();
    await settled(page);
    found.push(...(await eachTab(page, 'scene', name)));
    // A chosen control looks different.
    const cameras = page.getByRole('toolbar', { name: 'Scene view' });
    const colourOf = (mode: string): Promise<string> =>
      cameras
        .getByRole('button', { name: mode })
        .evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(await colourOf('Orbit')).not.toBe(await colourOf('Fly'));
    // Where colours are forced axe reads those that the page asked for, which are not on screen.
    const isForced = 'forcedColors' in media;
    const faults = found.filter((fault) => !isForced || !fault.includes(': color-contrast: '));
    expect([...new Set(faults)].join('\n')).toBe('');
  });

  it('keeps still for who asked for that', async () => {
    const page = await app.open('dark', {
      before: (opened) => opened.emulateMedia({ reducedMotion: 'reduce' }),
    });
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
