// A Channel over anything that passes whole messages of bytes: a MessagePort of a browser or of Electron, a
// WebSocket. One message is one frame. Guarantees: frames that come before there is a listener wait for it, so
// does the reason why the port closed; a message that breaks the protocol closes it.
import { toWire, UnderstoryError } from '../errors.ts';
import { decodeFrame, encodeFrame, type Frame } from './frame.ts';
import type { Channel } from './rpc.ts';

export interface BytesPort {
  post(bytes: Uint8Array): void;
  /** Called once. `data` is whatever the other side sent. */
  onMessage(listener: (data: unknown) => void): void;
  /** Called once. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}

/** Takes the port over. */
export function portChannel(port: BytesPort): Channel {
  const frameListeners: ((frame: Frame) => void)[] = [];
  const closeListeners: ((reason: string) => void)[] = [];
  const early: Frame[] = [];
  let closedBy: string | null = null;

  port.onMessage((data) => {
    if (closedBy !== null) return;
    closeWhereBroken(() => {
      const frame = decodeFrame(bytesOf(data));
      if (frameListeners.length === 0) early.push(frame);
      else for (const listener of frameListeners) listener(frame);
    });
  });
  port.onClose(tellClosed);

  return {
    send(frame) {
      if (closedBy === null) port.post(encodeFrame(frame));
    },
    onFrame(listener) {
      frameListeners.push(listener);
      closeWhereBroken(() => {
        for (const frame of early.splice(0)) listener(frame);
      });
    },
    onClose(listener) {
      if (closedBy === null) closeListeners.push(listener);
      else listener(closedBy);
    },
    close: () => close('the connection was closed'),
  };

  function closeWhereBroken(take: () => void): void {
    try {
      take();
    } catch (error) {
      const { code, message } = toWire(error);
      if (code !== 'protocol') throw error;
      close(`the other side broke the protocol: ${message}`);
    }
  }

  function close(reason: string): void {
    port.close();
    tellClosed(reason);
  }

  function tellClosed(reason: string): void {
    if (closedBy !== null) return;
    closedBy = reason;
    for (const listener of closeListeners.splice(0)) listener(reason);
  }
}

/** @throws UnderstoryError 'protocol' */
function bytesOf(data: unknown): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (data instanceof Uint8Array) return data;
  throw new UnderstoryError('protocol', 'a message must be bytes');
}
