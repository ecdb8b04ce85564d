// The page with hot reload against a live web host: Vite serves the sources, /rpc goes to the host.
// Guarantees: loopback only; like the web host it answers nobody without the token of its own address; the page
// runs under the same content policy, with a nonce for the styles and scripts that Vite adds.
import { randomBytes } from 'node:crypto';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createVite, type ViteDevServer } from 'vite';
import { UnderstoryError } from '#contract/errors.ts';
import { pageHeaders } from '#hosts/pageHeaders.ts';
import { createAccess, type Access, type RequestFacts } from '#hosts/web/access.ts';

export interface DevServerOptions {
  /** Folder that holds vite.config.ts and src-renderer; absolute. */
  projectFolder: string;
  /** As `understory serve` prints it, with its token. */
  hostAddress: string;
  /** 0 or left out: any free port. */
  port?: number;
}

export interface DevServer {
  /** With a token of its own. */
  address: string;
  close(): Promise<void>;
}

/** @throws UnderstoryError 'not-found' where the host does not accept its address; 'io' where the port is taken */
export async function openDevServer(options: DevServerOptions): Promise<DevServer> {
  const { projectFolder, hostAddress } = options;
  const host = new URL(hostAddress);
  const hostCookie = await signIn(host);
  const token = randomBytes(24).toString('base64url');
  const nonce = randomBytes(16).toString('base64');
  const server = createHttpServer();
  const port = await listen(server, options.port ?? 0);
  const access = createAccess(token, port);
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
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    if (isForeign(access, request)) return refuse(response, 'Requests of other pages are refused.');
    if (access.isToken(query.get('token'))) {
      response.setHeader('Set-Cookie', access.setCookie);
      response.setHeader('Location', '/');
      response.writeHead(303).end();
      return;
    }
    if (!access.hasToken(factsOf(request))) {
      return refuse(response, 'Open the address that `npm run dev` printed.');
    }
    vite.middlewares(request, response, () => response.writeHead(404).end());
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const facts = factsOf(request);
    if (!access.isOwnHost(facts) || !access.isOwnOrigin(facts) || !access.hasToken(facts)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      socket.destroy();
    } else if (request.url === '/rpc') {
      tunnel({ host, hostCookie, request, socket, head });
    }
  }
}

/** Exchanges the token of the printed address for the host's cookie. */
async function signIn(host: URL): Promise<string> {
  const reply = await fetch(host, { redirect: 'manual' }).catch(() => null);
  const cookie = reply?.headers.get('set-cookie')?.split(';')[0];
  if (cookie !== undefined) return cookie;
  throw new UnderstoryError(
    'not-found',
    `no host accepts ${host.href}: give the address that a running 'understory serve' printed`,
  );
}

interface Tunnel {
  host: URL;
  hostCookie: string;
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** Repeats the upgrade at the host, as a page of the host's own, and connects both sockets. */
function tunnel({ host, hostCookie, request, socket, head }: Tunnel): void {
  const headers: OutgoingHttpHeaders = {
    ...request.headers,
    host: host.host,
    origin: host.origin,
    cookie: hostCookie,
  };
  const upstream = httpRequest({ host: host.hostname, port: host.port, path: '/rpc', headers });
  upstream.on('error', () => socket.destroy());
  upstream.on('response', () => socket.destroy());
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

function factsOf({ headers }: IncomingMessage): RequestFacts {
  return { host: headers.host, origin: headers.origin, cookie: headers.cookie };
}

function isForeign(access: Access, request: IncomingMessage): boolean {
  const facts = factsOf(request);
  return !access.isOwnHost(facts) || (facts.origin !== undefined && !access.isOwnOrigin(facts));
}

function refuse(response: ServerResponse, text: string): void {
  response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
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
