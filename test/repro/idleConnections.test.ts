// One idle connection to the port for Foxglove kept `serve`, and a `drive` that was over, from ending.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished, vi } from 'vitest';
import { socketProtocols } from '#contract/wire/socketProtocols.ts';
import { start } from '#test/support/commandLine.ts';
import { gone, halfMessage, stranger, upgradeText } from '#test/hosts/loopback/strangers.ts';
import { partsOf } from '#test/hosts/web/httpGet.ts';
import { temporaryFolder } from '#test/support/folder.ts';

vi.setConfig({ testTimeout: 120_000 });

const foxgloveAddress = /Foxglove: open the connection (ws:\S+)/;

it.each(['SIGINT', 'SIGTERM'] as const)('serve --foxglove ends by %s', async (signal) => {
  const { child, finished } = start(temporaryFolder(), 'serve', '--foxglove', '0');
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null || child.stderr === null) throw new Error('expected pipes');
  const stderr = createInterface(child.stderr);
  const foxgloveLine = new Promise<string>((resolve) => {
    stderr.on('line', (line) => foxgloveAddress.test(line) && resolve(line));
  });
  const [pageAddress] = (await once(createInterface(child.stdout), 'line')) as [string];
  const page = partsOf(pageAddress);
  const foxglove = partsOf(foxgloveAddress.exec(await foxgloveLine)?.[1] ?? '');
  expect(foxglove.token).not.toBe(page.token);
  const pageSocket = upgradeText(
    page.port,
    '/rpc',
    socketProtocols(page.token).join(', '),
    `http://127.0.0.1:${page.port}`,
  );
  const query = `/?token=${foxglove.token}`;
  const foxgloveSocket = upgradeText(foxglove.port, query, 'foxglove.websocket.v1');
  const open = [];
  for (const [{ port }, request] of [
    [page, pageSocket] as const,
    [foxglove, foxgloveSocket] as const,
  ]) {
    const halfFrame = Buffer.concat([Buffer.from(request), halfMessage]);
    for (const text of ['', 'GET / HT', request, halfFrame]) {
      open.push(await stranger(port, text, false));
    }
  }
  child.kill(signal);
  expect((await finished).exitCode).toBe(0);
  await Promise.all(open.map(gone));
});

it('drive --foxglove ends with its drive', async () => {
  const folder = temporaryFolder();
  const drive = ['drive', 'clearing', '--sensor', 'lms-291', '--seconds', '0.2'];
  const { child, finished } = start(folder, ...drive, '--foxglove', '0');
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stderr === null) throw new Error('expected a pipe');
  const lines = createInterface(child.stderr);
  const address = await new Promise<string>((resolve) => {
    lines.on('line', (line) => resolve(foxgloveAddress.exec(line)?.[1] ?? ''));
  });
  const { port } = partsOf(address);
  const idle = [await stranger(port), await stranger(port, 'GET / HTTP/1.1\r\n')];
  expect((await finished).exitCode).toBe(0);
  await Promise.all(idle.map(gone));
});
