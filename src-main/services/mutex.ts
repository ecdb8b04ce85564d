// A lock that callers hold one after another, in the order of asking.
import { orAborted } from '#contract/errors.ts';

export interface Mutex {
  /**
   * Resolves when the caller holds the lock, with what releases it; releasing twice does no harm. `onWait` is called at
   * once where others are before the caller.
   * @throws UnderstoryError as orAborted, and the lock is released
   */
  lock(signal?: AbortSignal, onWait?: () => void): Promise<() => void>;
  /** Resolves when all who hold the lock, or have asked for it so far, have released it. */
  idle(): Promise<void>;
}

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  let held = 0;
  return {
    async lock(signal, onWait) {
      const before = last;
      if (held > 0) onWait?.();
      held += 1;
      const { promise: released, resolve } = Promise.withResolvers<void>();
      let isReleased = false;
      const unlock = (): void => {
        if (!isReleased) held -= 1;
        isReleased = true;
        resolve();
      };
      last = before.then(() => released);
      try {
        await (signal === undefined ? before : orAborted(before, signal));
      } catch (error) {
        unlock();
        throw error;
      }
      return unlock;
    },
    idle: () => last,
  };
}
