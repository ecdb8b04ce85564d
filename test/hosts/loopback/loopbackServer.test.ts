// The server of both hosts: it ends whatever its connections do, ends those that do nothing, and takes so many.
import type { Socket } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  type LoopbackServer,
  maxConnections,
  openLoopback,
} from '#hosts/loopback/loopbackServer.ts';
import { gone, halfMessage, stranger, upgradeText } from './strangers.ts';

vi.setConfig({ testTimeout: 60_000 });

let server: LoopbackServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

interface Line {
  message: string;
  details: Record<string, unknown>;
}

/** Answers '/' and nothing else; refuses WebSockets at '/no'. */
async function open(): Promise<{ lines: Line[]; sockets: number[] }> {
  const lines: Line[] = [];
  const sockets: number[] = [];
  const log = {
    warn: (message: string, details: Record<string, unknown> = {}) =>
      void lines.push({ message, details }),
  };
  const options = { port: 0, option: '--port', sockets: { maxPayload: 1000 }, log };
  server = await openLoopback(options, (port) => ({
    answer: ({ url }, response) => void (url === '/' && response.end('here')),
    refusalOf: ({ url }) => (url === '/no' ? 'not here' : null),
    connect: () => void sockets.push(port),
  }));
  return { lines, sockets };
}

async function strange(text: string | Uint8Array = '', isReading = true): Promise<Socket> {
  const socket = await stranger(server?.port ?? 0, text, isReading);
  onTestFinished(() => void socket.destroy());
  return socket;
}

it('closes with connections that are idle, half asked, refused, unanswered, or half sent', async () => {
  const { sockets } = await open();
  const port = server?.port ?? 0;
  const ask = (path: string): string => upgradeText(port, path, 'any');
  const ended = [
    await strange('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    await strange(),
    await strange('GET / HTTP/1.1\r\nHost:'),
    await strange('GET /never HTTP/1.1\r\nHost: x\r\n\r\n'),
    await strange(ask('/no'), false),
    await strange(ask('/')),
    await strange(Buffer.concat([Buffer.from(ask('/')), halfMessage]), false),
  ].map(gone);
  await expect.poll(() => sockets).toEqual([port, port]);
  await server?.close();
  server = null;
  await Promise.all(ended);
});

it('ends connections that send no whole request', async () => {
  await open();
  const half = [
    '',
    'GET / HTTP/1.1\r\nHost: x',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1',
  ];
  await Promise.all(half.map(async (text) => gone(await strange(text))));
});

it('refuses connections beyond the limit, and logs it once', async () => {
  const { lines } = await open();
  for (let n = 0; n < maxConnections; n += 1) await strange();
  for (let n = 0; n < 3; n += 1) await gone(await strange());
  expect(lines).toEqual([
    {
      message: 'a connection was refused',
      details: { port: server?.port, reason: `${maxConnections} connections are open, the limit` },
    },
  ]);
  await server?.close();
  server = null;
  expect(lines).toHaveLength(2);
  expect(lines[1]?.details['times']).toBe(2);
});
