// What is started on screen, and the same by the line that is copied there: the bytes are the same. The lines
// are run as they stand, by a shell in which npx is this package's own command line.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { exportFormats } from '#contract/runMethods.ts';
import { projectRoot } from '#test/stages.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';
import { describeApp } from './app.ts';
import { fillDrive } from './drives.ts';

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
  return (await within.getByTestId('copy').first().getAttribute('title')) ?? '';
}

describeApp('what is on screen, as a command', (app) => {
  it('drives to the same recording, byte for byte, and exports the same files', async () => {
    const page = await app.open();
    const elsewhere = temporaryFolder();
    const start = page.locator('[data-panel=start-drive]');
    await fillDrive(page, { scenario: 'clearing', sensor: 'vlp-16', seed: '7', seconds: '1.5' });
    const driveLine = await lineOf(start);
    expect(driveLine).toMatch(/^npx understory drive clearing /);
    await start.getByTestId('start').click();
    await page.getByTestId('run-finished').waitFor();

    const dataFolder = join(elsewhere, 'data');
    await runLine(driveLine, dataFolder, elsewhere);
    const [onScreen, byCommand] = [app.host.dataFolder, dataFolder].map((folder) =>
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

    await page.getByTestId('nav-runs').click();
    await page.getByTestId('row-finished').first().dblclick();
    await page.getByTestId('export').click();
    const dialog = page.locator('dialog[open]');
    for (const format of exportFormats) {
      await dialog.locator(`input[value=${format}]`).check();
      const file = join(elsewhere, `cloud.${format}`);
      await dialog.getByTestId('export-file').fill(file);
      const exportLine = await lineOf(dialog);
      await dialog.getByTestId('export-start').click();
      await dialog.getByTestId('exported').getByText(file).waitFor();
      await rename(file, `${file}.onScreen`);
      await runLine(exportLine, app.host.dataFolder, elsewhere);
      expect(await digestOf(file), format).toBe(await digestOf(`${file}.onScreen`));
    }
  });
});
