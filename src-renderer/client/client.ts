// The page's interface to the host: typed calls of the contract over a channel that is opened again, with
// growing pauses, whenever it is lost. Calls under way when it is lost end with 'io', all of them before it is
// said to be open again; none is repeated.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Events, Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import { createPeer, type Channel, type Peer } from '#contract/wire/rpc.ts';
import type { Progress } from '#contract/worker/worker.ts';

/** 'connecting': the first attempt; 'lost': it was open, or could not be opened, and is tried again. */
export type LinkState = 'connecting' | 'open' | 'lost';

export interface ClientCallOptions {
  /** Columns of the request, of a method that takes some. */
  columns?: Columns;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Awaited before the host may send more: a slow page slows the host. */
  onChunk?: (body: unknown, columns: Columns) => void | Promise<void>;
}

export interface Client {
  /** Waits for the first attempt to connect. @throws UnderstoryError, 'io' where the connection is down or goes down. */
  call<M extends Method>(
    method: M,
    request: RequestInputOf<M>,
    options?: ClientCallOptions,
  ): Promise<Replies[M]>;
  /** The same, with the columns of the reply. */
  query<M extends Method>(
    method: M,
    request: RequestInputOf<M>,
    options?: ClientCallOptions,
  ): Promise<{ reply: Replies[M]; columns: Columns }>;
  onState(listener: (state: LinkState) => void): void;
  /** Returns what ends the listening. */
  onEvent<E extends keyof Events>(name: E, listener: (body: Events[E]) => void): () => void;
  dispose(): void;
}

export interface ClientOptions {
  connect: () => Promise<Channel>;
  /** Pauses before attempts 2, 3 …; the last one is repeated. */
  retryMs?: readonly number[];
}

/** A call ends when what came last has been taken; for one that takes longer nothing waits. */
const longestTakeMs = 5000;

/** Opens the connection at once, and keeps it open until it is disposed. */
export function createClient({
  connect,
  retryMs = [250, 500, 1000, 2000, 4000],
}: ClientOptions): Client {
  const stateListeners: ((state: LinkState) => void)[] = [];
  const eventListeners = new Map<string, Set<(body: unknown) => void>>();
  const underWay = new Set<Promise<unknown>>();
  let peer: Peer | null = null;
  let isDisposed = false;
  const firstAttempt = Promise.withResolvers<void>();
  void keepOpen();

  return {
    call: async (method, request, options) => (await query(method, request, options)).reply,
    query,
    onState(listener) {
      stateListeners.push(listener);
    },
    onEvent(name, listener) {
      const listeners = eventListeners.get(name) ?? new Set();
      const take = (body: unknown): void => listener(body as Parameters<typeof listener>[0]);
      eventListeners.set(name, listeners.add(take));
      return () => void listeners.delete(take);
    },
    dispose() {
      isDisposed = true;
      peer?.close();
    },
  };

  async function query<M extends Method>(
    method: M,
    request: RequestInputOf<M>,
    options: ClientCallOptions = {},
  ): Promise<{ reply: Replies[M]; columns: Columns }> {
    const answer = ask(method, request, options);
    underWay.add(answer);
    try {
      return await answer;
    } finally {
      underWay.delete(answer);
    }
  }

  async function ask<M extends Method>(
    method: M,
    request: RequestInputOf<M>,
    options: ClientCallOptions,
  ): Promise<{ reply: Replies[M]; columns: Columns }> {
    await firstAttempt.promise;
    if (peer === null) throw new UnderstoryError('io', 'there is no connection to the host');
    const { columns: sent, onChunk, onProgress, signal } = options;
    const { body, columns } = await peer.call(method, request, {
      ...(sent && { columns: sent }),
      ...(signal && { signal }),
      ...(onProgress && { onProgress: (progress) => onProgress(progress as Progress) }),
      ...(onChunk && { onChunk: (chunk) => onChunk(chunk.body, chunk.columns) }),
    });
    return { reply: body as Replies[M], columns };
  }

  async function keepOpen(): Promise<void> {
    for (let failures = 0; !isDisposed; failures += 1) {
      const channel = await connect().catch(() => null);
      if (channel !== null && isDisposed) channel.close();
      if (channel !== null && !isDisposed) {
        failures = 0;
        peer = createPeer(channel, { lostCode: 'io' });
        peer.onEvent((name, { body }) => {
          for (const listener of eventListeners.get(name) ?? []) listener(body);
        });
        firstAttempt.resolve();
        tell('open');
        await peer.closed;
        peer = null;
      }
      firstAttempt.resolve();
      if (isDisposed) return;
      tell('lost');
      // Why: followers of a run continue when the connection opens, and must have been told by then that it ended.
      await Promise.race([Promise.allSettled(underWay), sleep(longestTakeMs)]);
      const pause = retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000;
      await sleep(pause);
    }
  }

  function tell(state: LinkState): void {
    for (const listener of stateListeners) listener(state);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
