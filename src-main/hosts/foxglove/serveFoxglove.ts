// Runs under way for Foxglove: topics, schemas and messages of their recordings, as they are recorded.
// Guarantees: listens on loopback only; a client that is slow misses clouds, and no run waits for any.
import { FoxgloveServer } from '@foxglove/ws-protocol';
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { toWire, UnderstoryError } from '#contract/errors.ts';
import type { Understory } from '#hosts/compose.ts';
import type { RecordedMessage, RecordingReader } from '#services/ports/recordings.ts';
import { droppingSocket } from './droppingSocket.ts';

/** Port that Foxglove offers by itself. */
export const foxglovePort = 8765;

export interface FoxgloveHost {
  /** ws://127.0.0.1:PORT */
  address: string;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Shows each run that begins from now on, the newest where there are several. @param port 0: any free port
 * @throws UnderstoryError 'io' where the port is taken
 */
export async function serveFoxglove(
  { events, follow, log }: Pick<Understory, 'events' | 'follow' | 'log'>,
  port = foxglovePort,
): Promise<FoxgloveHost> {
  const server = new FoxgloveServer({ name: 'Understory', capabilities: ['time'] });
  // Why swallowed: a client that sends what it may not is no fault of the run.
  server.on('error', (error) => log.warn('a Foxglove client failed', { error: error.message }));
  const sockets = new WebSocketServer({
    port,
    host: '127.0.0.1',
    maxPayload: 1024 * 1024,
    handleProtocols: (offered) => server.handleProtocols(offered),
    // Why: a page of another origin may not read what is simulated here; Foxglove's own pages and app may.
    verifyClient: ({ origin }: { origin: string | undefined }) => isAllowed(origin),
  });
  await listening(sockets, port);
  sockets.on('connection', (socket, request) => {
    socket.on('error', (error) => log.warn('a Foxglove client failed', { error: error.message }));
    server.handleConnection(droppingSocket(socket), request.socket.remoteAddress ?? '');
  });
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
  const { port: used } = sockets.address() as { port: number };
  return { address: `ws://127.0.0.1:${used}`, close };

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
        }
      } finally {
        server.off('subscribe', onSubscribe);
      }
    } finally {
      for (const channel of channels.values()) server.removeChannel(channel);
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
    for (const socket of sockets.clients) socket.terminate();
    await new Promise<void>((resolve) => sockets.close(() => resolve()));
  }
}

/** Programs send no origin. */
function isAllowed(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  try {
    const { hostname, protocol } = new URL(origin);
    if (protocol === 'file:') return true;
    return ['localhost', '127.0.0.1'].includes(hostname) || /(^|\.)foxglove\.dev$/.test(hostname);
  } catch {
    return false;
  }
}

async function listening(sockets: WebSocketServer, port: number): Promise<void> {
  try {
    await once(sockets, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text =
      code === 'EADDRINUSE'
        ? `port ${port} is taken: choose another with --foxglove`
        : `port ${port} cannot be opened: ${message}`;
    throw new UnderstoryError('io', text, { port });
  }
}
