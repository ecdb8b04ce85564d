// Frames over a pair of byte streams: a child's stdin and stdout, or one's own. Closing is reported once,
// whichever side ended it; a broken frame closes the channel, since what follows it cannot be read; and so does an
// other side that reads nothing while more and more waits for it.
import type { Readable, Writable } from 'node:stream';
import { UnderstoryError } from '#contract/errors.ts';
import { encodeFrame, FrameReader } from '#contract/wire/frame.ts';
import type { Channel } from '#contract/wire/rpc.ts';
import { createUnsent } from '#contract/wire/unsent.ts';

/**
 * A channel that reads frames from `input` and writes them to `output`. It starts reading with the first
 * onFrame, so that no frame is lost. `close` ends `output`, which the other side sees as its end.
 * @param onBroken called once where `input` breaks the protocol, or 'io' where nothing reads `output`, before the channel
 * closes: `output` still takes a frame
 */
export function stdioChannel(
  input: Readable,
  output: Writable,
  onBroken: (error: unknown) => void = () => undefined,
): Channel {
  const reader = new FrameReader();
  const closeListeners: ((reason: string) => void)[] = [];
  const waiting: (() => void)[] = [];
  const unsent = createUnsent();
  let closedReason: string | null = null;

  input.on('end', () => {
    if (reader.isIdle) closeBecause('the stream ended');
    else breakBecause(new UnderstoryError('protocol', 'the stream ended inside a frame'));
  });
  input.on('close', () => closeBecause('the stream was closed'));
  input.on('error', (error) => closeBecause(`reading failed: ${error.message}`));
  output.on('close', () => closeBecause('the stream was closed'));
  output.on('error', (error) => closeBecause(`writing failed: ${error.message}`));
  output.on('drain', wakeAll);

  return {
    send(frame) {
      if (closedReason !== null) return;
      const bytes = encodeFrame(frame);
      unsent.add(bytes.length);
      output.write(bytes, () => unsent.sent());
      if (!unsent.isTooMuch()) return;
      breakBecause(new UnderstoryError('io', 'what is sent is not read on the other side'));
      output.destroy();
    },
    onFrame(listener) {
      input.on('data', (bytes: Uint8Array) => {
        if (closedReason !== null) return;
        try {
          for (const frame of reader.push(bytes)) listener(frame);
        } catch (error) {
          breakBecause(error);
        }
      });
    },
    onClose(listener) {
      if (closedReason === null) closeListeners.push(listener);
      else listener(closedReason);
    },
    close: () => closeBecause('closed on this side'),
    drain() {
      if (closedReason !== null || !output.writableNeedDrain) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };

  function breakBecause(error: unknown): void {
    if (closedReason !== null) return;
    input.destroy();
    onBroken(error);
    closeBecause(error instanceof Error ? error.message : String(error));
  }

  function closeBecause(reason: string): void {
    if (closedReason !== null) return;
    closedReason = reason;
    output.end();
    wakeAll();
    for (const listener of closeListeners.splice(0)) listener(reason);
  }

  function wakeAll(): void {
    for (const wake of waiting.splice(0)) wake();
  }
}
