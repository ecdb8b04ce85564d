// What is started on screen, and the same by the line that is copied there: the bytes are the same. The lines
// are run as they stand, by a shell in which npx is this package's own command line.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '#test/stages.ts';
import { buildPage, hasBrowser, launchBrowser, openPage, openRealHost } from './browser.ts';

const patience = { timeout: 60_000 };
const run = promisify(execFile);
const mainFile = join(projectRoot, 'src-main/hosts/cli/main.ts');

/** A line of the page, with its data in a folder. */
async function runLine(line: string, dataFolder: string, workingFolder: string): Promise<string> {
  const npx = `npx() { [ "$1" = understory ] && shift && "${process.execPath}" "${mainFile}" "$@"; }`;
  const { stdout } = await run('bash', ['-ec', `${npx}\n${line}`], {
    cwd: workingFolder,
    env: { ...process.env, UNDERSTORY_DATA: dataFolder },
  });
  return stdout;
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** The line behind a 'Copy as command'. */
async function lineOf(within: Locator): Promise<string> {
  return (await within.locator('[data-test=copy]').first().getAttribute('title')) ?? '';
}

describe.skipIf(!hasBrowser)('what is on screen, as a command', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: Awaited<ReturnType<typeof openRealHost>>;
  let elsewhere: string;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
    host = await openRealHost(built.folder);
    elsewhere = await mkdtemp(join(tmpdir(), 'understory-elsewhere-'));
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await host.close();
    await built.remove();
    await rm(elsewhere, { recursive: true });
  }, 60_000);

  it('drives to the same recording, byte for byte, and exports the same files', async () => {
    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(host.web.address);
    const start = page.locator('[data-panel=start-drive]');
    await start.locator('[data-test=scenario]').selectOption('clearing');
    await start.locator('[data-test=sensor]').selectOption('vlp-16');
    await start.locator('[data-test=seed]').fill('7');
    await start.locator('[data-test=seconds]').fill('1.5');
    const driveLine = await lineOf(start);
    expect(driveLine).toMatch(/^npx understory drive clearing /);
    await start.locator('[data-test=start]').click();
    await page.locator('[data-test=run-finished]').waitFor(patience);

    const dataFolder = join(elsewhere, 'data');
    await runLine(driveLine, dataFolder, elsewhere);
    const [onScreen, byCommand] = [host.dataFolder, dataFolder].map((folder) =>
      globSync(join(folder, 'runs/*/*.mcap')),
    );
    expect([onScreen?.length, byCommand?.length]).toEqual([1, 1]);
    const digest = await digestOf(onScreen?.[0] ?? '');
    expect(await digestOf(byCommand?.[0] ?? '')).toBe(digest);

    // Another seed is another recording: the comparison above can fail.
    const otherFolder = join(elsewhere, 'other');
    await runLine(driveLine.replace('--seed 7', '--seed 8'), otherFolder, elsewhere);
    const [other] = globSync(join(otherFolder, 'runs/*/*.mcap'));
    expect(await digestOf(other ?? '')).not.toBe(digest);

    await page.locator('[data-test=nav-runs]').click();
    await page.locator('[data-test=row-finished]').first().dblclick();
    await page.locator('[data-test=export]').click();
    const dialog = page.locator('dialog[open]');
    for (const format of ['pcd', 'ply', 'csv']) {
      await dialog.locator(`input[value=${format}]`).check();
      const file = join(elsewhere, `cloud.${format}`);
      await dialog.locator('[data-test=export-file]').fill(file);
      const exportLine = await lineOf(dialog);
      await dialog.locator('[data-test=export-start]').click();
      await dialog.locator('[data-test=exported]').getByText(file).waitFor(patience);
      await rename(file, `${file}.onScreen`);
      await runLine(exportLine, host.dataFolder, elsewhere);
      expect(await digestOf(file), format).toBe(await digestOf(`${file}.onScreen`));
    }
    expect(complaints).toEqual([]);
  }, 180_000);
});
