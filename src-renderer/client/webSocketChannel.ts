// The browser's end of the web host: one binary WebSocket message is one frame, either way.
import { portChannel } from '#contract/wire/portChannel.ts';
import type { Channel } from '#contract/wire/rpc.ts';
import { socketProtocols } from '#contract/wire/socketProtocols.ts';

/**
 * Resolves with a channel once the socket is open. Rejects with a sentence where it cannot be opened. `token`: the
 * host's, of the address that it printed.
 */
export function openWebSocketChannel(
  address: string,
  token: string,
  createSocket: (address: string, protocols: string[]) => WebSocket = (at, protocols) =>
    new WebSocket(at, protocols),
): Promise<Channel> {
  const socket = createSocket(address, socketProtocols(token));
  socket.binaryType = 'arraybuffer';
  // Why before it is open: a host may speak, or hang up, before anybody listens to the promise.
  const channel = portChannel({
    post: (bytes) => {
      // Why the cast: a frame is encoded into a buffer of its own, never a shared one.
      if (socket.readyState === socket.OPEN) socket.send(bytes as Uint8Array<ArrayBuffer>);
    },
    onMessage: (listener) =>
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data)),
    onClose: (listener) =>
      socket.addEventListener('close', ({ reason }) =>
        listener(reason || 'the connection to the host was lost'),
      ),
    close: () => socket.close(),
  });
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(channel), { once: true });
    channel.onClose(() => reject(new Error('the host is not responding')));
  });
}
