// The page with hot reload against a live web host: Vite serves the sources, /rpc goes to the host.
// Guarantees: loopback only, own pages only; the connection to the host needs the host's token, which the host itself
// checks (the sources of the page are no secret); the page runs under the same content policy, with a nonce for the
// styles and scripts that Vite adds.
import { randomBytes } from 'node:crypto';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { createServer as createVite, type ViteDevServer } from 'vite';
import { UnderstoryError } from '#contract/errors.ts';
import { socketProtocols } from '#contract/wire/socketProtocols.ts';
import { pageHeaders } from '#hosts/pageHeaders.ts';
import { createOwnAddress, headersOf } from '#hosts/loopback/access.ts';

export interface DevServerOptions {
  /** Folder that holds vite.config.ts and src-renderer; absolute. */
  projectFolder: string;
  /** As `understory serve` prints it, with its token. */
  hostAddress: string;
  /** 0 or left out: any free port. */
  port?: number;
}

export interface DevServer {
  /** With the host's token. */
  address: string;
  close(): Promise<void>;
}

/** @throws UnderstoryError 'not-found' where the host does not accept its address; 'io' where the port is taken */
export async function openDevServer(options: DevServerOptions): Promise<DevServer> {
  const { projectFolder, hostAddress } = options;
  const host = new URL(hostAddress);
  const token = host.searchParams.get('token') ?? '';
  await expectHost(host, token);
  const nonce = randomBytes(16).toString('base64');
  const server = createHttpServer();
  const port = await listen(server, options.port ?? 0);
  const own = createOwnAddress(port);
  const headers = pageHeaders([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`], nonce);
  // Why before Vite: what is refused here must not reach Vite's own socket.
  server.on('upgrade', upgrade);
  const vite: ViteDevServer = await createVite({
    configFile: join(projectFolder, 'vite.config.ts'),
    root: join(projectFolder, 'src-renderer'),
    logLevel: 'warn',
    clearScreen: false,
    html: { cspNonce: nonce },
    server: { middlewareMode: true, hmr: { server }, cors: false },
  });
  server.on('request', answer);

  return {
    address: `http://127.0.0.1:${port}/?token=${token}`,
    async close() {
      await vite.close();
      const freed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await freed;
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const given = headersOf(request);
    const isForeign = given.origin !== undefined && !own.isOwnOrigin(given);
    if (!own.isOwnHost(given) || isForeign) {
      response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end('Requests of other pages are refused.\n');
      return;
    }
    vite.middlewares(request, response, () => response.writeHead(404).end());
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const given = headersOf(request);
    if (!own.isOwnHost(given) || !own.isOwnOrigin(given)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      socket.destroy();
    } else if (request.url === '/rpc') {
      tunnel({ host, request, socket, head });
    }
  }
}

/** @throws UnderstoryError 'not-found' where no host accepts the token */
async function expectHost(host: URL, token: string): Promise<void> {
  const isAccepted = await new Promise<boolean>((resolve) => {
    const socket = new WebSocket(`ws://${host.host}/rpc`, socketProtocols(token), {
      origin: host.origin,
    });
    socket.on('open', () => {
      socket.close();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
  if (isAccepted) return;
  throw new UnderstoryError(
    'not-found',
    `no host accepts ${host.href}: give the address that a running 'understory serve' printed`,
  );
}

interface Tunnel {
  host: URL;
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** Repeats the upgrade at the host, as a page of the host's own, and connects both sockets. */
function tunnel({ host, request, socket, head }: Tunnel): void {
  const headers = { ...request.headers, host: host.host, origin: host.origin };
  const upstream = httpRequest({ host: host.hostname, port: host.port, path: '/rpc', headers });
  upstream.on('error', () => socket.destroy());
  upstream.on('response', ({ statusCode = 403 }) =>
    socket.end(`HTTP/1.1 ${statusCode} Refused\r\nConnection: close\r\n\r\n`),
  );
  upstream.on('upgrade', (response, hostSocket, hostHead) => {
    hostSocket.on('error', () => hostSocket.destroy());
    hostSocket.on('close', () => socket.destroy());
    socket.on('close', () => hostSocket.destroy());
    const lines = response.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [`${name}: ${all[index + 1] ?? ''}`] : [],
    );
    socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
    socket.write(hostHead);
    hostSocket.write(head);
    socket.pipe(hostSocket).pipe(socket);
  });
  upstream.end();
}

async function listen(server: ReturnType<typeof createHttpServer>, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error) =>
      reject(new UnderstoryError('io', `port ${port} cannot be opened: ${error.message}`)),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
