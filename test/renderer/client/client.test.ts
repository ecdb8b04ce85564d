// The page's client against the real web host, and against hosts that are slow, broken or gone.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket as NodeWebSocket, WebSocketServer } from 'ws';
import { encodeFrame } from '#contract/wire/frame.ts';
import { createPeer, type Channel } from '#contract/wire/rpc.ts';
import { webSocketChannel } from '#hosts/web/webSocketChannel.ts';
import { createClient, type Client, type LinkState } from '#renderer/client/client.ts';
import { openWebSocketChannel } from '#renderer/client/webSocketChannel.ts';
import { startWebHost } from '#test/hosts/web/webHost.ts';

const disposals: (() => unknown)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

const retryMs = [5, 10];

function clientOf(connect: () => Promise<Channel>): { client: Client; states: LinkState[] } {
  const client = createClient({ connect, retryMs });
  const states: LinkState[] = [];
  client.onState((state) => states.push(state));
  disposals.push(() => client.dispose());
  return { client, states };
}

/** A WebSocket server that treats each connection as given. */
async function oddHost(onConnection: (socket: NodeWebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', onConnection);
  await once(server, 'listening');
  disposals.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** ws implements the browser's interface, and can send the headers that a browser would. */
function browserSocket(socket: NodeWebSocket): WebSocket {
  // Why: without a listener Node throws; in a browser 'close' follows, and is what counts.
  socket.on('error', () => {});
  return socket as unknown as WebSocket;
}

describe('with the real web host', () => {
  it('calls, watches and receives events', async () => {
    const host = await startWebHost({ tickMs: 2, points: 50 });
    disposals.push(() => host.close());
    const { client, states } = clientOf(() =>
      openWebSocketChannel('', '', () => browserSocket(host.openSocket())),
    );
    const heard: string[] = [];
    client.onEvent('runs.changed', ({ state }) => heard.push(state));
    await expect.poll(() => states).toEqual(['open']);
    expect(await client.call('runs.list', {})).toEqual({ runs: [], total: 0 });
    const { runId } = await client.call('drive.start', { scenario: 'yard', seconds: 1 });
    const rows: number[] = [];
    const reply = await client.call(
      'drive.watch',
      { runId, maxPoints: 20 },
      { onChunk: (_view, columns) => void rows.push(columns['x_m']?.length ?? 0) },
    );
    expect(reply).toMatchObject({ state: 'finished', end: 'seconds' });
    expect(new Set(rows)).toEqual(new Set([20]));
    expect(heard).toEqual(['running', 'finished']);
  });

  it('takes calls while it connects', async () => {
    const host = await startWebHost();
    disposals.push(() => host.close());
    const { client } = clientOf(() =>
      openWebSocketChannel('', '', () => browserSocket(host.openSocket())),
    );
    expect(await client.call('runs.list', {})).toEqual({ runs: [], total: 0 });
    const { client: refused } = clientOf(() => Promise.reject(new Error('refused')));
    await expect(refused.call('runs.list', {})).rejects.toThrow('no connection to the host');
  });

  it('gives back problems with their paths', async () => {
    const host = await startWebHost();
    disposals.push(() => host.close());
    const { client, states } = clientOf(() =>
      openWebSocketChannel('', '', () => browserSocket(host.openSocket())),
    );
    await expect.poll(() => states).toEqual(['open']);
    await expect(client.call('drive.start', { scenario: 'marsh' })).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: 'scenario' }] },
    });
  });

  it('stays out without the token, and says that the host is not responding', async () => {
    const host = await startWebHost();
    disposals.push(() => host.close());
    const opening = openWebSocketChannel('', '', () =>
      browserSocket(host.openSocket({ token: '' })),
    );
    await expect(opening).rejects.toThrow('not responding');
  });
});

