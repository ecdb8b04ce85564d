// A WebSocket of the host as a Channel: one binary message is one frame, in both directions.
// Guarantees: a message that is no frame closes the socket; what waits for a slow reader is bounded.
import type { WebSocket } from 'ws';
import { decodeFrame, encodeFrame, type Frame } from '#contract/wire/frame.ts';
import type { Channel } from '#contract/wire/rpc.ts';

/** Senders that await drain() pause above this many unsent bytes … */
export const highWaterBytes = 4 * 1024 * 1024;
/**
 * … and a reader that lets this many pile up behind the message that is being sent is cut off: events and progress do
 * not wait. Why not the message itself: its size is the sender's doing, not the reader's.
 */
export const maxUnsentBytes = 64 * 1024 * 1024;

/** Close codes of RFC 6455, 7.4.1. */
const closeCodes = { protocolError: 1002, unsupportedData: 1003 } as const;

/** Wraps an open socket. The socket's own message size limit holds before this code sees a message. */
export function webSocketChannel(socket: WebSocket): Channel {
  let waiting: (() => void)[] = [];
  /** Lengths of the messages that are not sent yet, in their order. */
  const unsent: number[] = [];
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
      unsent.push(bytes.length);
      socket.send(bytes, { binary: true, compress: false }, () => {
        unsent.shift();
        if (!isFull()) wake();
      });
      if (socket.bufferedAmount - (unsent[0] ?? 0) > maxUnsentBytes) socket.terminate();
    },
    onFrame(listener) {
      socket.on('message', (data, isBinary) => {
        if (!isBinary) {
          socket.close(closeCodes.unsupportedData, 'frames are binary');
          return;
        }
        const frame = decodeOrNull(asBytes(data));
        if (frame === null) {
          socket.close(closeCodes.protocolError, 'not a frame');
          return;
        }
        listener(frame);
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

function decodeOrNull(bytes: Uint8Array): Frame | null {
  try {
    return decodeFrame(bytes);
  } catch {
    // Why swallowed: whatever a stranger sent, the answer is the same, and the socket says it.
    return null;
  }
}

function asBytes(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
