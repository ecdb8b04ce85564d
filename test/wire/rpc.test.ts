// Calls over a channel: order, acknowledgement, cancelling, and ends that come from either side.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { createPeer, type Peer, type PeerOptions } from '#contract/wire/rpc.ts';
import { memoryChannelPair } from './memoryChannel.ts';

function connect(serve: NonNullable<PeerOptions['serve']>, window = 4): Peer {
  const [near, far] = memoryChannelPair();
  createPeer(far, { serve, window });
  return createPeer(near);
}

const nothing = { body: {}, columns: {} };

describe('rpc', () => {
  it('carries bodies and columns both ways', async () => {
    const peer = connect({
      double: ({ body, columns }) => ({
        body: { was: body },
        columns: { x_m: (columns.x_m as Float32Array).map((x) => 2 * x) },
      }),
    });
    const { body, columns } = await peer.call(
      'double',
      { a: 1 },
      {
        columns: { x_m: Float32Array.of(1, 2) },
      },
    );
    expect(body).toEqual({ was: { a: 1 } });
    expect(columns).toEqual({ x_m: Float32Array.of(2, 4) });
  });

  it('answers calls at the same time, each with its own reply', async () => {
    const peer = connect({
      wait: async ({ body }) => {
        await new Promise((resolve) => setTimeout(resolve, (body as { ms: number }).ms));
        return { body, columns: {} };
      },
    });
    const replies = await Promise.all([
      peer.call('wait', { ms: 20 }),
      peer.call('wait', { ms: 1 }),
    ]);
    expect(replies.map(({ body }) => body)).toEqual([{ ms: 20 }, { ms: 1 }]);
  });

  it('sends no more than a window of chunks ahead of a slow taker, and all of them in order', async () => {
    const window = 3;
    let sent = 0;
    let taken = 0;
    let maxAhead = 0;
    const peer = connect(
      {
        count: async (_, context) => {
          for (let k = 0; k < 20; k++) {
            sent += 1;
            maxAhead = Math.max(maxAhead, sent - taken);
            await context.chunk({ k }, { k: Uint32Array.of(k) });
          }
          return nothing;
        },
      },
      window,
    );
    const got: number[] = [];
    await peer.call(
      'count',
      {},
      {
        onChunk: async ({ columns }) => {
          await new Promise((resolve) => setTimeout(resolve, 2));
          got.push(...(columns.k as Uint32Array));
          taken += 1;
        },
      },
    );
    expect(got).toEqual(Array.from({ length: 20 }, (_, k) => k));
    // The one being taken is still under way when its successor is sent: window, and one to be counted.
    expect(maxAhead).toBeLessThanOrEqual(window + 1);
    expect(maxAhead).toBeGreaterThan(1);
  });

  it('replies only after the last chunk was taken', async () => {
    const peer = connect({
      one: async (_, context) => {
        await context.chunk({}, {});
        return nothing;
      },
    });
    let isTaken = false;
    await peer.call(
      'one',
      {},
      {
        onChunk: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          isTaken = true;
        },
      },
    );
    expect(isTaken).toBe(true);
  });

  it('passes progress on while the call runs', async () => {
    const peer = connect({
      build: (_, context) => {
        for (const done of [1, 2]) context.progress({ phase: 'trees', done, total: 2 });
        return nothing;
      },
    });
    const seen: unknown[] = [];
    await peer.call('build', {}, { onProgress: (body) => seen.push(body) });
    expect(seen).toEqual([
      { phase: 'trees', done: 1, total: 2 },
      { phase: 'trees', done: 2, total: 2 },
    ]);
  });

  it('carries failures with code and details, and unknown ones as internal', async () => {
    const peer = connect({
      refuse: () => {
        throw new UnderstoryError('scene-too-large', 'it will not fit', { neededBytes: 9 });
      },
      fail: () => {
        throw new TypeError('oops');
      },
    });
    await expect(peer.call('refuse', {})).rejects.toMatchObject({
      code: 'scene-too-large',
      message: 'it will not fit',
      details: { neededBytes: 9 },
    });
    await expect(peer.call('fail', {})).rejects.toMatchObject({ code: 'internal' });
    await expect(peer.call('toString', {})).rejects.toMatchObject({ code: 'protocol' });
  });

  it('stops a call on abort, in mid-stream, and ends it once', async () => {
    let isStopped = false;
    const peer = connect({
      forever: async (_, context) => {
        try {
          for (;;) await context.chunk({}, {});
        } finally {
          isStopped = true;
        }
      },
    });
    const controller = new AbortController();
    let chunks = 0;
    const call = peer.call(
      'forever',
      {},
      {
        signal: controller.signal,
        onChunk: () => {
          chunks += 1;
          if (chunks === 5) controller.abort();
        },
      },
    );
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(isStopped).toBe(true);
    controller.abort(); // a second time does nothing
    await expect(peer.call('forever', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('ends a call with the failure of its taker, and stops the sender', async () => {
    let isStopped = false;
    const peer = connect({
      forever: async (_, context) => {
        try {
          for (;;) await context.chunk({}, {});
        } finally {
          isStopped = true;
        }
      },
    });
    const onChunk = (): never => {
      throw new UnderstoryError('disk-full', 'no room');
    };
    await expect(peer.call('forever', {}, { onChunk })).rejects.toMatchObject({
      code: 'disk-full',
    });
    expect(isStopped).toBe(true);
  });

  it('ends open calls when the channel closes, aborts what is served, and refuses new calls', async () => {
    const [near, far] = memoryChannelPair();
    let isAborted = false;
    createPeer(far, {
      serve: {
        hang: (_, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              isAborted = true;
              resolve(nothing);
            }),
          ),
      },
    });
    const peer = createPeer(near, { lostCode: 'run-lost' });
    const call = peer.call('hang', {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    far.close();
    await expect(call).rejects.toMatchObject({ code: 'run-lost' });
    await expect(peer.call('hang', {})).rejects.toMatchObject({ code: 'run-lost' });
    expect(await peer.closed).toBe('the other side is gone');
    expect(isAborted).toBe(true);
  });

  it('takes what has arrived before it says that the channel closed', async () => {
    const [near, far] = memoryChannelPair();
    createPeer(far, {
      serve: {
        two: async (_, context) => {
          await context.chunk({}, {});
          await context.chunk({}, {});
          await new Promise((resolve) => setTimeout(resolve, 10));
          far.close();
          return nothing;
        },
      },
    });
    let taken = 0;
    const onChunk = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      taken += 1;
    };
    const call = createPeer(near).call('two', {}, { onChunk });
    const arrived = await call.then(
      () => null,
      () => taken,
    );
    expect(arrived).toBe(2);
  });

  it('does not gather listeners over a long call', async () => {
    let listeners = Infinity;
    const peer = connect({
      many: async (_, context) => {
        for (let k = 0; k < 50; k++) await context.chunk({}, {});
        listeners = getEventListeners(context.signal, 'abort').length;
        return nothing;
      },
    });
    const onChunk = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
    await peer.call('many', {}, { onChunk });
    expect(listeners).toBeLessThanOrEqual(1);
  });

  it('emits events that belong to no call', async () => {
    const [near, far] = memoryChannelPair();
    const host = createPeer(near);
    const seen = new Promise((resolve) =>
      host.onEvent((method, { body, columns }) => resolve({ method, body, columns })),
    );
    createPeer(far).emit('run.view', { tick: 3 }, { cost: Uint8Array.of(7) });
    expect(await seen).toEqual({
      method: 'run.view',
      body: { tick: 3 },
      columns: { cost: Uint8Array.of(7) },
    });
  });
});
