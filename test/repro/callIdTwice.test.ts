// Three scene.open with one id on one connection: two workers stayed when it closed, and the host did not end.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { encodeFrame } from '#contract/wire/frame.ts';
import { createPeer, maxCallsUnderWay, type ServeContext } from '#contract/wire/rpc.ts';
import { webSocketChannel } from '#hosts/web/webSocketChannel.ts';

/** A peer that serves `open`, which lasts until it is cancelled. */
async function connected(): Promise<{ socket: WebSocket; opened: ServeContext[] }> {
  const server = createServer();
  const opened: ServeContext[] = [];
  new WebSocketServer({ server }).on('connection', (accepted) => {
    createPeer(webSocketChannel(accepted), {
      serve: {
        open: (_, context) => {
          opened.push(context);
          return new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => reject(new Error('cancelled')));
          });
        },
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    socket.terminate();
    server.close();
  });
  await once(socket, 'open');
  return { socket, opened };
}

const call = (id: number): Uint8Array =>
  encodeFrame({ header: { kind: 'call', id, method: 'open', body: {} }, columns: {} });

it('an id in use closes the connection with a sentence, and all its calls end', async () => {
  const { socket, opened } = await connected();
  for (const id of [6, 7, 7, 7, 8]) socket.send(call(id));
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  expect(code).toBe(1002);
  expect(reason.toString()).toMatch(/^call 7 came while another call 7 is under way: /);
  expect(opened).toHaveLength(2);
  expect(opened.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(opened.map(({ connection }) => connection.aborted)).toEqual([true, true]);
});

it('an id is free again when its call has ended', async () => {
  const { socket, opened } = await connected();
  const cancel = encodeFrame({ header: { kind: 'cancel', id: 7 }, columns: {} });
  for (const bytes of [call(7), cancel]) socket.send(bytes);
  await once(socket, 'message');
  socket.send(call(7));
  await expect.poll(() => opened).toHaveLength(2);
  expect(opened.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(socket.readyState).toBe(socket.OPEN);
});

it('a call beyond the limit is refused, and the connection stays', async () => {
  const { socket, opened } = await connected();
  const peer = createPeer(webSocketChannel(socket));
  const all = Array.from({ length: maxCallsUnderWay }, () => peer.call('open', {}));
  for (const one of all) one.catch(() => undefined);
  await expect(peer.call('open', {})).rejects.toMatchObject({
    code: 'locked',
    message: `${maxCallsUnderWay} calls are under way on this connection, the limit: wait for one, or cancel one`,
  });
  expect(opened).toHaveLength(maxCallsUnderWay);
});
