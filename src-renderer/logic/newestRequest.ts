// One request at a time: those that come while one is answered wait, and only the newest of them is made then.

export interface NewestRequest<T> {
  make: (request: T) => void;
  /** Waiting requests are not made any more. */
  drop: () => void;
}

/** `answer` is to report its own failures. */
export function createNewestRequest<T>(answer: (request: T) => Promise<void>): NewestRequest<T> {
  let waiting: { request: T } | null = null;
  let isAnswering = false;
  return {
    make(request) {
      waiting = { request };
      if (!isAnswering) void answerAll();
    },
    drop() {
      waiting = null;
    },
  };

  async function answerAll(): Promise<void> {
    isAnswering = true;
    try {
      while (waiting !== null) {
        const { request } = waiting;
        waiting = null;
        await answer(request);
      }
    } finally {
      isAnswering = false;
    }
  }
}
