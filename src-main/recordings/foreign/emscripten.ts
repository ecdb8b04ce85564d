// Libraries that Emscripten compiled. Guarantees: their start leaves the handlers of the process as they were.

/** Why: Emscripten's code handles failures of the whole process, and ends it. */
export function withoutHandlers<T>(start: () => T): T {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = events.map((event) => new Set<unknown>(process.listeners(event as 'exit')));
  try {
    return start();
  } finally {
    for (const [index, event] of events.entries()) {
      for (const listener of process.listeners(event as 'exit')) {
        if (before[index]?.has(listener) !== true) process.removeListener(event, listener);
      }
    }
  }
}
