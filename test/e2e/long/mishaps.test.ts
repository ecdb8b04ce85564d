// What goes wrong while one works, with the real thing behind the page: each is said clearly on screen, and
// nothing of what was there before is lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  screenshot,
  type RealHost,
} from '../browser.ts';

const patience = { timeout: 60_000 };
const limitedHost = fileURLToPath(new URL('../limitedHost.ts', import.meta.url));

describe.skipIf(!hasBrowser)('mishaps', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });
  beforeEach(async () => {
    host = await openRealHost(built.folder);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await host.close();
  }, 60_000);

  async function drive(page: Page, seconds: string, speed = ''): Promise<void> {
    await page.locator('[data-test=scenario]').selectOption('clearing');
    await page.locator('[data-test=sensor]').selectOption('vlp-16');
    await page.locator('[data-test=seconds]').fill(seconds);
    await page.locator('[data-test=start-speed]').selectOption(speed);
    await page.locator('[data-test=start]').click();
    await expect.poll(() => simSeconds(page), patience).toBeGreaterThan(0.3);
  }

  async function simSeconds(page: Page): Promise<number> {
    const tile = page.locator('[data-test=figures] > div', { hasText: 'Simulated time' });
    return Number.parseFloat(await tile.first().locator('dd').innerText()) || 0;
  }

  /** The page of the first run of a state shows what was recorded of it. */
  async function showsRecording(page: Page, state: string): Promise<void> {
    await page.locator('[data-test=nav-runs]').click();
    await page.locator(`[data-test=row-${state}]`).first().dblclick();
    const moment = page.locator('[data-test=run-page] [data-test=moment]');
    await moment.getByText('returns').waitFor(patience);
  }

  it('a worker that is killed in mid-run is started again, and the run goes on', async () => {
    const { page } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    await drive(page, '4');
    expect(killWorkers()).toBe(1);
    const killedAtS = await simSeconds(page);
    await expect.poll(() => simSeconds(page), patience).toBeGreaterThan(killedAtS + 1);
    await page.locator('[data-test=run-finished]').waitFor(patience);
    await showsRecording(page, 'finished');
  }, 120_000);

  it('a worker that dies again and again ends the run, which says so and is kept', async () => {
    const { page } = await openPage(browser, 'light');
    await page.goto(host.web.address);
    await drive(page, '60');
    const killing = setInterval(killWorkers, 50);
    try {
      await page.locator('[data-test=run-failed]').waitFor(patience);
    } finally {
      clearInterval(killing);
    }
    await page
      .getByText(/worker (ended|died|was lost|is lost)|native worker/i)
      .first()
      .waitFor(patience);
    await screenshot(page, 'worker-lost-light');
    await showsRecording(page, 'failed');
    await screenshot(page, 'worker-lost-run-light');
  }, 120_000);

  it('a disk that fills ends the run, which says so and is kept', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'understory-full-'));
    const script = 'ulimit -f 8000 && exec "$0" "$@"';
    const args = ['-c', script, process.execPath, limitedHost, dataFolder, built.folder];
    const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(async () => {
      child.kill();
      await once(child, 'close');
      await rm(dataFolder, { recursive: true });
    });
    const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { page } = await openPage(browser, 'dark');
    await page.goto(address);
    await drive(page, '60');
    await page.locator('[data-test=run-failed]').waitFor(patience);
    await page
      .getByText(/disk|no room|space left/i)
      .first()
      .waitFor(patience);
    await screenshot(page, 'disk-full-dark');
    await showsRecording(page, 'failed');
  }, 120_000);

  it('a page that is loaded again in mid-run finds the run where it is by now', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    await drive(page, '6');
    const beforeS = await simSeconds(page);
    await page.reload();
    await page.locator('[data-test=run-running]').click(patience);
    await expect.poll(() => simSeconds(page), patience).toBeGreaterThan(beforeS);
    await page.locator('[data-test=run-finished]').waitFor(patience);
    expect(complaints).toEqual([]);
  }, 120_000);

  it('two windows show the same run, and what one does the other sees', async () => {
    const [first, second] = await Promise.all([
      openPage(browser, 'dark'),
      openPage(browser, 'light'),
    ]);
    await first.page.goto(host.web.address);
    await second.page.goto(host.web.address);
    // Slow enough that it does not reach its goal meanwhile.
    await drive(first.page, '60', '0.25');
    await second.page.locator('[data-test=run-running]').click(patience);
    await expect.poll(() => simSeconds(second.page), patience).toBeGreaterThan(0.3);
    await second.page.locator('[data-test=stop]').click();
    for (const { page, complaints } of [first, second]) {
      await page.locator('[data-test=run-cancelled]').waitFor(patience);
      await page.getByText('Stopped by hand').first().waitFor(patience);
      expect(complaints).toEqual([]);
    }
    await screenshot(first.page, 'two-windows-first');
    await screenshot(second.page, 'two-windows-second');
  }, 120_000);
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
