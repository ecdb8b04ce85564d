// Two channels joined in memory. Frames travel as bytes, so that what a transport would change or refuse
// is changed or refused here too, and arrive later, as from another process.
import { decodeFrame, encodeFrame, type Frame } from '#contract/wire/frame.ts';
import type { Channel } from '#contract/wire/rpc.ts';

/** A frame sent on one arrives on the other; closing either closes both. */
export function memoryChannelPair(): [Channel, Channel] {
  const frameListeners: ((frame: Frame) => void)[][] = [[], []];
  const closeListeners: ((reason: string) => void)[] = [];
  let isClosed = false;

  const side = (own: 0 | 1): Channel => ({
    send(frame) {
      if (isClosed) return;
      const bytes = encodeFrame(frame);
      setImmediate(() => {
        if (isClosed) return;
        for (const listener of frameListeners[1 - own] ?? []) listener(decodeFrame(bytes));
      });
    },
    onFrame: (listener) => void frameListeners[own]?.push(listener),
    onClose: (listener) => void closeListeners.push(listener),
    close() {
      if (isClosed) return;
      isClosed = true;
      for (const listener of closeListeners) listener('the other side is gone');
    },
  });
  return [side(0), side(1)];
}
