// The browser's end of the web host: one binary WebSocket message is one frame, either way.
import { decodeFrame, encodeFrame, type Frame } from '#contract/frame.ts';
import type { Channel } from '#contract/rpc.ts';

/** Resolves with a channel once the socket is open. Rejects with a sentence where it cannot be opened. */
export function openWebSocketChannel(
  address: string,
  createSocket: (address: string) => WebSocket = (at) => new WebSocket(at),
): Promise<Channel> {
  const socket = createSocket(address);
  socket.binaryType = 'arraybuffer';
  // Why before it is open: a host may speak, or hang up, before anybody listens to the promise.
  const channel = webSocketChannel(socket);
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(channel), { once: true });
    channel.onClose(() => reject(new Error('the host does not answer')));
  });
}

/** Frames that come before a listener wait for it; so does the reason why the socket closed. */
function webSocketChannel(socket: WebSocket): Channel {
  const frameListeners: ((frame: Frame) => void)[] = [];
  const closeListeners: ((reason: string) => void)[] = [];
  const early: Frame[] = [];
  let closedBy: string | null = null;

  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const frame = decodeOrNull(data);
    if (frame === null) {
      close('the host sent something that is no frame');
    } else if (frameListeners.length === 0) {
      early.push(frame);
    } else {
      for (const listener of frameListeners) listener(frame);
    }
  });
  socket.addEventListener('close', ({ reason }) => {
    tellClosed(reason || 'the connection to the host was lost');
  });

  return {
    send(frame) {
      if (socket.readyState === socket.OPEN) socket.send(encodeFrame(frame));
    },
    onFrame(listener) {
      frameListeners.push(listener);
      for (const frame of early.splice(0)) listener(frame);
    },
    onClose(listener) {
      if (closedBy === null) closeListeners.push(listener);
      else listener(closedBy);
    },
    close: () => close('the connection was closed'),
  };

  function close(reason: string): void {
    socket.close();
    tellClosed(reason);
  }

  function tellClosed(reason: string): void {
    if (closedBy !== null) return;
    closedBy = reason;
    for (const listener of closeListeners) listener(reason);
  }
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
