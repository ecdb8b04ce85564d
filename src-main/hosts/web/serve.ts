// The web host: the page and the contract's methods for browsers on this machine.
// Guarantees: listens on loopback only; a method is called only with the token of the printed address (the files of
// the page, which are the same on every machine, are given to every user of this one); closing ends every call under
// way and leaves no socket behind.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { UnderstoryError } from '#contract/errors.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import { socketProtocol } from '#contract/wire/socketProtocols.ts';
import { pageHeaders } from '#hosts/pageHeaders.ts';
import { readStaticFile } from '#hosts/staticFiles.ts';
import type { HostEvents } from '#services/events.ts';
import { serveHandlers, type Handlers } from '#services/handlers.ts';
import type { Log } from '#services/ports/system.ts';
import { createAccess, headersOf, type Access } from './access.ts';
import { webSocketChannel } from './webSocketChannel.ts';
import { newToken } from './webToken.ts';

/** Browsers send requests, documents of up to 8 million characters among them, and never columns. */
const maxMessageBytes = 32 * 1024 * 1024;
/** A socket that answers no ping for this long is cut off. */
const pingIntervalMs = 20_000;

export interface ServeOptions {
  handlers: Handlers;
  events: HostEvents;
  /** 0 or left out: any free port. */
  port?: number;
  /** Token in the address; left out: a new one. See webToken.ts. */
  token?: string;
  /** Absolute path of the built page (dist/renderer). */
  rendererFolder: string;
  log: Log;
}

export interface WebHost {
  /** With the token: who opens it is let in. */
  address: string;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

/** @throws UnderstoryError 'io' where the port is taken. */
export async function serve(options: ServeOptions): Promise<WebHost> {
  const { handlers, events, rendererFolder, log } = options;
  const { token = newToken() } = options;
  const serveCalls = serveHandlers(handlers);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const [path] = (request.url ?? '').split('?', 1);
      log.error('a page request failed', { path, error: String(error) });
      if (!response.headersSent) sendText(response, 500, 'The file could not be read.');
    });
  });
  const port = await listen(server, options.port ?? 0);
  const access = createAccess(token, port);
  const headers = pageHeaders([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`]);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    // Why not the default, the first that is offered: it could be the token.
    handleProtocols: (offered) => offered.has(socketProtocol) && socketProtocol,
  });
  server.on('upgrade', upgrade);
  const stopPinging = pingAll(sockets);

  return { address: `http://127.0.0.1:${port}/?token=${token}`, close };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const given = headersOf(request);
    if (!access.isOwnHost(given))
      return sendText(response, 403, 'This is not the name of this host.');
    if (given.origin !== undefined && !access.isOwnOrigin(given)) {
      return sendText(response, 403, 'Requests of other pages are refused.');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendText(response, 405, 'Only GET and HEAD are answered.');
    }
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const file = await readStaticFile(rendererFolder, path);
    if (file === null) return sendText(response, 404, missingText(path));
    response.setHeader('Content-Type', file.mimeType);
    response.setHeader('Content-Length', file.bytes.length);
    response.setHeader(
      'Cache-Control',
      file.isImmutable ? 'private, max-age=31536000, immutable' : 'no-store',
    );
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // Why: Node removes its own listener before 'upgrade', and a reset without one would end the host.
    stream.on('error', () => stream.destroy());
    const refusal = refusalOf(access, request);
    if (refusal !== null) {
      log.warn('a connection was refused', { reason: refusal });
      stream.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n${refusal}\n`);
      return;
    }
    sockets.handleUpgrade(request, stream, head, connect);
  }

  function connect(socket: WebSocket): void {
    // Why: an 'error' (an over-long message, a reset) is followed by 'close', where it is handled.
    socket.on('error', (error) => log.warn('a connection failed', { error: error.message }));
    const peer = createPeer(webSocketChannel(socket), { serve: serveCalls, lostCode: 'cancelled' });
    const unsubscribe = events.subscribe(({ name, body }) => peer.emit(name, body));
    void peer.closed.then(unsubscribe);
  }

  async function close(): Promise<void> {
    stopPinging();
    for (const socket of sockets.clients) socket.close(1001, 'the host is closing');
    const freed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cutOff = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
    }, 1000);
    await freed;
    clearTimeout(cutOff);
  }
}

function refusalOf(access: Access, request: IncomingMessage): string | null {
  const given = headersOf(request);
  if (!access.isOwnHost(given)) return 'not the name of this host';
  if (!access.isOwnOrigin(given)) return 'not a page of this host';
  if (!access.hasToken(given)) return 'no token';
  return request.url === '/rpc' ? null : 'no such connection';
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(`${text}\n`);
}

function missingText(path: string): string {
  return path === '/'
    ? 'The page is not built yet: run `npm run serve`.'
    : 'There is no such file.';
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UnderstoryError('io', portText(port, error), { port })),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function portText(port: number, error: NodeJS.ErrnoException): string {
  return error.code === 'EADDRINUSE'
    ? `port ${port} is taken: choose another with --port`
    : `port ${port} cannot be opened: ${error.message}`;
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
