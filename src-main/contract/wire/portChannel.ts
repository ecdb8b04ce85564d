// A Channel over anything that passes whole messages of bytes: a MessagePort of a browser or of Electron, a
// WebSocket. One message is one frame. Guarantees: frames that come before there is a listener wait for it, so
// does the reason why the port closed; a message that is no frame closes it.
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
    const frame = decodeOrNull(data);
    if (frame === null) close('the other side sent something that is no frame');
    else if (frameListeners.length === 0) early.push(frame);
    else for (const listener of frameListeners) listener(frame);
  });
  port.onClose(tellClosed);

  return {
    send(frame) {
      if (closedBy === null) port.post(encodeFrame(frame));
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
    port.close();
    tellClosed(reason);
  }

  function tellClosed(reason: string): void {
    if (closedBy !== null) return;
    closedBy = reason;
    for (const listener of closeListeners.splice(0)) listener(reason);
  }
}

function decodeOrNull(data: unknown): Frame | null {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  if (!(bytes instanceof Uint8Array)) return null;
  try {
    return decodeFrame(bytes);
  } catch {
    // Why swallowed: the caller closes the port with the reason, whatever was wrong with the bytes.
    return null;
  }
}
