// Failures while one works, with the real host behind the page: each is shown clearly on screen, and
// nothing of what was there before is lost.
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, eventually, openAtEdge, openHostProcess } from '../app.ts';
import { screenshot } from '../browser.ts';
import { simSeconds, steady, startDrive, timeShown } from '../drives.ts';

describeApp('mishaps', (app) => {
  async function drive(page: Page, seconds: string, speed = ''): Promise<void> {
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', seconds, speed });
    await eventually(() => simSeconds(page)).toBeGreaterThan(0.3);
  }

  /** The page of the first run of a state shows what was recorded of it. */
  async function showsRecording(page: Page, state: string): Promise<void> {
    await page.getByTestId('nav-runs').click();
    await page.getByTestId(`row-${state}`).first().dblclick();
    const moment = page.getByTestId('run-page').getByTestId('moment');
    await moment.getByText('returns').waitFor();
  }

  it('a worker that is killed in mid-run is started again, and the run continues', async () => {
    const page = await app.open('dark');
    await drive(page, '8', '1');
    expect(killWorkers()).toBe(1);
    const killedAtS = await simSeconds(page);
    await eventually(() => simSeconds(page)).toBeGreaterThan(killedAtS + 1);
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });
    await showsRecording(page, 'finished');
  });

  it('a worker that dies again and again ends the run, which reports it and is kept', async () => {
    const page = await app.open('light');
    await drive(page, '60');
    const killing = setInterval(killWorkers, 50);
    try {
      await page.getByTestId('run-failed').waitFor({ state: 'attached' });
    } finally {
      clearInterval(killing);
    }
    await page
      .getByText(/worker (ended|died|was lost|is lost)|native worker/i)
      .first()
      .waitFor();
    await screenshot(page, 'worker-lost-light');
    await showsRecording(page, 'failed');
    await screenshot(page, 'worker-lost-run-light');
  });

  it('a disk that fills ends the run, which reports it and is kept', async () => {
    const { address } = await openHostProcess(temporaryFolder(), app.pageFolder, 8000);
    const page = await app.open('dark', { address });
    await drive(page, '60');
    await page.getByTestId('run-failed').waitFor({ state: 'attached' });
    await page
      .getByText(/disk|no room|space left/i)
      .first()
      .waitFor();
    await screenshot(page, 'disk-full-dark');
    await showsRecording(page, 'failed');
  });

  it('a host that is lost while a run is paused: the page reports it, and the run is found again whole', async () => {
    app.allowComplaints();
    const dataFolder = temporaryFolder();
    const lost = await openHostProcess(dataFolder, app.pageFolder);
    const page = await app.open('dark', { address: lost.address });
    await drive(page, '60', '1');
    await page.getByTestId('pause').click();
    await page.getByTestId('drive-status').and(page.getByText('paused')).waitFor();
    await steady(page, () => simSeconds(page));
    await lost.kill();
    await page.getByText('The host is not responding').waitFor();
    const pausedAtS = await simSeconds(page);
    expect(pausedAtS).toBeGreaterThan(0);
    await screenshot(page, 'host-lost-paused-dark');

    const back = await openHostProcess(dataFolder, app.pageFolder);
    await page.goto(back.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    await showsRecording(page, 'interrupted');
    // Its process notices that the host is gone, and ends after one more step.
    const recordedS = await timeShown(page.getByTestId('run-page'));
    expect(recordedS).toBeGreaterThanOrEqual(pausedAtS);
    expect(Math.round(10 * (recordedS - pausedAtS))).toBeLessThanOrEqual(1);
    await screenshot(page, 'host-lost-run-dark');
  });

  it('a page that is loaded again in mid-run finds the run where it is by now', async () => {
    const page = await app.open('dark');
    await drive(page, '12', '1');
    const beforeS = await simSeconds(page);
    await page.reload();
    await eventually(() => simSeconds(page)).toBeGreaterThan(beforeS);
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });
  });

  it('two windows show the same run, and what one does the other sees', async () => {
    const [first, second] = [await app.open('dark'), await app.open('light')];
    // Slow enough that it does not reach its goal meanwhile.
    await drive(first, '60', '0.25');
    await openAtEdge(second, 'Latest runs');
    await second.getByTestId('run-running').click();
    await eventually(() => simSeconds(second)).toBeGreaterThan(0.3);
    await second.getByTestId('stop').click();
    for (const page of [first, second]) {
      await page.getByTestId('run-cancelled').waitFor({ state: 'attached' });
      await page.getByText('Stopped by user').first().waitFor();
    }
    await screenshot(first, 'two-windows-first');
    await screenshot(second, 'two-windows-second');
  });
});

/** Kills the native workers of the runs of this process. Returns how many there were. */
function killWorkers(): number {
  const workers = childrenOf(process.pid)
    .flatMap(childrenOf)
    .filter((pid) => nameOf(pid) === 'scanWorker');
  for (const pid of workers) process.kill(pid, 'SIGKILL');
  return workers.length;
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
