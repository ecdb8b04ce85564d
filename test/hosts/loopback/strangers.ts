// Connections that a server must not wait for, each with what it has sent. They never close their own side.
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** The beginning of a WebSocket's request; the token goes into the address, or into the protocols. */
export function upgradeText(
  port: number,
  path: string,
  protocols: string,
  origin?: string,
): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${protocols}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Sends `text` and stays; answers are left unread where `isReading` is false. */
export async function stranger(
  port: number,
  text: string | Uint8Array = '',
  isReading = true,
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (isReading) socket.resume();
  if (text.length > 0) await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

/** Resolves when the other side has ended the connection. */
export function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readableEnded || socket.closed) return resolve();
    socket.on('end', resolve).on('close', () => resolve());
    socket.resume();
  });
}

/** Half of a masked binary frame of WebSocket: 8 of 1000 bytes. */
export const halfMessage = Uint8Array.of(
  0x82,
  0xfe,
  0x03,
  0xe8,
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  10,
  11,
  12,
);
