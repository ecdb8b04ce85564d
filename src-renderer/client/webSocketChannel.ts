// The browser's end of the web host: one binary WebSocket message is one frame, either way.
import { decodeFrame, encodeFrame, type Frame } from '#contract/frame.ts';
import type { Channel } from '#contract/rpc.ts';

/** Resolves with a channel once the socket is open. Rejects with a sentence where it cannot be opened. */
export function openWebSocketChannel(
  address: string,
  createSocket: (address: string) => WebSocket = (at) => new WebSocket(at),
): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(address);
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => resolve(webSocketChannel(socket)), { once: true });
    socket.addEventListener('close', () => reject(new Error('the host does not answer')), {
      once: true,
    });
  });
}

function webSocketChannel(socket: WebSocket): Channel {
  let brokenBy: string | null = null;
  return {
    send(frame) {
      if (socket.readyState === WebSocket.OPEN) socket.send(encodeFrame(frame));
    },
    onFrame(listener) {
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const frame = decodeOrNull(data);
        if (frame !== null) {
          listener(frame);
          return;
        }
        brokenBy = 'the host sent something that is no frame';
        socket.close();
      });
    },
    onClose(listener) {
      socket.addEventListener('close', ({ reason }) => {
        listener(brokenBy ?? (reason || 'the connection to the host was lost'));
      });
    },
    close() {
      socket.close();
    },
  };
}

function decodeOrNull(data: unknown): Frame | null {
  if (!(data instanceof ArrayBuffer)) return null;
  try {
    return decodeFrame(new Uint8Array(data));
  } catch {
    // Why swallowed: the caller closes the socket with the reason, whatever was wrong with the bytes.
    return null;
  }
}
