// Messages that wait for the other side to read: how many bytes lie behind the one that is being sent.
// Why not that one, too: its size is the sender's doing, not the reader's.

/** A reader that lets this many bytes pile up is cut off: events and progress do not wait. */
export const maxUnsentBytes = 64 * 1024 * 1024;

export interface Unsent {
  /** A message of so many bytes is handed to the transport. */
  add(bytes: number): void;
  /** The oldest message has left. */
  sent(): void;
  /** True where more bytes wait than a reader may let pile up. */
  isTooMuch(): boolean;
}

/** Nothing waits at first. */
export function createUnsent(): Unsent {
  const lengths: number[] = [];
  let total = 0;
  return {
    add(bytes) {
      lengths.push(bytes);
      total += bytes;
    },
    sent() {
      total -= lengths.shift() ?? 0;
    },
    isTooMuch: () => total - (lengths[0] ?? 0) > maxUnsentBytes,
  };
}
