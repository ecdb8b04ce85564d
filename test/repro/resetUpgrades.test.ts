// A client that asked for a WebSocket without a token and reset its connection ended the web host.
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { httpGet } from '#test/hosts/web/httpGet.ts';
import { start } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const resets = 50;

it('the web host survives clients that ask for an upgrade and reset', async () => {
  const { child, finished } = start(temporaryFolder(), 'serve');
  if (child.stdout === null) throw new Error('stdout is no pipe');
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
  const port = Number(new URL(address).port);
  for (let index = 0; index < resets; index += 1) await resetUpgrade(port);
  expect((await httpGet(port, '/', {}, 'POST')).status).toBe(405);
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(0);
});

async function resetUpgrade(port: number): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  const request = ['GET /rpc HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Upgrade: websocket'];
  const closed = once(socket, 'close');
  socket.write(`${request.join('\r\n')}\r\nConnection: Upgrade\r\n\r\n`, () => {
    socket.resetAndDestroy();
  });
  await closed;
}
