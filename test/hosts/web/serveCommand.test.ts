// `understory serve` as a process: it prints an address that lets one in, and SIGINT ends it cleanly.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createPeer } from '#contract/wire/rpc.ts';
import { webSocketChannel } from '#hosts/web/webSocketChannel.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openPageSocket } from './httpGet.ts';

const entry = fileURLToPath(new URL('../../../src-main/hosts/cli/main.ts', import.meta.url));

it('serves until SIGINT, with a client connected', async () => {
  const dataFolder = temporaryFolder();
  const child = spawn(process.execPath, [entry, 'serve', '--data', dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/);
    const socket = openPageSocket(address);
    await once(socket, 'open');
    const peer = createPeer(webSocketChannel(socket));
    expect((await peer.call('runs.list', {})).body).toEqual({ runs: [], total: 0 });
    expect((await peer.call('scenario.list', {})).body).toContainEqual(
      expect.objectContaining({ id: 'clearing' }),
    );
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    await expect(peer.closed).resolves.toBe('the host is closing');
  } finally {
    child.kill('SIGKILL');
  }
});
