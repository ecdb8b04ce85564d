// Brings the nodes that a view wants, the most needed first, a few at a time: what a later call leaves out is not
// asked for.

export interface NodeLoader {
  /** Instead of those of the last call, the most needed first; those that are there are left out by the caller. */
  want: (nodes: readonly number[]) => void;
  /** Nothing more is asked for or delivered. */
  dispose: () => void;
}

export interface NodeLoaderOptions {
  pointsOf: (node: number) => number;
  /** Asks for nodes and delivers each as it comes. */
  read: (nodes: readonly number[], signal: AbortSignal) => Promise<void>;
  /** A call failed; nothing more is asked for. */
  onError: (error: unknown) => void;
}

/** Calls under way: while one is on the way, the other is read. */
const maxCalls = 2;
/** Points of a call, if it is for more than one node: some megabytes. */
const maxCallPoints = 200_000;
const maxCallNodes = 16;

export function createNodeLoader({ pointsOf, read, onError }: NodeLoaderOptions): NodeLoader {
  const controller = new AbortController();
  const asked = new Set<number>();
  let wanted: readonly number[] = [];
  let calls = 0;

  function next(): number[] {
    const batch: number[] = [];
    let points = 0;
    for (const node of wanted) {
      if (asked.has(node)) continue;
      points += pointsOf(node);
      if (batch.length > 0 && points > maxCallPoints) break;
      batch.push(node);
      if (batch.length === maxCallNodes) break;
    }
    return batch;
  }

  function begin(): void {
    while (calls < maxCalls && !controller.signal.aborted) {
      const batch = next();
      if (batch.length === 0) return;
      void ask(batch);
    }
  }

  async function ask(batch: readonly number[]): Promise<void> {
    calls += 1;
    for (const node of batch) asked.add(node);
    try {
      await read(batch, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      controller.abort();
      onError(error);
    }
    calls -= 1;
    for (const node of batch) asked.delete(node);
    wanted = wanted.filter((node) => !batch.includes(node));
    begin();
  }

  return {
    want(nodes) {
      wanted = nodes;
      begin();
    },
    dispose: () => controller.abort(),
  };
}
