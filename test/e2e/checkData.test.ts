// The data folder is checked from the Runs page, with the real host behind it: found sound, then damaged, then repaired as
// far as it can be.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '#catalogue/sqlite.ts';
import { describeApp } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';
import { driveRun } from './realRuns.ts';

describeApp('checking the data folder', (app) => {
  it('lists what is damaged, and repairs it after a question', async () => {
    const drive = { scenario: 'clearing', sensor: 'vlp-16', seconds: 0.3 };
    const lost = await driveRun(app.host, { ...drive, seed: 1 });
    const changed = await driveRun(app.host, { ...drive, seed: 2 });
    const page = await app.open('dark', { at: 'runs' });
    await page.getByTestId('check-data').click();
    await page.getByTestId('check-start').click();
    const result = page.getByTestId('check-result');
    await result.getByText('Nothing is damaged').waitFor();
    await result.getByText(/^2 runs, 2 recordings checked; .* read$/).waitFor();
    expect(await page.getByTestId('repair').count()).toBe(0);

    const { dataFolder } = app.host;
    rmSync(join(dataFolder, 'runs', lost, 'recording.mcap'));
    const rows = openSqlite(join(dataFolder, 'catalogue.sqlite'), { timeoutMs: 5000 });
    rows
      .prepare(
        "UPDATE scans SET hash = 'x' WHERE run_key = (SELECT run_key FROM runs WHERE id = ?)",
      )
      .run(changed);
    rows.close();
    writeFileSync(join(dataFolder, 'notes.txt'), 'x');
    await page.getByTestId('check-start').click();
    await result.getByText('There is damage').waitFor();
    await page.getByTestId('recording-missing').getByText(`runs/${lost}/recording.mcap`).waitFor();
    await page.getByTestId('recording-differs').waitFor();
    await page.getByTestId('unknown-file').getByText('notes.txt').waitFor();
    await screenshot(page, 'check-damage-dark');
    await page.getByTestId('repair').click();
    await page.getByTestId('repair-question').getByText('Repair 2 findings?').waitFor();
    await screenshot(page, 'check-repair-dark');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByTestId('repair-yes').click();
    await page.getByTestId('recording-differs').getByText('repaired', { exact: true }).waitFor();
    await page.getByTestId('recording-missing').getByText('tagged', { exact: true }).waitFor();
    await page.getByTestId('check-start').click();
    await page.getByTestId('recording-differs').waitFor({ state: 'detached' });
    await screenshot(page, 'check-again-dark');
    await page.getByTestId('check-close').click();
    // In a narrow table there is only the number of tags.
    const tags = page.locator('.tag:visible, .count:visible');
    await tags.and(page.locator('[title*=damaged]')).first().waitFor();
  });
});
