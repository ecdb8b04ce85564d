// Runs under way for Foxglove: topics, schemas and messages of their recordings, as they are recorded, and boxes of moving
// objects.
// Guarantees: listens on loopback only, and shows runs to those alone who have the token of the printed address; a client
// that is slow misses clouds, and no run waits for any.
import { FoxgloveServer } from '@foxglove/ws-protocol';
import type { IncomingMessage } from 'node:http';
import { toWire } from '#contract/errors.ts';
import type { Understory } from '#hosts/compose.ts';
import { type Access, createAccess, headersOf } from '#hosts/loopback/access.ts';
import { type LoopbackService, openLoopback } from '#hosts/loopback/loopbackServer.ts';
import type { SeldomWarnings } from '#hosts/loopback/seldomWarnings.ts';
import type { RecordedMessage, RecordingReader } from '#services/ports/recordings.ts';
import { objectsTopic } from '#recordings/ros/topics.ts';
import { boxesChannel, boxesMessage } from './boxes.ts';
import { lossySocket } from './lossySocket.ts';

export interface FoxgloveHost {
  /** ws://127.0.0.1:PORT/?token=TOKEN: Foxglove and Lichtblick take an address with its query. */
  address: string;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

export interface FoxgloveOptions {
  /** 0: any free port. */
  port: number;
  token: string;
}

/** One protocol under two names; clients of the Foxglove SDK offer the second alone. */
const subprotocols: readonly string[] = ['foxglove.websocket.v1', 'foxglove.sdk.v1'];

/**
 * Shows each run that begins from now on, the newest where there are several.
 * @throws UnderstoryError 'io' where the port is taken
 */
export async function serveFoxglove(
  { events, follow, log }: Pick<Understory, 'events' | 'follow' | 'log'>,
  { port: wanted, token }: FoxgloveOptions,
): Promise<FoxgloveHost> {
  const server = new FoxgloveServer({ name: 'Understory', capabilities: ['time'] });
  const loopback = await openLoopback(
    {
      port: wanted,
      option: '--foxglove',
      sockets: {
        maxPayload: 1024 * 1024,
        handleProtocols: (offered) =>
          [...offered].find((one) => subprotocols.includes(one)) ?? false,
      },
      log,
    },
    runsAt,
  );
  let shown: { end: AbortController; done: Promise<void> } | null = null;
  const show = (runId: string): void => {
    const before = shown;
    before?.end.abort();
    const end = new AbortController();
    const done = (before?.done ?? Promise.resolve()).then(() => showRun(runId, end.signal));
    shown = { end, done };
  };
  const unsubscribe = events.subscribe(({ name, body }) => {
    if (name === 'runs.changed' && body.state === 'running') show(body.runId);
  });
  return { address: `ws://127.0.0.1:${loopback.port}/?token=${token}`, close };

  function runsAt(port: number, warnings: SeldomWarnings): LoopbackService {
    // Why swallowed: a client that sends what it may not is no fault of the run.
    server.on('error', ({ message }) =>
      warnings.warn('a Foxglove client failed', { error: message }),
    );
    const access = createAccess(token, port);
    return {
      answer: (_request, response) => {
        response.writeHead(426, { 'Content-Type': 'text/plain; charset=utf-8' });
        response.end('This is for Foxglove: open the printed address as a Foxglove WebSocket.\n');
      },
      refusalOf: (request) => refusalOf(access, request),
      connect: (socket) => server.handleConnection(lossySocket(socket), ''),
    };
  }

  async function showRun(runId: string, signal: AbortSignal): Promise<void> {
    try {
      const recording = await follow(runId, signal);
      try {
        await sendAll(recording, signal);
      } finally {
        await recording.close();
      }
    } catch (error) {
      if (!signal.aborted) log.warn('a run could not be shown in Foxglove', { ...toWire(error) });
    }
  }

  async function sendAll(recording: RecordingReader, signal: AbortSignal): Promise<void> {
    const channels = new Map<number, number>();
    for (const { id, topic, encoding, schemaName, schemaEncoding, schema } of recording.channels) {
      const channel = { topic, encoding, schemaName, schemaEncoding, schema };
      channels.set(id, server.addChannel(channel));
    }
    const objects = recording.channels.find(({ topic }) => topic === objectsTopic)?.id;
    const boxes = objects === undefined ? null : server.addChannel(boxesChannel);
    try {
      /** Last messages of latched channels, for clients that subscribe later. */
      const latched = new Map<number, RecordedMessage>();
      const latchedIds = recording.channels
        .filter(({ isLatched }) => isLatched)
        .map(({ id }) => id);
      const onSubscribe = (channel: number): void => {
        for (const [id, message] of latched) {
          if (channels.get(id) === channel) send(channel, message);
        }
      };
      server.on('subscribe', onSubscribe);
      try {
        for await (const message of recording.messages()) {
          if (signal.aborted) return;
          const channel = channels.get(message.channelId);
          if (channel === undefined) continue;
          if (latchedIds.includes(message.channelId)) {
            latched.set(message.channelId, { ...message, data: message.data.slice() });
          }
          send(channel, message);
          if (boxes !== null && message.channelId === objects) {
            send(boxes, { ...message, data: boxesMessage(message.data) });
          }
        }
      } finally {
        server.off('subscribe', onSubscribe);
      }
    } finally {
      for (const channel of channels.values()) server.removeChannel(channel);
      if (boxes !== null) server.removeChannel(boxes);
    }
  }

  function send(channel: number, { logTime, data }: RecordedMessage): void {
    server.broadcastTime(logTime);
    server.sendMessage(channel, logTime, new Uint8Array(data));
  }

  async function close(): Promise<void> {
    unsubscribe();
    shown?.end.abort();
    await shown?.done;
    await loopback.close();
  }
}

function refusalOf(access: Access, request: IncomingMessage): string | null {
  const given = headersOf(request);
  if (!access.isOwnHost(given)) return 'not the name of this host';
  if (!isAllowed(given.origin)) return 'not a page of Foxglove or of this machine';
  const { searchParams } = new URL(request.url ?? '/', 'ws://127.0.0.1');
  return access.isToken(searchParams.get('token')) ? null : 'no token: open the printed address';
}

/** Foxglove's own pages and app, and Lichtblick's: those of other origins may not read what is simulated here. */
function isAllowed(origin: string | undefined): boolean {
  // Why: programs send none.
  if (origin === undefined) return true;
  try {
    const { hostname, protocol } = new URL(origin);
    if (protocol === 'file:') return true;
    return ['localhost', '127.0.0.1'].includes(hostname) || /(^|\.)foxglove\.dev$/.test(hostname);
  } catch {
    return false;
  }
}
