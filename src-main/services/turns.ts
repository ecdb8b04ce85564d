// Work that is done one after another, in the order of asking.
import { orAborted } from '#contract/errors.ts';

export interface Turns {
  /**
   * Resolves when it is the caller's turn, with what ends it; ending twice does no harm. `onWait` is called at once
   * where others are before the caller.
   * @throws UnderstoryError as orAborted, and the turn is released
   */
  take(signal?: AbortSignal, onWait?: () => void): Promise<() => void>;
  /** Resolves when all turns taken or asked for so far have ended. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  let unended = 0;
  return {
    async take(signal, onWait) {
      const before = last;
      if (unended > 0) onWait?.();
      unended += 1;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      let hasEnded = false;
      const end = (): void => {
        if (!hasEnded) unended -= 1;
        hasEnded = true;
        resolve();
      };
      last = before.then(() => ended);
      try {
        await (signal === undefined ? before : orAborted(before, signal));
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    idle: () => last,
  };
}
