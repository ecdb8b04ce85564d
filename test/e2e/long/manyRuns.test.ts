// Ten thousand runs on screen: sorted, filtered, searched, chosen with the keyboard alone, tagged, noted, thrown away
// and brought back. Prints for each how long it took until it was painted, and the longest task of our own script.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { shortCountText } from '#domain/shared/formats.ts';
import { fillCatalogue, pointsOf } from '#test/catalogue/manyRuns.ts';
import { describeApp, eventually, focusOn, type App } from '../app.ts';
import { screenshot } from '../browser.ts';
import { measureScript } from '../pageScript.ts';
import { callHost } from '../realRuns.ts';

const runs = 10_000;

declare global {
  interface Window {
    /** When the last key, click or text came. */
    actedMs: number;
  }
}

describeApp('ten thousand runs', (app) => {
  it('are sorted, found, chosen, marked, thrown away and restored', async () => {
    fillCatalogue(join(app.host.dataFolder, 'catalogue.sqlite'), runs);
    const page = await app.open('dark', { before: noteActs });
    const steps = createSteps(app, page);
    const rows = page.getByTestId('run-rows');
    const most = Math.max(...Array.from({ length: runs }, (_, index) => pointsOf(index)));

    await steps.take(
      'open the runs',
      () => page.getByTestId('nav-runs').click(),
      count(`${shortCountText(runs)} runs`),
    );
    await page.locator('#run-row-0 .text').waitFor();
    await steps.take('sort by points', () => page.getByTestId('sort-points').click(), {
      selector: '#run-row-0 .points',
      text: `^${shortCountText(most)}$`,
    });
    await steps.take(
      'filter by scenario',
      () => page.getByTestId('filter-scenario').selectOption('forest-3'),
      count(`${shortCountText(1111)} runs`),
    );
    await steps.take(
      'clear',
      () => page.getByTestId('clear').click(),
      count(`${shortCountText(runs)} runs`),
    );
    await steps.take(
      'search two words',
      () => page.getByTestId('search').fill('forest-7 night'),
      count('22\\d runs'),
    );
    await steps.take(
      'clear again',
      () => page.getByTestId('clear').click(),
      count(`${shortCountText(runs)} runs`),
    );
    await focusOn(rows);
    await steps.take('to the last', () => page.keyboard.press('End'), {
      selector: `#run-row-${runs - 1} .text`,
      text: 'drive',
    });
    await screenshot(page, 'many-runs-dark');

    await page.keyboard.press('Home');
    await steps.take(
      'choose all',
      () => page.keyboard.press('Control+a'),
      chosen(`${shortCountText(runs)} selected`),
    );
    expect(await page.locator('[role=row][aria-selected=true]').count()).toBeLessThan(50);
    await page.getByTestId('new-tag').fill('wet');
    await steps.take('tag all', () => page.getByTestId('new-tag').press('Enter'), {
      // In a narrow table there is only the number of tags.
      selector: '#run-row-0 .name .count[title*=wet]',
      text: 'tag',
    });
    const { tags } = await callHost(app.host, 'runs.facets', {});
    expect(tags.find(({ value }) => value === 'wet')?.runs).toBe(runs);
    await screenshot(page, 'many-runs-chosen-dark');

    await focusOn(rows);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    for (let row = 0; row < 3; row++) await page.keyboard.press('Shift+ArrowDown');
    await eventually(() => page.getByTestId('chosen').innerText()).toBe('4 selected');
    await steps.take('choose to the 500th', () => toRow(page, 499), chosen('500 selected'));
    await steps.take(
      '500 to the trash',
      () => page.keyboard.press('Delete'),
      count(`${shortCountText(runs - 500)} runs`),
    );
    expect((await callHost(app.host, 'runs.facets', {})).trashed).toBe(500);
    await steps.take(
      'undo',
      () => page.getByTestId('undo').click(),
      count(`${shortCountText(runs)} runs`),
    );

    await focusOn(rows);
    await page.keyboard.press('Home');
    // Only rows that were shown are thrown away.
    await page.locator('#run-row-0 .name').waitFor();
    await steps.take(
      'one to the trash',
      () => page.keyboard.press('Delete'),
      count(`${shortCountText(runs - 1)} runs`),
    );
    await steps.take('look into the trash', () => page.getByTestId('trash').click(), count('1 in'));
    await page.getByTestId('empty').click();
    await steps.take('empty it', () => page.getByTestId('empty-yes').click(), {
      selector: 'h2, h3, strong, p',
      text: 'The trash is empty',
    });
    await page.getByTestId('trash').click();
    await eventually(() => page.getByTestId('count').innerText()).toBe(
      `${shortCountText(runs - 1)} runs`,
    );
    expect((await callHost(app.host, 'runs.list', { limit: 1 })).total).toBe(runs - 1);

    await page.locator('#run-row-0').click();
    await page.getByTestId('notes').fill('kept apart');
    await steps.take('note', () => page.getByTestId('notes').press('Control+Enter'), {
      selector: '#run-row-0 .name',
      text: '✎',
    });
    steps.print();
  });

  it('show the columns that were chosen, after a reload as well', async () => {
    fillCatalogue(join(app.host.dataFolder, 'catalogue.sqlite'), 100);
    const page = await app.open('light', { at: 'runs' });
    await page.locator('#run-row-0 .text').waitFor();
    await focusOn(page.getByTestId('menu-columns'));
    await page.keyboard.press('Enter');
    await page.getByTestId('item-column-seed').press('Enter');
    await page.getByTestId('item-column-sensors').press('Enter');
    await screenshot(page, 'runs-columns-light');
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('sort-seed').count()).toBe(0);
    await page.reload();
    await page.locator('#run-row-0 .text').waitFor();
    expect(await page.getByTestId('sort-seed').count()).toBe(0);
    expect(await page.getByTestId('sort-sensors').count()).toBe(0);
    await page.getByTestId('menu-columns').click();
    await page.getByTestId('item-column-seed').click();
    await page.getByTestId('sort-seed').waitFor();
  });
});