describe('with a host that misbehaves', () => {
  it('ends what was under way, slow takers included, before it is open again', async () => {
    const address = await oddHost((socket) => {
      createPeer(webSocketChannel(socket), {
        serve: {
          'drive.watch': async (_request, context) => {
            await context.chunk({}, {});
            socket.terminate();
            return { body: {}, columns: {} };
          },
        },
      });
    });
    const { client, states } = clientOf(() =>
      openWebSocketChannel(address, '', (at) => browserSocket(new NodeWebSocket(at))),
    );
    await expect.poll(() => states).toEqual(['open']);
    const order: string[] = [];
    client.onState((state) => order.push(state));
    // Far longer than the pause before the next attempt.
    const onChunk = (): Promise<void> => pause(20 * (retryMs[0] ?? 0));
    await client
      .call('drive.watch', { runId: 'one', maxPoints: 1 }, { onChunk })
      .catch(() => order.push('ended'));
    await expect.poll(() => order).toContain('open');
    expect(order).toEqual(['lost', 'ended', 'open']);
  });

  it('ends calls under way when the connection is lost, and comes back', async () => {
    let connections = 0;
    const address = await oddHost((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      createPeer(webSocketChannel(socket), {
        serve: {
          'runs.list': () => {
            if (isFirst) socket.terminate();
            return { body: { runs: [], total: 0 }, columns: {} };
          },
        },
      });
    });
    const { client, states } = clientOf(() =>
      openWebSocketChannel(address, '', (at) => browserSocket(new NodeWebSocket(at))),
    );
    await expect.poll(() => states).toEqual(['open']);
    await expect(client.call('runs.list', {})).rejects.toMatchObject({ code: 'io' });
    await expect.poll(() => states).toEqual(['open', 'lost', 'open']);
    expect(await client.call('runs.list', {})).toEqual({ runs: [], total: 0 });
  });

  it('refuses calls while there is none', async () => {
    const { client, states } = clientOf(() => Promise.reject(new Error('no host')));
    await expect.poll(() => states.length).toBeGreaterThan(2);
    expect(new Set(states)).toEqual(new Set(['lost']));
    await expect(client.call('runs.list', {})).rejects.toMatchObject({ code: 'io' });
  });

  it.each([
    ['bytes that are no frame', new Uint8Array([1, 2, 3])],
    ['text', 'hello'],
    [
      'a frame that is cut',
      encodeFrame({ header: { kind: 'reply', id: 1 }, columns: {} }).slice(8),
    ],
  ])('drops a connection that carries %s', async (_name, message) => {
    let connections = 0;
    const address = await oddHost((socket) => {
      connections += 1;
      if (connections === 1) socket.send(message);
    });
    const { states } = clientOf(() =>
      openWebSocketChannel(address, '', (at) => browserSocket(new NodeWebSocket(at))),
    );
    await expect.poll(() => states).toEqual(['open', 'lost', 'open']);
  });

  it('ignores answers to calls that it did not make', async () => {
    const address = await oddHost((socket) => {
      for (const kind of ['reply', 'chunk', 'error', 'progress'] as const) {
        socket.send(encodeFrame({ header: { kind, id: 77, seq: 0, body: 1 }, columns: {} }));
      }
      createPeer(webSocketChannel(socket), {
        serve: { 'runs.list': () => ({ body: { runs: [], total: 0 }, columns: {} }) },
      });
    });
    const { client, states } = clientOf(() =>
      openWebSocketChannel(address, '', (at) => browserSocket(new NodeWebSocket(at))),
    );
    await expect.poll(() => states).toEqual(['open']);
    expect(await client.call('runs.list', {})).toEqual({ runs: [], total: 0 });
  });

  it('can cancel a call that a slow host has not answered', async () => {
    let wasAborted = false;
    const address = await oddHost((socket) => {
      createPeer(webSocketChannel(socket), {
        serve: {
          'drive.watch': async (_request, { signal }) => {
            while (!signal.aborted) await pause(2);
            wasAborted = true;
            signal.throwIfAborted();
            return { body: null, columns: {} };
          },
        },
      });
    });
    const { client, states } = clientOf(() =>
      openWebSocketChannel(address, '', (at) => browserSocket(new NodeWebSocket(at))),
    );
    await expect.poll(() => states).toEqual(['open']);
    const controller = new AbortController();
    const watching = client.call('drive.watch', { runId: 'a' }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await expect(watching).rejects.toMatchObject({ code: 'cancelled' });
    expect(wasAborted).toBe(true);
  });
});
