// A TCP proxy between a page and a real web host, and the faults of a connection: slow bytes, a cut in the
// middle of a frame, bytes that are no frame. It rewrites its own port to the host's in the heads of requests,
// so that the host takes the page for its own.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface FaultyProxy {
  /** The host's address, through the proxy. */
  address: string;
  /** Connections of WebSockets so far. */
  readonly sockets: number;
  /** Bytes to the page a second, and how late the first of them are; null: as they come. */
  slowness: { bytesPerS: number; delayMs: number } | null;
  /** Cuts every WebSocket after so many more bytes to the page, in the middle of whatever they are. */
  cutAfter(bytes: number): void;
  /** Puts messages of these bytes between those of the host, on every WebSocket that there is. */
  inject(message: Uint8Array): void;
  close(): Promise<void>;
}

interface Pipe {
  toPage: Socket;
  isWebSocket: boolean;
  /** To the page before it is cut; null: it is not. */
  bytesLeft: number | null;
}

export async function openFaultyProxy(hostAddress: string): Promise<FaultyProxy> {
  const host = new URL(hostAddress);
  const pipes = new Set<Pipe>();
  const all = new Set<Socket>();
  let sockets = 0;
  const server = createServer((page) => {
    const toHost = connect(Number(host.port), host.hostname);
    const pipe: Pipe = { toPage: page, isWebSocket: false, bytesLeft: null };
    pipes.add(pipe);
    for (const socket of [page, toHost]) {
      all.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        all.delete(socket);
        pipes.delete(pipe);
        page.destroy();
        toHost.destroy();
      });
    }
    page.on('data', (data: Buffer) => {
      if (pipe.isWebSocket) toHost.write(data);
      else toHost.write(data.toString('latin1').replaceAll(`:${port}`, `:${host.port}`), 'latin1');
    });
    void toPage(toHost, pipe);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: FaultyProxy = {
    address: hostAddress.replace(`:${host.port}`, `:${port}`),
    get sockets() {
      return sockets;
    },
    slowness: null,
    cutAfter(bytes) {
      for (const pipe of pipes) if (pipe.isWebSocket) pipe.bytesLeft = bytes;
    },
    inject(message) {
      for (const { isWebSocket, toPage: socket } of pipes) {
        if (isWebSocket) socket.write(webSocketMessage(message));
      }
    },
    async close() {
      for (const socket of all) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;

  async function toPage(from: Socket, pipe: Pipe): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        let data = chunk;
        if (!pipe.isWebSocket) {
          const head = chunk.toString('latin1');
          pipe.isWebSocket = head.startsWith('HTTP/1.1 101');
          if (pipe.isWebSocket) sockets += 1;
          // Why: the policy of the page names the port to which it may connect.
          if (head.startsWith('HTTP/1.1 ')) data = withPort(head);
        }
        await write(pipe, data);
      }
      pipe.toPage.end();
    } catch {
      // Why swallowed: a connection that ends in the middle is what this is for.
      pipe.toPage.destroy();
    }
  }

  function withPort(text: string): Buffer {
    const end = text.indexOf('\r\n\r\n');
    const head = text.slice(0, end).replaceAll(`:${host.port}`, `:${port}`);
    return Buffer.from(head + text.slice(end), 'latin1');
  }

  async function write(pipe: Pipe, data: Buffer): Promise<void> {
    let rest = data;
    if (pipe.bytesLeft !== null) {
      rest = data.subarray(0, pipe.bytesLeft);
      pipe.bytesLeft -= rest.length;
    }
    const slow = pipe.isWebSocket ? proxy.slowness : null;
    if (slow === null) await writeAll(pipe.toPage, rest);
    else {
      await pause(slow.delayMs);
      const step = Math.max(1, Math.round(slow.bytesPerS / 20));
      for (let at = 0; at < rest.length; at += step) {
        await writeAll(pipe.toPage, rest.subarray(at, at + step));
        await pause(50);
      }
    }
    if (pipe.bytesLeft === 0) pipe.toPage.destroy();
  }
}

async function writeAll(socket: Socket, data: Buffer): Promise<void> {
  if (socket.destroyed) throw new Error('the page has hung up');
  if (!socket.write(data)) {
    await new Promise<void>((resolve) => {
      socket.once('drain', resolve);
      socket.once('close', resolve);
    });
  }
}

/** A whole binary message of a server: RFC 6455, 5.2; not masked. */
function webSocketMessage(message: Uint8Array): Buffer {
  const head = Buffer.alloc(message.length < 126 ? 2 : 4);
  head[0] = 0x82;
  if (message.length < 126) head[1] = message.length;
  else {
    head[1] = 126;
    head.writeUInt16BE(message.length, 2);
  }
  return Buffer.concat([head, message]);
}
