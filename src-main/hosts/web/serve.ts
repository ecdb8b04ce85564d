// The web host: the page and the contract's methods for browsers on this machine.
// Guarantees: listens on loopback only; a method is called only with the token of the printed address (the files of
// the page, which are the same on every machine, are given to every user of this one); closing ends every call under
// way and leaves no socket behind.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { createPeer } from '#contract/wire/rpc.ts';
import { socketProtocol, tokenOffered } from '#contract/wire/socketProtocols.ts';
import { type Access, createAccess, headersOf } from '#hosts/loopback/access.ts';
import { type LoopbackService, openLoopback } from '#hosts/loopback/loopbackServer.ts';
import type { SeldomWarnings } from '#hosts/loopback/seldomWarnings.ts';
import { pageHeaders } from '#hosts/pageHeaders.ts';
import { readStaticFile } from '#hosts/staticFiles.ts';
import type { HostEvents } from '#services/events.ts';
import { serveHandlers, type Handlers } from '#services/handlers.ts';
import type { Log } from '#services/ports/system.ts';
import { webSocketChannel } from './webSocketChannel.ts';
import { newToken } from './webToken.ts';

/** Browsers send requests, documents of up to 8 million characters among them, and never columns. */
const maxMessageBytes = 32 * 1024 * 1024;

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
  const sockets = {
    maxPayload: maxMessageBytes,
    // Why not the default, the first that is offered: it could be the token.
    handleProtocols: (offered: Set<string>) => offered.has(socketProtocol) && socketProtocol,
  };
  const server = await openLoopback(
    { port: options.port ?? 0, option: '--port', sockets, log },
    pageOf,
  );
  return {
    address: `http://127.0.0.1:${server.port}/?token=${token}`,
    close: () => server.close(),
  };

  function pageOf(port: number, warnings: SeldomWarnings): LoopbackService {
    const access = createAccess(token, port);
    const headers = pageHeaders([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`]);
    return { answer, refusalOf: (request) => refusalOf(access, request), connect };

    function answer(request: IncomingMessage, response: ServerResponse): void {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      answerFile(access, rendererFolder, request, response).catch((error: unknown) => {
        const [path] = (request.url ?? '').split('?', 1);
        warnings.warn('a page request failed', { path, error: String(error) });
        if (!response.headersSent) sendText(response, 500, 'The file could not be read.');
      });
    }
  }

  function connect(socket: WebSocket): void {
    const peer = createPeer(webSocketChannel(socket), { serve: serveCalls, lostCode: 'cancelled' });
    const unsubscribe = events.subscribe(({ name, body }) => peer.emit(name, body));
    void peer.closed.then(unsubscribe);
  }
}

async function answerFile(
  access: Access,
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
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
  const file = await readStaticFile(folder, path);
  if (file === null) return sendText(response, 404, missingText(path));
  response.setHeader('Content-Type', file.mimeType);
  response.setHeader('Content-Length', file.bytes.length);
  response.setHeader(
    'Cache-Control',
    file.isImmutable ? 'private, max-age=31536000, immutable' : 'no-store',
  );
  response.end(request.method === 'HEAD' ? undefined : file.bytes);
}

function refusalOf(access: Access, request: IncomingMessage): string | null {
  const given = headersOf(request);
  if (!access.isOwnHost(given)) return 'not the name of this host';
  if (!access.isOwnOrigin(given)) return 'not a page of this host';
  if (!access.isToken(tokenOffered(request.headers['sec-websocket-protocol']))) return 'no token';
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
