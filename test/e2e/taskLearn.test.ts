// A task that people come for, done by clicks and keys alone: a drive becomes a log, the log a model, and a vehicle drives
// in it.
import { expect, it } from 'vitest';
import { describeApp, eventually, openAtEdge } from './app.ts';
import { screenshot } from './browser.ts';
import { startDrive } from './drives.ts';

describeApp('tasks with models', (app) => {
  it('task-6 learns a model and drives in it', async () => {
    const page = await app.open('light');
    await page.getByTestId('record-misses').check();
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', seconds: '1.5' });
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });

    await page.getByTestId('nav-learn').click();
    await page.getByTestId('import-log').first().click();
    const runs = page.getByTestId('import-run');
    await runs.locator('option').first().waitFor({ state: 'attached' });
    await runs.selectOption({ index: 0 });
    await page.getByTestId('import-confirm').click();
    await page.getByTestId('import-confirm').waitFor({ state: 'detached' });
    await page.getByTestId('kind-hybrid').check();
    await page.getByTestId('learn').click();
    await eventually(() => page.getByTestId('model-text').innerText()).toMatch(
      /hybrid · .*elements/,
    );
    await screenshot(page, 'task-6-model');

    await openAtEdge(page, 'Models');
    await page.getByTestId('drive-model').click();
    await eventually(() => page.url()).toContain('#/drive');
    await eventually(() => page.getByTestId('scenario').inputValue()).toContain('understory.yaml');
    await page.getByTestId('seconds').fill('0.5');
    await page.getByTestId('start').click();
    await eventually(() => page.getByTestId('run-finished').count()).toBe(2);
    await page.getByTestId('drive-status').getByText('Ended after the set time').waitFor();
    expect(await page.getByTestId('metrics').innerText()).toMatch(/Collisions\s+0/);
    await screenshot(page, 'task-6-drive');
  });
});
