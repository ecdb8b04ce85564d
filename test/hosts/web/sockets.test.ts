// The WebSocket side: who may connect, what happens to broken frames, slow readers and several clients.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { encodeFrame, frameMagic } from '#contract/wire/frame.ts';
import { createPeer, type Peer } from '#contract/wire/rpc.ts';
import { maxUnsentBytes } from '#contract/wire/unsent.ts';
import { highWaterBytes, webSocketChannel } from '#hosts/web/webSocketChannel.ts';
import type { SyntheticOptions } from '#test/hosts/syntheticHost.ts';
import { startWebHost, type TestWebHost } from './webHost.ts';

let web: TestWebHost | null = null;
afterEach(async () => {
  await web?.close();
  web = null;
});

async function start(options: SyntheticOptions = {}): Promise<TestWebHost> {
  web = await startWebHost(options);
  return web;
}

async function connect(host: TestWebHost): Promise<{ socket: WebSocket; peer: Peer }> {
  const socket = host.openSocket();
  await once(socket, 'open');
  return { socket, peer: createPeer(webSocketChannel(socket)) };
}

async function refusalOf(socket: WebSocket): Promise<number> {
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode: number },
  ];
  return response.statusCode;
}

describe('connecting', () => {
  it('needs the token, the origin and the name of this host', async () => {
    const host = await start();
    const wrong = [
      { token: '' },
      { token: host.token.slice(0, -1) },
      { token: `${host.token.slice(0, -1)}${host.token.endsWith('A') ? 'B' : 'A'}` },
      { token: `x${host.token}` },
      { headers: { cookie: `understory-${host.port}=${host.token}` }, token: '' },
      { headers: { origin: 'http://evil.example' } },
      { headers: { origin: '' } },
      { headers: { host: 'evil.example' } },
    ];
    for (const each of wrong) {
      expect(await refusalOf(host.openSocket(each)), JSON.stringify(each)).toBe(403);
    }
    const { peer, socket } = await connect(host);
    expect((await peer.call('host.info', {})).body).toMatchObject({ cores: 1 });
    expect(socket.protocol, 'the token does not come back').toBe('understory');
  });
});

