// A WebSocket for FoxgloveServer that leaves out messages where its reader is slow. Guarantees: what waits for a reader
// is bounded, and a sender never waits.
import type { IWebSocket } from '@foxglove/ws-protocol';
import type { WebSocket } from 'ws';

/** A reader with this many unsent bytes gets no more large messages: clouds and maps … */
export const fullBytes = 4 * 1024 * 1024;
/** … which are those of at least so many bytes … */
export const largeBytes = 4 * 1024;
/** … and with this many it is cut off: the small ones were not read either. */
export const cutOffBytes = 64 * 1024 * 1024;

export interface LossySocket extends IWebSocket {
  /** Messages that were left out. */
  readonly dropped: number;
}

/** Wraps an open socket. */
export function lossySocket(socket: WebSocket): LossySocket {
  let dropped = 0;
  return {
    // Why no setter: messages of clients are read as Buffers, which FoxgloveServer takes as views.
    binaryType: 'arraybuffer',
    protocol: socket.protocol,
    onerror: null,
    onopen: null,
    get onclose(): IWebSocket['onclose'] {
      return null;
    },
    set onclose(listener: IWebSocket['onclose']) {
      socket.on('close', (code, reason) => {
        listener?.({ code, reason: reason.toString(), wasClean: code === 1000 });
      });
    },
    get onmessage(): IWebSocket['onmessage'] {
      return null;
    },
    set onmessage(listener: IWebSocket['onmessage']) {
      socket.on('message', (data, isBinary) => {
        const whole = Array.isArray(data) ? Buffer.concat(data) : data;
        const bytes = whole instanceof ArrayBuffer ? Buffer.from(whole) : whole;
        listener?.({ data: isBinary ? bytes : bytes.toString() });
      });
    },
    close: () => socket.close(1000),
    // Why one parameter: FoxgloveServer then sends a message whole, never in two parts.
    send(data) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > cutOffBytes) {
        socket.terminate();
        return;
      }
      const isLarge = typeof data !== 'string' && data.byteLength >= largeBytes;
      if (isLarge && socket.bufferedAmount > fullBytes) dropped += 1;
      else socket.send(data);
    },
    get dropped() {
      return dropped;
    },
  };
}
