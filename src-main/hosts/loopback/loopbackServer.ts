// A server of this machine: plain requests and WebSockets at one port of 127.0.0.1.
// Guarantees: a connection that sends no whole request in time ends, and so does one that takes no answer, or answers no
// ping; there are at most `maxConnections`; what strangers do fills no log; closing leaves no connection behind,
// whatever its other side does, in a second.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { UnderstoryError } from '#contract/errors.ts';
import type { Log } from '#services/ports/system.ts';
import { createSeldomWarnings, type SeldomWarnings } from './seldomWarnings.ts';

/** A page has some seven connections; others are refused. */
export const maxConnections = 128;
/** For a whole request. */
const requestLimitMs = 10_000;
/** Requests are looked at this often. */
const checkIntervalMs = 2000;
/** Longest time without a byte, either way, of a connection that is no WebSocket. */
const silenceLimitMs = 30_000;
/** A WebSocket that answers no ping for this long is cut off. */
const pingIntervalMs = 20_000;
/** For WebSockets and answers under way to end when the server closes. */
const closeLimitMs = 1000;

export interface LoopbackOptions {
  /** 0: any free port. */
  port: number;
  /** The command's option that chooses another port: '--port'. */
  option: string;
  sockets: Pick<ServerOptions, 'maxPayload' | 'handleProtocols'>;
  log: Pick<Log, 'warn'>;
}

/** The use of the connections. */
export interface LoopbackService {
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Why a WebSocket is refused, as words of a sentence; null: it is not. */
  refusalOf(request: IncomingMessage): string | null;
  connect(socket: WebSocket): void;
}

export interface LoopbackServer {
  readonly port: number;
  /** Resolves when no connection is left and the port is free. */
  close(): Promise<void>;
}

/**
 * Listens. @param serviceAt made once the port is known, before the first connection
 * @throws UnderstoryError 'io' where the port is taken
 */
export async function openLoopback(
  options: LoopbackOptions,
  serviceAt: (port: number, warnings: SeldomWarnings) => LoopbackService,
): Promise<LoopbackServer> {
  const warnings = createSeldomWarnings(options.log);
  const server = createServer({
    headersTimeout: requestLimitMs,
    requestTimeout: requestLimitMs,
    connectionsCheckingInterval: checkIntervalMs,
  });
  server.maxConnections = maxConnections;
  server.timeout = silenceLimitMs;
  const port = await listen(server, options);
  const service = serviceAt(port, warnings);
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    ...options.sockets,
  });
  const connections = watchConnections(server);
  server.on('error', (error) => warnings.warn('a server failed', { error: error.message }));
  server.on('drop', () => refused(`${maxConnections} connections are open, the limit`));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    connections.setBusy(request.socket, true);
    response.on('close', () => connections.setBusy(request.socket, false));
    service.answer(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, _stream, head: Buffer) => {
    const { socket } = request;
    // Why: Node removes its own listener before 'upgrade', and a reset without one would end the process.
    socket.on('error', () => socket.destroy());
    const refusal = service.refusalOf(request);
    if (refusal === null) {
      connections.setBusy(socket, true);
      sockets.handleUpgrade(request, socket, head, connect);
      return;
    }
    refused(refusal);
    socket.write(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n${refusal}\n`);
    // Why not end: a client that keeps its side open would keep the connection.
    socket.destroySoon();
  });
  const stopPinging = pingAll(sockets);
  return { port, close };

  function connect(socket: WebSocket): void {
    // Why: an 'error' (an over-long message, a reset) is followed by 'close', where it is handled.
    socket.on('error', ({ message }) => warnings.warn('a connection failed', { error: message }));
    service.connect(socket);
  }

  function refused(reason: string): void {
    warnings.warn('a connection was refused', { port, reason });
  }

  async function close(): Promise<void> {
    stopPinging();
    for (const socket of sockets.clients) socket.close(1001, 'the host is closing');
    const freed = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.destroy(({ isBusy }) => !isBusy);
    const cutOff = setTimeout(() => connections.destroy(() => true), closeLimitMs);
    await freed;
    clearTimeout(cutOff);
    warnings.end();
  }
}

interface Connections {
  /** Busy ones are WebSockets, or have an answer under way. */
  setBusy(socket: Socket, isBusy: boolean): void;
  destroy(which: (connection: { isBusy: boolean }) => boolean): void;
}

/** Why not closeAllConnections: it leaves out those that have sent an upgrade, refused ones among them. */
function watchConnections(server: Server): Connections {
  const open = new Map<Socket, { isBusy: boolean }>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, { isBusy: false });
    socket.on('close', () => open.delete(socket));
  });
  return {
    setBusy(socket, isBusy) {
      const connection = open.get(socket);
      if (connection !== undefined) connection.isBusy = isBusy;
    },
    destroy(which) {
      for (const [socket, connection] of open) if (which(connection)) socket.destroy();
    },
  };
}

async function listen(server: Server, { port, option }: LoopbackOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const text =
        error.code === 'EADDRINUSE'
          ? `port ${port} is taken: choose another with ${option}`
          : `port ${port} cannot be opened: ${error.message}`;
      reject(new UnderstoryError('io', text, { port }));
    };
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

function pingAll(sockets: WebSocketServer): () => void {
  const silent = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) {
        socket.terminate();
        continue;
      }
      silent.add(socket);
      socket.once('pong', () => silent.delete(socket));
      socket.ping();
    }
  }, pingIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