describe('what is no frame', () => {
  const header = new TextEncoder().encode('{"kind":"call","id":1} ');
  const bomb = new Uint8Array(16);
  new DataView(bomb.buffer).setUint32(0, frameMagic, true);
  // A payload of 1 GiB is announced: nothing may be allocated for it.
  new DataView(bomb.buffer).setBigUint64(8, 1n << 30n, true);
  const good = encodeFrame({
    header: { kind: 'call', id: 1, method: 'host.info', body: {} },
    columns: {},
  });
  const cases: [string, Uint8Array | string, number][] = [
    ['text', 'hello', 1003],
    ['other bytes', header, 1002],
    ['an announced gigabyte', bomb, 1002],
    ['half a frame', good.subarray(0, good.length - 8), 1002],
    ['two frames', Buffer.concat([good, good]), 1002],
    ['too long a message', new Uint8Array(33 * 1024 * 1024), 1009],
  ];
  it.each(cases)('%s closes the socket', async (_name, message, code) => {
    const host = await start();
    const { socket } = await connect(host);
    const before = process.memoryUsage().arrayBuffers;
    socket.send(message);
    const [closedWith] = (await once(socket, 'close')) as [number];
    expect(closedWith).toBe(code);
    // Why so much: the longest message itself, and what its sender makes of it, lie in this process, too.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(160 * 1024 * 1024);
    const again = await connect(host);
    expect((await again.peer.call('host.info', {})).body).toMatchObject({ cores: 1 });
  });

  it('a large document is none of them', async () => {
    const { peer } = await connect(await start());
    const text = `# ${'ü'.repeat(6_000_000)}\n`;
    // The host in memory refuses it, by its handler; the socket stays.
    const call = peer.call('document.edit', { kind: 'scenario', text, edits: [] });
    await expect(call).rejects.toMatchObject({ code: 'unsupported' });
    const tooLong = { kind: 'scenario', text: text.repeat(2), edits: [] };
    await expect(peer.call('document.edit', tooLong)).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('and an unknown method is an error of that call alone', async () => {
    const { peer } = await connect(await start());
    await expect(peer.call('host.shutdown', {})).rejects.toMatchObject({ code: 'protocol' });
    await expect(peer.call('__proto__', {})).rejects.toMatchObject({ code: 'protocol' });
    await expect(peer.call('runs.list', { limit: 'all' })).rejects.toMatchObject({
      code: 'bad-input',
    });
    expect((await peer.call('runs.list', {})).body).toEqual({ runs: [], total: 0 });
  });
});

describe('a drive', () => {
  it('is watched by two clients, and both hear of its end', async () => {
    const host = await start({ tickMs: 5, points: 100 });
    const clients = [await connect(host), await connect(host)];
    const heard: string[][] = [[], []];
    for (const [index, { peer }] of clients.entries()) {
      peer.onEvent((name, { body }) => {
        heard[index]?.push(`${name} ${(body as { state: string }).state}`);
      });
    }
    const { body } = await clients[0]!.peer.call('drive.start', { scenario: 'yard', seconds: 2 });
    const chunks = [0, 0];
    const replies = await Promise.all(
      clients.map(({ peer }, index) =>
        peer.call('drive.watch', body, {
          onChunk: ({ columns }) => {
            expect(columns['x_m']).toHaveLength(100);
            chunks[index]! += 1;
          },
        }),
      ),
    );
    for (const reply of replies) {
      expect(reply.body).toMatchObject({ state: 'finished', end: 'seconds' });
    }
    expect(Math.min(...chunks)).toBeGreaterThan(5);
    await expect
      .poll(() => heard)
      .toEqual([0, 1].map(() => ['runs.changed running', 'runs.changed finished']));
  });

  it('sends a reader that stopped reading no more than the window', async () => {
    const host = await start({ tickMs: 1, points: 50_000 });
    const { peer } = await connect(host);
    const { body } = await peer.call('drive.start', { scenario: 'yard', seconds: 60 });
    let taken = 0;
    const watching = peer.call('drive.watch', body, {
      onChunk: async () => {
        taken += 1;
        if (taken === 1) await pause(600);
      },
    });
    await pause(500);
    // Window 4: one is being taken, at most three more are under way.
    expect(host.host.chunksSent).toBeLessThanOrEqual(4);
    await peer.call('drive.stop', body);
    await watching;
  });

  it('ends for a client that goes away', async () => {
    const host = await start({ tickMs: 5, points: 100 });
    const { peer, socket } = await connect(host);
    const { body } = await peer.call('drive.start', { scenario: 'yard', seconds: 3 });
    const watching = peer.call('drive.watch', body).catch(String);
    await expect.poll(() => host.host.chunksSent).toBeGreaterThan(2);
    socket.terminate();
    await watching;
    await pause(50);
    const sent = host.host.chunksSent;
    await pause(50);
    expect(host.host.chunksSent).toBe(sent);
  });
});

describe('a socket whose other end reads nothing', () => {
  it('makes senders wait at the high-water mark', async () => {
    const host = await start({ tickMs: 1, points: 200_000 });
    const { socket, peer } = await connect(host);
    const { body } = await peer.call('drive.start', { scenario: 'yard', seconds: 60 });
    socket.pause();
    void peer.call('drive.watch', { ...(body as object), maxPoints: 200_000 }).catch(() => {});
    await pause(400);
    const sent = host.host.chunksSent;
    await pause(200);
    expect(host.host.chunksSent).toBe(sent);
    const chunkBytes = 200_000 * 18;
    expect(sent * chunkBytes).toBeLessThanOrEqual(highWaterBytes + 4 * chunkBytes);
    socket.terminate();
  });
});

describe('a sender that does not wait', () => {
  it('is cut off before its backlog outgrows the limit', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const reader = new WebSocket(`ws://127.0.0.1:${port}`);
    const [accepted] = (await once(server, 'connection')) as [WebSocket];
    await once(reader, 'open');
    reader.pause();
    const channel = webSocketChannel(accepted);
    const closed = new Promise((resolve) => channel.onClose(resolve));
    const frame = {
      header: { kind: 'event' as const, id: 0, method: 'flood' },
      columns: { x: new Uint8Array(4 * 1024 * 1024) },
    };
    const enough = 2 * (maxUnsentBytes / frame.columns.x.byteLength);
    let sent = 0;
    while (accepted.readyState === accepted.OPEN && sent < enough) {
      channel.send(frame);
      sent += 1;
      expect(accepted.bufferedAmount).toBeLessThan(maxUnsentBytes + 8 * 1024 * 1024);
    }
    expect(sent).toBeLessThan(enough);
    await closed;
    reader.terminate();
    server.close();
  });
});

describe('closing', () => {
  it('ends open calls and frees the port', async () => {
    const host = await start({ tickMs: 5, points: 10 });
    const { peer } = await connect(host);
    const { body } = await peer.call('drive.start', { scenario: 'yard', seconds: 60 });
    const watching = peer.call('drive.watch', body);
    const ended = expect(watching).rejects.toThrow('the host is closing');
    await host.close();
    web = null;
    await ended;
    const refused = host.openSocket();
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('ECONNREFUSED');
  });
});
