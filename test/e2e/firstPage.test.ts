// The first page in a real browser over the real web host, with a made-up drive behind it: every state
// that the page can be in. liveDrive.test.ts does the same with the real simulation.
import { expect, it } from 'vitest';
import { describeAppWith, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { latestRun, steady, startDrive } from './drives.ts';
import { madeUpHost } from './madeUpHost.ts';

const quickHost = madeUpHost({ tickMs: 250, points: 2000, isEndless: true });

describeAppWith(quickHost, 'the first page', (app) => {
  it('says what to do while there is nothing, in both themes', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const page = await app.open(theme);
      expect(page.url()).not.toContain('token');
      await page.getByText('No drive selected').waitFor();
      await screenshot(page, `empty-${theme}`);
    }
  });

  it('drives, pauses, colours, stops and lists the run', async () => {
    const page = await app.open('dark');
    await page.getByTestId('start').click();
    const distance = page.locator('[data-test=distance] dd');
    const metres = async (): Promise<number> =>
      Number.parseFloat((await distance.innerText()) || '');
    await eventually(metres).toBeLessThan(30);
    const early = await metres();
    await eventually(metres).toBeLessThan(early - 2);
    await page.getByTestId('run-running').waitFor({ state: 'attached' });
    await screenshot(page, 'made-up-dark');

    await page.locator('body').press('Space');
    await page.getByTestId('drive-status').and(page.getByText('paused')).waitFor();
    const frozen = await steady(page, metres);
    await page.locator('body').press('Space');
    await eventually(metres).toBeLessThan(frozen);

    await page.getByLabel('Colour by').selectOption('class');
    await page.getByText('trunk').waitFor();
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await page.locator('body').press('f');
    await page.waitForTimeout(400);
    await screenshot(page, 'made-up-top');
    await page.getByRole('button', { name: 'Chase' }).click();
    await page.waitForTimeout(600);
    await screenshot(page, 'made-up-follow');

    await page.getByTestId('stop').click();
    await page.getByTestId('run-cancelled').waitFor({ state: 'attached' });
    await page.getByTestId('drive-status').getByText('Stopped by user').waitFor();
    await page.waitForTimeout(300);
    await screenshot(page, 'made-up-stopped');
  });

  it('shows the metrics of a run that has ended, and says when the host is gone', async () => {
    const page = await app.open('light');
    await startDrive(page, { seconds: '0.5' });
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });
    await page.reload();
    await (await latestRun(page, 'finished')).click();
    await page.getByTestId('drive-status').getByText('Ended after the set time').waitFor();
    await screenshot(page, 'summary-light');
    app.allowComplaints();
    await app.host.web.close();
    await page.getByText('Connection lost').waitFor();
    await page.getByText('The host is not responding').waitFor();
    await screenshot(page, 'lost-light');
  });

  it('puts a refusal where it belongs', async () => {
    const page = await app.open('light');
    await page.getByTestId('scenario').evaluate((select: HTMLSelectElement) => {
      const option = document.createElement('option');
      option.value = 'marsh';
      select.append(option);
      select.value = 'marsh';
      select.dispatchEvent(new Event('change'));
    });
    await page.getByTestId('seed').fill('1');
    await page.getByTestId('start').click();
    await page.getByText("no yard 'marsh'").waitFor();
  });
});
