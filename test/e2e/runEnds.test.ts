// How runs end on screen: in the trash, by a host that died, by a person who drives.
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, eventually, openHostProcess } from './app.ts';
import { screenshot } from './browser.ts';
import { simSeconds, startDrive } from './drives.ts';

describeApp('the ends of runs', (app) => {
  it('ui-11 a watched run that goes to the trash is explained', async () => {
    const page = await app.open();
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', seconds: '1' });
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });
    await page.getByTestId('nav-runs').click();
    await page.getByTestId('row-finished').first().click();
    await page.getByTestId('run-rows').press('Delete');
    await page.getByTestId('row-finished').waitFor({ state: 'detached' });
    await page.getByTestId('nav-drive').click();
    const pane = page.getByTestId('drive-1');
    await pane.getByText('This run is in the trash').waitFor();
    await screenshot(page, 'watched-in-trash-dark');
    await pane.getByTestId('restore-watched').click();
    await pane.getByText('This run is in the trash').waitFor({ state: 'detached' });
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });
  });

  it('ui-12 an interrupted run shows the time and the points that were saved', async () => {
    const dataFolder = temporaryFolder();
    const host = await openHostProcess(dataFolder, app.pageFolder);
    const page = await app.open('dark', { address: host.address });
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', seconds: '60', speed: '1' });
    await eventually(() => simSeconds(page)).toBeGreaterThan(1);
    app.allowComplaints();
    await host.kill();
    const again = await openHostProcess(dataFolder, app.pageFolder);
    await page.goto(again.address);
    await page.getByTestId('nav-runs').click();
    const row = page.getByTestId('row-interrupted').first();
    await row.waitFor();
    expect(await row.locator('.simSeconds').innerText()).toMatch(/^[1-9][\d.]* s$/);
    expect(await row.locator('.points').innerText()).toMatch(/^[1-9][\d.]*( ?[kM])?$/);
    await row.dblclick();
    await page.getByTestId('recorded').getByText('Points').waitFor();
    await screenshot(page, 'interrupted-dark');
  });

  it('ui-14 a drive by hand shows no remaining time and one word for its state', async () => {
    const page = await app.open();
    await page.getByRole('button', { name: 'Manual' }).click();
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16' });
    const status = page.getByTestId('drive-status');
    await eventually(() => status.innerText()).toBe('manual control');
    await page.getByTestId('pause').click();
    await eventually(() => status.innerText()).toBe('paused');
    await page.getByTestId('pause').click();
    await eventually(() => status.innerText()).toBe('manual control');
    await page.getByTestId('open-jobs').click();
    const job = page.getByTestId('job-running');
    await job.waitFor();
    expect(await job.innerText()).not.toMatch(/left|%/);
    await page.getByTestId('stop').click();
    await page.getByTestId('summary-toggle').click();
    await page.getByRole('heading', { name: 'Stopped by user' }).waitFor();
    const summary = page.getByTestId('summary');
    expect(await summary.locator('.badge').innerText()).toBe('stopped');
    await screenshot(page, 'stopped-by-user-dark');
  });
});
