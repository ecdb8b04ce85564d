// The table of runs and the page of one, with the real host behind them: drive, find, tag, ask, scrub, play,
// export, delete, restore.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillCatalogue } from '#test/catalogue/manyRuns.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, eventually, focusOn } from './app.ts';
import { screenshot } from './browser.ts';
import { fillDrive, steady, startDrive, timeShown } from './drives.ts';
import { callHost } from './realRuns.ts';

describeApp('the runs in the browser', (app) => {
  it('finds a run, tags it, scrubs and plays it, and takes its points out', async () => {
    const page = await app.open('dark');
    await page.getByTestId('nav-runs').click();
    await page.getByText('No runs yet').last().waitFor();
    await screenshot(page, 'runs-empty-dark');
    // Nothing to search or filter: what to do first instead.
    expect(await page.getByTestId('search').count()).toBe(0);
    await page.getByTestId('first-import').click();
    await page.getByTestId('import-path').waitFor();
    await page.getByTestId('import-close').click();

    await page.getByTestId('first-drive').click();
    await fillDrive(page, { scenario: 'clearing', sensor: 'vlp-16' });
    for (const seed of ['1', '2']) {
      await startDrive(page, { seed, seconds: '3' });
      await eventually(() => page.getByTestId('run-finished').count()).toBe(Number(seed));
    }

    await page.getByTestId('nav-runs').click();
    await eventually(() => page.getByTestId('count').innerText()).toBe('2 runs');
    await page.getByTestId('search').fill('no such word');
    await page.getByText('No matching runs').waitFor();
    await screenshot(page, 'runs-no-match-dark');
    await page.getByTestId('clear-filters').click();
    await eventually(() => page.getByTestId('count').innerText()).toBe('2 runs');
    await page.getByTestId('sort-seed').click();
    await page.getByTestId('row-finished').first().click();
    await page.getByTestId('new-tag').fill('wet baseline');
    await page.getByTestId('new-tag').press('Enter');
    await page.getByTestId('notes').fill('Second seed, through the tall grass');
    await page.getByTestId('notes').press('Control+Enter');
    await page.locator('.row').getByTitle('baseline, wet').getByText('2 tags').waitFor();
    await screenshot(page, 'runs-table-dark');
    await page.keyboard.press('Tab');
    await page.getByTestId('search').fill('tall gra');
    await eventually(() => page.getByTestId('count').innerText()).toBe('1 run');
    await page.getByTestId('theme').click();
    await screenshot(page, 'runs-found-light');
    await page.getByTestId('theme').click();
    await focusOn(page.getByTestId('run-rows'));
    await page.keyboard.press('Enter');

    await page.getByTestId('run-page').waitFor();
    await page.getByTestId('moment').waitFor();
    await eventually(() => timeShown(page)).toBe(3);
    await screenshot(page, 'run-page-dark');

    // A video of what is scrubbed through.
    const video = page.waitForEvent('download');
    await page.getByTestId('run-page').getByTestId('record-video').click();
    await page.getByRole('button', { name: 'Stop video' }).waitFor();
    await page.locator('body').press('ArrowLeft');
    await eventually(() => timeShown(page)).toBe(2.9);
    // Why a while: on a busy machine a frame follows its time later, and a video without one is empty.
    await page.waitForTimeout(3000);
    await page.getByTestId('run-page').getByTestId('record-video').click();
    const saved = await readFile(await (await video).path());
    expect((await video).suggestedFilename()).toMatch(/\.webm$/);
    // EBML, the container of WebM.
    expect(saved.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
    expect(saved.length).toBeGreaterThan(1000);
    await page.getByTestId('run-page').getByTestId('speed').selectOption('0.25');
    await page.getByTestId('timeline').fill('1.2');
    await eventually(() => timeShown(page)).toBe(1.2);
    await page.getByTestId('timeline').press('Space');
    await eventually(() => timeShown(page)).toBeGreaterThan(1.5);
    await page.getByTestId('timeline').press('Space');
    expect(await steady(page, () => timeShown(page))).toBeLessThan(3);

    await page.getByTestId('more-than').fill('-4');
    await page.getByText('expected a whole number of returns, 0 or more').waitFor();
    expect(await page.getByTestId('ask').isDisabled()).toBe(true);
    await page.getByTestId('more-than').fill('0');
    await page.getByTestId('instance').fill('oak-99');
    await page.getByTestId('ask').click();
    const refused = page.getByTestId('run-page').locator('.question .error');
    await refused.waitFor();
    await page.getByTestId('instance').fill('tree-1');
    expect(await refused.count()).toBe(0);
    await page.getByTestId('ask').click();
    await page.getByTestId('answers').waitFor();
    await page.getByTestId('run-page').getByLabel('Colour by').selectOption('class');
    await page.getByTestId('theme').click();
    await page.getByTestId('theme').click();
    await page.getByText('Theme: dark').or(page.getByText('Theme: light')).waitFor();
    await page.waitForTimeout(800);
    await screenshot(page, 'run-page-asked');

    await page.getByTestId('export').click();
    const file = join(temporaryFolder(), 'cloud.pcd');
    await page.getByTestId('export-file').fill(file);
    await page.getByTestId('export-start').click();
    await page.getByTestId('exported').waitFor();
    await screenshot(page, 'run-export');
    const head = (await readFile(file)).subarray(0, 2000).toString('latin1');
    const points = Number(/^POINTS (\d+)$/m.exec(head)?.[1]);
    const [run] = (await callHost(app.host, 'runs.list', { tag: 'wet' })).runs;
    expect(points).toBeGreaterThan(1000);
    expect(points).toBe(run?.metrics?.points);
    await page.getByTestId('export-start').click();
    await page.getByText(/The file exists: .*B, .*Replace it\?/).waitFor();
    expect((await readFile(file)).subarray(0, 2000).toString('latin1')).toBe(head);
    await screenshot(page, 'run-export-exists');
    await page.getByTestId('export-start').getByText('Replace file').click();
    await page.getByTestId('exported').waitFor();
    expect((await readFile(file)).subarray(0, 2000).toString('latin1')).toBe(head);
    const missing = join(temporaryFolder(), 'no');
    await page.getByTestId('export-file').fill(join(missing, 'such', 'cloud.pcd'));
    await page.getByTestId('export-start').click();
    await page.getByText(`there is no folder '${missing}': make it`).waitFor();
    await page.getByTestId('export-close').click();

    await page.reload();
    await page.getByTestId('moment').waitFor();
    await page.getByTestId('back').click();
    await eventually(() => page.getByTestId('count').innerText()).toBe('2 runs');
    await focusOn(page.getByTestId('run-rows'));
    await page.keyboard.press('Delete');
    await eventually(() => page.getByTestId('count').innerText()).toBe('1 run');
    await page.getByTestId('trash').click();
    await eventually(() => page.getByTestId('count').innerText()).toBe('1 in the trash');
    await page.getByTestId('restore').waitFor();
    await screenshot(page, 'runs-trash');
    await page.getByTestId('restore').click();
    await page.getByText('The trash is empty').waitFor();
  });

  it('shows ten thousand runs with a few rows, and goes to the last of them', async () => {
    fillCatalogue(join(app.host.dataFolder, 'catalogue.sqlite'), 10_000);
    const page = await app.open('light');
    await page.getByTestId('nav-runs').click();
    const rows = page.locator('[role=row][aria-selected]');
    await page.getByText('drive ').first().waitFor();
    expect(await rows.count()).toBeLessThan(50);
    await page.getByTestId('sort-points').click();
    await focusOn(page.getByTestId('run-rows'));
    await page.keyboard.press('End');
    const last = page.locator('#run-row-9999 .points');
    await eventually(() => last.innerText()).toBe('0');
    expect(await rows.count()).toBeLessThan(50);
    await page.getByTestId('search').fill('forest-7 night');
    await eventually(() => page.getByTestId('count').innerText()).toMatch(/^22\d runs$/);
    await screenshot(page, 'runs-many-light');
  });
});
