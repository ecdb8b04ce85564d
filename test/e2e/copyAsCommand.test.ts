// Work that is started on screen, and the same by the line that is copied there: the bytes are the same. The lines
// are run unchanged, by a shell in which npx is this package's own command line.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { decodeFrame } from '#contract/wire/frame.ts';
import { exportFormats } from '#contract/host/exportFormats.ts';
import { projectRoot } from '#test/stages.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeApp, eventually } from './app.ts';
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
    await page.getByTestId('run-finished').waitFor({ state: 'attached' });

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
      // With the tables beside it that say what its ids mean.
      const written = globSync(`${file}*`);
      for (const name of written) await rename(name, `${name}.onScreen`);
      await runLine(exportLine, app.host.dataFolder, elsewhere);
      for (const name of written) {
        expect(await digestOf(name), name).toBe(await digestOf(`${name}.onScreen`));
      }
    }
  });

  it('scans to the same returns, byte for byte', async () => {
    const heard = new Map<string, Uint8Array[]>();
    const page = await app.open('dark', {
      at: 'scene',
      before: (opened) => Promise.resolve(void hearColumns(opened, heard)),
    });
    await page.getByTestId('open-box').click();
    await page.getByRole('tab', { name: 'Scans' }).click();
    await eventually(() => page.getByTestId('pose-zM').inputValue()).toBe('1');
    await page.getByTestId('pose-yawDeg').fill('30');
    await page.getByTestId('pose-yawDeg').press('Tab');
    const scanLine = await lineOf(page.getByTestId('scans-panel'));
    expect(scanLine).toMatch(/^npx understory scan box --sensor \S+ --pose 0,0,1,30,0 /);
    heard.clear();
    await page.getByTestId('scan-once').click();
    await eventually(() => page.getByTestId('scans').locator('li').count()).toBe(1);

    const [here, there] = [temporaryFolder(), temporaryFolder()];
    for (const folder of [here, there]) await runLine(scanLine, app.host.dataFolder, folder);
    const file = join(here, 'scan.pcd');
    expect(await digestOf(join(there, 'scan.pcd'))).toBe(await digestOf(file));
    const inFile = columnsOfPcd(await readFile(file));
    for (const name of comparedColumns) {
      const onScreen = Buffer.concat(heard.get(name) ?? []);
      expect(onScreen.length, name).toBeGreaterThan(1000);
      expect(onScreen.equals(inFile.get(name) ?? Buffer.alloc(0)), name).toBe(true);
    }

    // Looking another way is another scan: the comparison above can fail.
    const elsewhere = temporaryFolder();
    await runLine(scanLine.replace(',30,0', ',31,0'), app.host.dataFolder, elsewhere);
    const other = columnsOfPcd(await readFile(join(elsewhere, 'scan.pcd')));
    expect(other.get('range_m')?.equals(inFile.get('range_m') ?? Buffer.alloc(0))).toBe(false);
  });
});

/** Columns of both page and file; positions have other names in a PCD. */
const comparedColumns = [
  ...['time_ns', 'pulse', 'ring', 'return_no', 'range_m', 'intensity', 'beam_share'],
  ...['object_id', 'class_id', 'range_clean_m', 'x_m', 'y_m', 'z_m'],
];

/** Keeps the columns of every chunk that reaches a page, as bytes, under their names. */
function hearColumns(page: Page, heard: Map<string, Uint8Array[]>): void {
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return;
      const { header, columns } = decodeFrame(new Uint8Array(payload));
      if (header.kind !== 'chunk') return;
      for (const [name, column] of Object.entries(columns)) {
        // A PCD has doubles in the place of integers of 64 bits.
        const isLong = column instanceof BigInt64Array || column instanceof BigUint64Array;
        const values = isLong ? Float64Array.from<bigint>(column, Number) : column;
        const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
        heard.set(name, [...(heard.get(name) ?? []), bytes.slice()]);
      }
    }),
  );
}

/** The columns of a binary PCD under the contract's names, each in one piece. */
function columnsOfPcd(bytes: Buffer): Map<string, Buffer> {
  const start = bytes.indexOf('DATA binary\n') + 'DATA binary\n'.length;
  const words = (name: string): string[] =>
    new RegExp(`^${name} (.*)$`, 'm').exec(bytes.toString('latin1', 0, start))?.[1]?.split(' ') ??
    [];
  const sizes = words('SIZE').map(Number);
  const rowBytes = sizes.reduce((sum, size) => sum + size, 0);
  const rows = Number(words('POINTS')[0]);
  let offset = start;
  return new Map(
    words('FIELDS').map((field, index) => {
      const size = sizes[index] ?? 0;
      const column = Buffer.alloc(rows * size);
      for (let row = 0; row < rows; row += 1) {
        const at = offset + row * rowBytes;
        bytes.copy(column, row * size, at, at + size);
      }
      offset += size;
      return [/^[xyz]$/.test(field) ? `${field}_m` : field, column];
    }),
  );
}
