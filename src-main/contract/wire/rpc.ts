// Calls over a channel of frames: call, reply, cancel, event, and chunks with acknowledgement.
// Guarantees: chunks arrive in order; at most `window` of them are under way; a call ends exactly once,
// after the last chunk it was sent has been taken; when the channel closes, every open call ends with
// 'worker-lost' (or what `lostCode` says), and every call that is served is cancelled, whatever ids the other side used.
import type { Columns } from '../columns.ts';
import { fromWire, toWire, UnderstoryError, type ErrorCode } from '../errors.ts';
import { chunkWindow, type Frame } from './frame.ts';

/** Calls of one channel that are answered at the same time, at most: a page has some ten under way. */
export const maxCallsUnderWay = 128;

/** A two-way pipe of whole frames. Adapters: stdio, WebSocket, MessagePort, an in-memory pair. */
export interface Channel {
  send(frame: Frame): void;
  /** A listener that throws 'protocol' closes the channel, as bytes that are no frame do. */
  onFrame(listener: (frame: Frame) => void): void;
  onClose(listener: (reason: string) => void): void;
  close(): void;
  /** Resolves when the sender may continue: back-pressure of the transport. */
  drain?(): Promise<void>;
}

export interface Message {
  body: unknown;
  columns: Columns;
}

export interface CallOptions {
  columns?: Columns;
  signal?: AbortSignal;
  onProgress?: (body: unknown) => void;
  /** Awaited before the chunk is acknowledged: a slow taker slows the sender. */
  onChunk?: (message: Message) => void | Promise<void>;
}

export interface ServeContext {
  signal: AbortSignal;
  /** Aborted when the channel closes: what outlasts its call, and not its caller, ends with it. */
  connection: AbortSignal;
  progress(body: unknown): void;
  /** Sends a part of the answer; resolves when another may be sent. */
  chunk(body: unknown, columns: Columns): Promise<void>;
}

export type Serve = (request: Message, context: ServeContext) => Promise<Message> | Message;

export interface Peer {
  call(method: string, body: unknown, options?: CallOptions): Promise<Message>;
  emit(method: string, body: unknown, columns?: Columns): void;
  onEvent(listener: (method: string, message: Message) => void): void;
  readonly closed: Promise<string>;
  close(): void;
}

export interface PeerOptions {
  /** Methods this side answers. */
  serve?: Record<string, Serve>;
  /** Chunks sent and not yet acknowledged, at most. */
  window?: number;
  /** The code with which open calls end when the channel closes. */
  lostCode?: ErrorCode;
}

interface OpenCall {
  resolve: (message: Message) => void;
  reject: (error: Error) => void;
  options: CallOptions;
  /** Chunks are handled one after another, and the reply after the last of them. */
  chain: Promise<void>;
}

interface ServedCall {
  controller: AbortController;
  inFlight: number;
  waiting: (() => void)[];
}

/**
 * One end of a channel: makes calls, and answers those that `serve` has a method for. A call rejects with
 * what the other side reports, 'cancelled' when its signal is aborted, or `lostCode` when the channel closes.
 */
