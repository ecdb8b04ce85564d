// Runs leave as a bundle and come back, in a real browser with the real host behind it: packed from the table, imported by
// dropping, by choosing and by a path, then played, compared and exported.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { entriesOf } from '#test/services/bundles/packedRun.ts';
import { describeApp, eventually } from './app.ts';
import { seriousFaults } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { timeShown } from './drives.ts';
import { dropFile } from './dropFile.ts';
import { callHost, driveRun } from './realRuns.ts';

describeApp('bundles in the browser', (app) => {
  it('packs a run with its page, and takes it again: played, compared, exported', async () => {
    const drive = { scenario: 'clearing', sensor: 'vlp-16', seconds: 0.5 };
    await driveRun(app.host, { ...drive, seed: 2 });
    const packedId = await driveRun(app.host, { ...drive, seed: 1 });
    const page = await app.open('dark', { at: 'runs' });
    await page.getByTestId('row-finished').first().click();
    await page.getByTestId('pack-run').click();
    const bundle = join(temporaryFolder(), 'x.understory');
    await page.getByTestId('pack-file').fill(bundle);
    await page.getByTestId('pack-las').check();
    await screenshot(page, 'pack-dark');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByTestId('pack-start').click();
    await page.getByTestId('packed').waitFor();
    await page.getByTestId('pack-start').click();
    await page.getByText(/The file exists: .*B, .*Replace it\?/).waitFor();
    await page.getByTestId('pack-close').click();
    const names = (await entriesOf(bundle)).map(({ name }) => name.replace(/[0-9a-f]{64}/, 'ID'));
    expect(names).toEqual(
      expect.arrayContaining([
        'index.html',
        'runs/ID/clouds/points.las',
        'runs/ID/pictures/cloud.png',
        'runs/ID/recording.mcap',
      ]),
    );

    await callHost(app.host, 'runs.delete', { runIds: [packedId] });
    await callHost(app.host, 'runs.empty', {});
    await eventually(() => page.getByTestId('count').innerText()).toBe('1 run');

    // Damage is found before anything is written, and said in a sentence.
    const damaged = Buffer.from(readFileSync(bundle).subarray(0, 100_000));
    await dropFile(page, 'cut.understory', damaged);
    const failure = page.getByTestId('import-failure');
    await failure.getByText("'cut.understory' is damaged: its end is missing").waitFor();
    await screenshot(page, 'import-damaged-dark');
    await page.getByTestId('import-close').click();
    expect(await page.getByTestId('count').innerText()).toBe('1 run');

    await page.getByTestId('import-runs').click();
    await page.getByTestId('import-file').setInputFiles(bundle);
    const imported = page.getByTestId('imported');
    await imported.getByText('new, from x.understory').waitFor();
    await screenshot(page, 'imported-dark');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByTestId('import-path').fill(bundle);
    await page.getByTestId('import-start').click();
    await imported.getByText('was here already, from x.understory').waitFor();
    await imported.getByRole('button').click();

    const run = page.getByTestId('run-page');
    await run.getByTestId('moment').waitFor();
    await run.getByText(/bundle x\.understory, imported/).waitFor();
    await eventually(() => timeShown(run)).toBe(0.5);
    await run.getByTestId('timeline').fill('0.2');
    await eventually(() => timeShown(run)).toBe(0.2);
    await screenshot(page, 'imported-run-dark');

    await page.getByTestId('export').click();
    await page.getByTestId('export-semantickitti').check();
    const folder = join(temporaryFolder(), 'sequence');
    await page.getByTestId('export-file').fill(folder);
    await page.getByTestId('export-start').click();
    await page.getByTestId('exported').waitFor();
    expect(existsSync(join(folder, 'velodyne/000000.bin'))).toBe(true);
    await page.getByTestId('export-csv').check();
    await page.getByTestId('export-frame').selectOption('sensor');
    await page.getByTestId('export-columns').selectOption('own');
    for (const name of ['time_ns', 'x_m', 'range_m']) {
      await page.getByTestId(`export-column-${name}`).check();
    }
    const file = join(temporaryFolder(), 'points.csv');
    await page.getByTestId('export-file').fill(file);
    await screenshot(page, 'export-columns-dark');
    // The parts above scroll, not the buttons.
    expect(await faultsInSight(page)).toEqual([]);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByTestId('export-start').click();
    await page.getByTestId('exported').getByText(file).waitFor();
    const [head, first = ''] = readFileSync(file, 'utf8').split('\n');
    expect(head).toBe('time_ns,range_m,x_m');
    const [, rangeM = NaN, xM = NaN] = first.split(',').map(Number);
    // In the sensor's frame no coordinate exceeds the range.
    expect(Math.abs(xM)).toBeLessThanOrEqual(rangeM * (1 + 1e-6));
    await page.getByTestId('export-close').click();

    await page.getByTestId('back').click();
    await eventually(() => page.getByTestId('count').innerText()).toBe('2 runs');
    await page.getByTestId('run-rows').press('Control+a');
    await page.getByTestId('chosen').getByText('2 selected').waitFor();
    await page.getByTestId('compare-runs').click();
    await eventually(() => timeShown(page.getByTestId('compare'))).toBe(0.5);
  });

  it('shows a run that came without its recording by its results', async () => {
    const runId = await driveRun(app.host, {
      scenario: 'clearing',
      sensor: 'vlp-16',
      seconds: 0.3,
    });
    const out = join(temporaryFolder(), 'small.understory');
    await callHost(app.host, 'runs.pack', { runIds: [runId], out });
    await callHost(app.host, 'runs.delete', { runIds: [runId] });
    await callHost(app.host, 'runs.empty', {});
    const page = await app.open('light', { at: 'runs' });
    await page.getByText('No runs yet').last().waitFor();
    await dropFile(page, 'small.understory', readFileSync(out));
    const imported = page.getByTestId('imported');
    await imported.getByText('new, from small.understory, without recording').waitFor();
    await imported.getByRole('button').click();
    const run = page.getByTestId('run-page');
    await run.getByText('No recording here').waitFor();
    await run.getByText(/bundle small\.understory, imported/).waitFor();
    expect(await run.getByTestId('export').isDisabled()).toBe(true);
    await screenshot(page, 'imported-without-recording-light');
    expect(await seriousFaults(page)).toEqual([]);
  });
});