interface Sight {
  selector: string;
  /** As a regular expression. */
  text: string;
}

function count(text: string): Sight {
  return { selector: '[data-test=count]', text: `^${text}` };
}

function chosen(text: string): Sight {
  return { selector: '[data-test=chosen]', text };
}

/** With Shift held, page by page and row by row. */
async function toRow(page: Page, row: number): Promise<void> {
  const focused = async (): Promise<number> => {
    const id = await page.getByTestId('run-rows').getAttribute('aria-activedescendant');
    return Number(id?.replace('run-row-', ''));
  };
  // Why measured each time: the bar that chosen rows bring makes pages shorter.
  let perPage = 0;
  for (let at = await focused(); at + perPage <= row; at += perPage) {
    await page.keyboard.press('Shift+PageDown');
    perPage = (await focused()) - at;
  }
  for (let left = row - (await focused()); left > 0; left--) {
    await page.keyboard.press('Shift+ArrowDown');
  }
}

async function noteActs(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const note = (): void => void (window.actedMs = performance.now());
    for (const name of ['keydown', 'click', 'input', 'change']) addEventListener(name, note, true);
  });
}

/** Takes steps one after another and times each, from the last event to the frame that shows its outcome. */
function createSteps({ browser }: App, page: Page) {
  const lines: string[] = [];
  return {
    async take(name: string, act: () => Promise<unknown>, sight: Sight): Promise<void> {
      let paintedMs = 0;
      const script = await measureScript(browser, page, async () => {
        await act();
        const handle = await page.waitForFunction(
          ({ selector, text }) => {
            const pattern = new RegExp(text);
            const isSeen = [...document.querySelectorAll<HTMLElement>(selector)].some((element) =>
              pattern.test(element.innerText),
            );
            return isSeen ? performance.now() - window.actedMs : null;
          },
          sight,
          { polling: 'raf', timeout: 60_000 },
        );
        paintedMs = Number(await handle.jsonValue());
      });
      const longest = script.longestTaskMs.toFixed(0);
      lines.push(`${name}: painted after ${paintedMs.toFixed(0)} ms, longest task ${longest} ms`);
    },
    print: () => console.log(`ten thousand runs\n  ${lines.join('\n  ')}`),
  };
}