export function createPeer(channel: Channel, options: PeerOptions = {}): Peer {
  const { serve = {}, window = chunkWindow, lostCode = 'worker-lost' } = options;
  const open = new Map<number, OpenCall>();
  const served = new Map<number, ServedCall>();
  const eventListeners: ((method: string, message: Message) => void)[] = [];
  let nextId = 1;
  let closedReason: string | null = null;
  const connection = new AbortController();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<string>();
  channel.onClose(end);

  channel.onFrame(({ header, columns }) => {
    // Why: a channel may hold more frames of one piece of bytes when it is closed.
    if (closedReason !== null) return;
    const message: Message = { body: header.body, columns };
    const call = open.get(header.id);
    switch (header.kind) {
      case 'call':
        expectNewId(header.id);
        void answer(header.id, header.method ?? '', message);
        break;
      case 'cancel':
        served.get(header.id)?.controller.abort();
        break;
      case 'ack': {
        const answering = served.get(header.id);
        if (answering === undefined || answering.inFlight === 0) break;
        answering.inFlight -= 1;
        answering.waiting.shift()?.();
        break;
      }
      case 'progress':
        call?.options.onProgress?.(header.body);
        break;
      case 'chunk':
        if (call === undefined) break;
        call.chain = call.chain.then(async () => {
          await call.options.onChunk?.(message);
          channel.send(frameOf('ack', header.id, { seq: header.seq ?? 0 }));
        });
        // Why: the failure is the call's own; it is reported where the reply is awaited.
        call.chain.catch(() => channel.send(frameOf('cancel', header.id, {})));
        break;
      case 'reply':
        open.delete(header.id);
        call?.chain.then(() => call.resolve(message), call.reject);
        break;
      case 'error': {
        open.delete(header.id);
        const error = fromWire(header.error ?? { code: 'protocol', message: 'an empty error' });
        if (call !== undefined) fail(call, error);
        break;
      }
      case 'event':
        for (const listener of eventListeners) listener(header.method ?? '', message);
        break;
    }
  });

  return { call, emit, onEvent: (listener) => void eventListeners.push(listener), closed, close };

  function end(reason: string): void {
    if (closedReason !== null) return;
    closedReason = reason;
    for (const call of open.values()) fail(call, new UnderstoryError(lostCode, reason));
    open.clear();
    for (const call of served.values()) call.controller.abort();
    connection.abort();
    resolveClosed(reason);
  }

  /**
   * Why not an error of that call: its id names the earlier one, too, and so would each cancel and ack that follows.
   * @throws UnderstoryError 'protocol'
   */
  function expectNewId(id: number): void {
    if (!served.has(id)) return;
    const message = `call ${id} came while another call ${id} is under way: each call needs an id of its own`;
    end(message);
    throw new UnderstoryError('protocol', message);
  }

  function call(method: string, body: unknown, callOptions: CallOptions = {}): Promise<Message> {
    const { columns = {}, signal } = callOptions;
    if (closedReason !== null) {
      return Promise.reject(new UnderstoryError(lostCode, closedReason));
    }
    if (signal?.aborted === true) {
      return Promise.reject(new UnderstoryError('cancelled', `${method} was cancelled`));
    }
    const id = nextId++;
    const onAbort = (): void => channel.send(frameOf('cancel', id, {}));
    const result = new Promise<Message>((resolve, reject) => {
      open.set(id, { resolve, reject, options: callOptions, chain: Promise.resolve() });
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    channel.send({ header: { kind: 'call', id, method, body }, columns });
    return result.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  async function answer(id: number, method: string, request: Message): Promise<void> {
    if (served.size >= maxCallsUnderWay) {
      const message = `${maxCallsUnderWay} calls are under way on this connection, the limit: wait for one, or cancel one`;
      channel.send(frameOf('error', id, { error: { code: 'locked', message } }));
      return;
    }
    const state: ServedCall = { controller: new AbortController(), inFlight: 0, waiting: [] };
    served.set(id, state);
    const { signal } = connection;
    const context = { ...contextOf(channel, id, method, state, window), connection: signal };
    try {
      const handler = Object.hasOwn(serve, method) ? serve[method] : undefined;
      if (handler === undefined)
        throw new UnderstoryError('protocol', `no method '${method}' here`);
      const { body, columns } = await handler(request, context);
      channel.send({ header: { kind: 'reply', id, body }, columns });
    } catch (error) {
      channel.send(frameOf('error', id, { error: toWire(error) }));
    } finally {
      served.delete(id);
    }
  }

  function emit(method: string, body: unknown, columns: Columns = {}): void {
    channel.send({ header: { kind: 'event', id: 0, method, body }, columns });
  }

  function close(): void {
    channel.close();
  }
}

/** The context of a handler: it waits where a window of chunks is under way, or the transport is full. */
function contextOf(
  channel: Channel,
  id: number,
  method: string,
  state: ServedCall,
  window: number,
): Omit<ServeContext, 'connection'> {
  const { signal } = state.controller;
  // Why one listener for the whole call: a run sends chunks for hours.
  const wakeAll = (): void => {
    for (const wake of state.waiting.splice(0)) wake();
  };
  signal.addEventListener('abort', wakeAll, { once: true });
  let seq = 0;
  return {
    signal,
    progress: (body) => channel.send(frameOf('progress', id, { body })),
    chunk: async (body, columns) => {
      channel.send({ header: { kind: 'chunk', id, seq: seq++, body }, columns });
      state.inFlight += 1;
      while (state.inFlight >= window && !signal.aborted) {
        await new Promise<void>((resolve) => state.waiting.push(resolve));
      }
      await channel.drain?.();
      if (signal.aborted) throw new UnderstoryError('cancelled', `${method} was cancelled`);
    },
  };
}

function frameOf(kind: Frame['header']['kind'], id: number, rest: Partial<Frame['header']>): Frame {
  return { header: { kind, id, ...rest }, columns: {} };
}

/** Rejects a call after its chunks: those that have arrived are still consumed, and none after the end. */
function fail(call: OpenCall, error: Error): void {
  call.chain.then(() => call.reject(error), call.reject);
}
