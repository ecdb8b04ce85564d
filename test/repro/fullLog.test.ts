// A log on a full disk threw out of whatever was to be logged: a refused connection ended the web host, and a drive
// whose disk filled ended with a stack trace instead of its exit code, its row left running.
// The recording that the disk refused was never closed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countText } from '#domain/shared/formats.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { createNodeLog } from '#hosts/node/nodeLog.ts';
import { mainFile, runHere } from '#test/support/commandLine.ts';
import { startWebHost } from '#test/hosts/web/webHost.ts';
import { temporaryFolder } from '#test/support/folder.ts';

/** A device that takes no byte: every write fails with ENOSPC. */
const fullDevice = '/dev/full';

it('a log that cannot be written warns once and lets the work continue', () => {
  const dataFolder = temporaryFolder();
  symlinkSync(fullDevice, join(dataFolder, 'understory.log'));
  const warnings: string[] = [];
  const log = createNodeLog({ dataFolder, onWarning: (message) => warnings.push(message) });
  log.info('a');
  log.info('b');
  log.warn('c');
  expect(warnings).toEqual([expect.stringContaining('ENOSPC'), 'c']);
});

it('the web host refuses a connection and continues', async () => {
  const dataFolder = temporaryFolder();
  symlinkSync(fullDevice, join(dataFolder, 'understory.log'));
  const host = await startWebHost({}, createNodeLog({ dataFolder }));
  try {
    const refused = host.openSocket({ token: '' });
    refused.on('error', () => undefined);
    const [, response] = (await once(refused, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    expect(response.statusCode).toBe(403);
    const socket = host.openSocket();
    await once(socket, 'open');
    socket.terminate();
  } finally {
    await host.close();
  }
});

it('a drive that fills the disk ends with its exit code, and its row with it', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  symlinkSync(fullDevice, join(folder, 'data', 'understory.log'));
  // A limit on the size of files replaces the quota, which the guard of the disk does not see.
  const drive = `ulimit -f 3000; exec "$0" "$@"`;
  const order = ['drive', 'clearing', '--sensor', 'hdl-64e', '--seconds', '60', '--quiet'];
  const child = spawn('bash', ['-c', drive, process.execPath, mainFile, ...order], {
    cwd: folder,
    env: { ...process.env, UNDERSTORY_DATA: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const [exitCode] = (await once(child, 'close')) as [number];
  expect(stderr).not.toContain('    at ');
  expect(exitCode).toBe(exitCodeOfCode('disk-full'));
  const { stdout } = await runHere(folder, 'runs', 'list', '--json', '--quiet');
  const [run] = JSON.parse(stdout) as RunListItem[];
  expect(run).toMatchObject({ state: 'failed' });
  // The recording is closed: the disk had refused its end, and every export of such a run.
  const csv = join(folder, 'cloud.csv');
  const exported = await runHere(folder, 'runs', 'export', '0', '--format', 'csv', '--out', csv);
  expect(exported).toMatchObject({ exitCode: 0 });
  expect(exported.stderr).toContain(`${countText(run?.points ?? 0)} points`);
});
