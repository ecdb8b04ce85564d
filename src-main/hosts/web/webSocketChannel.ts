// A WebSocket of the host as a Channel: one binary message is one frame, in both directions.
// Guarantees: a message that is no frame closes the socket; what waits for a slow reader is bounded.
import type { WebSocket } from 'ws';
import { toWire } from '#contract/errors.ts';
import { decodeFrame, encodeFrame, type Frame } from '#contract/wire/frame.ts';
import type { Channel } from '#contract/wire/rpc.ts';
import { createUnsent } from '#contract/wire/unsent.ts';

/** Senders that await drain() pause above this many unsent bytes. */
export const highWaterBytes = 4 * 1024 * 1024;

/** Close codes of RFC 6455, 7.4.1. */
const closeCodes = { protocolError: 1002, unsupportedData: 1003 } as const;
/** RFC 6455, 5.5: 125 bytes, of which two are the code. */
const maxReasonBytes = 123;

/** Wraps an open socket. The socket's own message size limit holds before this code sees a message. */
export function webSocketChannel(socket: WebSocket): Channel {
  let waiting: (() => void)[] = [];
  const unsent = createUnsent();
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  const isFull = (): boolean =>
    socket.readyState === socket.OPEN && socket.bufferedAmount > highWaterBytes;

  return {
    send(frame: Frame) {
      if (socket.readyState !== socket.OPEN) return;
      const bytes = encodeFrame(frame);
      unsent.add(bytes.length);
      socket.send(bytes, { binary: true, compress: false }, () => {
        unsent.sent();
        if (!isFull()) wake();
      });
      if (unsent.isTooMuch()) socket.terminate();
    },
    onFrame(listener) {
      socket.on('message', (data, isBinary) => {
        if (!isBinary) {
          socket.close(closeCodes.unsupportedData, 'frames are binary');
          return;
        }
        try {
          listener(decodeFrame(asBytes(data)));
        } catch (error) {
          const { code, message } = toWire(error);
          if (code !== 'protocol') throw error;
          socket.close(closeCodes.protocolError, closeReason(message));
        }
      });
    },
    onClose(listener) {
      socket.on('close', (code, reason) => {
        wake();
        listener(reason.toString() || `the connection ended (${code})`);
      });
    },
    close() {
      socket.close(1000, 'closed');
    },
    async drain() {
      while (isFull()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** At most what a close frame holds. */
function closeReason(message: string): string {
  let reason = message;
  while (Buffer.byteLength(reason) > maxReasonBytes) reason = reason.slice(0, -1);
  return reason;
}

function asBytes(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
