// A stream whose other side reads nothing: what waits for it is bounded, a single large message apart.
import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { maxUnsentBytes } from '#contract/wire/unsent.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';

const event = (bytes: number) => ({
  header: { kind: 'event' as const, id: 0 },
  columns: { x: new Uint8Array(bytes) },
});

it('is closed before more piles up than the limit, with a sentence', () => {
  const pieceBytes = 4 * 1024 * 1024;
  const errors: unknown[] = [];
  const unread = new Writable({ write: () => undefined });
  const channel = stdioChannel(new PassThrough(), unread, (error) => errors.push(error));
  let closed: string | null = null;
  channel.onClose((reason) => (closed = reason));
  const enough = 2 * (maxUnsentBytes / pieceBytes);
  for (let sent = 0; sent < enough && closed === null; sent += 1) {
    channel.send(event(pieceBytes));
    expect(unread.writableLength).toBeLessThan(maxUnsentBytes + 3 * pieceBytes);
  }
  expect(closed).toBe('what is sent is not read on the other side');
  expect(errors).toMatchObject([{ code: 'io', message: closed }]);
  expect(unread.destroyed).toBe(true);
});

it('may be slow with one message of any size', () => {
  const unread = new Writable({ write: () => undefined });
  const channel = stdioChannel(new PassThrough(), unread);
  let isClosed = false;
  channel.onClose(() => (isClosed = true));
  channel.send(event(maxUnsentBytes + 1));
  channel.send(event(8));
  expect(isClosed).toBe(false);
});
