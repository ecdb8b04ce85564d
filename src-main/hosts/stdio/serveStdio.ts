// The host for a program that started it: the methods of the contract as frames on stdin and stdout (PROTOCOL.md).
// Guarantees: it ends with its input, and every call under way ends with it.
import type { Readable, Writable } from 'node:stream';
import { toWire } from '#contract/errors.ts';
import { encodeFrame } from '#contract/wire/frame.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import type { HostEvents } from '#services/events.ts';
import { serveHandlers, type Handlers } from '#services/handlers.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';

export interface StdioHost {
  handlers: Handlers;
  events: HostEvents;
  input: Readable;
  output: Writable;
  /** Ends the host. */
  stop: AbortSignal;
}

/**
 * Answers calls until the input ends or `stop` is aborted.
 * @throws UnderstoryError 'protocol' where the input holds no frame; it is sent first, as an error with id 0
 */
export async function serveStdio(host: StdioHost): Promise<void> {
  const { handlers, events, input, output, stop } = host;
  let broken: { error: unknown } | null = null;
  const channel = stdioChannel(input, output, (error) => {
    broken = { error };
    const header = { kind: 'error', id: 0, error: toWire(error) } as const;
    output.write(encodeFrame({ header, columns: {} }));
  });
  const peer = createPeer(channel, { serve: serveHandlers(handlers), lostCode: 'cancelled' });
  const unsubscribe = events.subscribe(({ name, body }) => peer.emit(name, body));
  const onStop = (): void => peer.close();
  if (stop.aborted) onStop();
  stop.addEventListener('abort', onStop, { once: true });
  await peer.closed;
  unsubscribe();
  stop.removeEventListener('abort', onStop);
  // Why: an open stdin keeps the process alive.
  input.destroy();
  if (broken !== null) throw (broken as { error: unknown }).error;
}
