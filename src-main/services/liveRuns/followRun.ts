// Watching a run under way: the newest view for one consumer, thinned out to what it can show, as fast as it
// takes them and no faster.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunView } from '#contract/host/run.ts';
import { shownPointColumns } from '#contract/host/shownPoints.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { LiveRun } from './liveRun.ts';

const viewPointColumns = Object.keys(shownPointColumns);

/** Sends the newest view whenever the consumer is ready, until the run or the caller's interest ends. */
export async function followRun(
  run: LiveRun,
  maxPoints: number,
  context: HandlerContext,
): Promise<void> {
  let pending: { view: RunView; columns: Columns } | null = null;
  let sentCost: Columns['cost'];
  let isOver = false;
  let wake = (): void => {};
  const unwatch = run.watch({
    onView: (view, columns) => {
      // Why: maps, and points while the run is paused, come only when they are new.
      pending = { view, columns: { ...pending?.columns, ...columns } };
      wake();
    },
    onProgress: (progress: Progress) => context.progress(progress),
  });
  const finish = (): void => {
    isOver = true;
    wake();
  };
  void run.done.then(finish);
  context.signal.addEventListener('abort', finish, { once: true });
  try {
    while (!context.signal.aborted) {
      const next = takePending();
      if (next !== null) {
        await context.chunk(next.view, forConsumer(next.columns));
      } else if (isOver) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    throw new UnderstoryError('cancelled', 'the watching was cancelled');
  } finally {
    unwatch();
    context.signal.removeEventListener('abort', finish);
  }

  function takePending(): { view: RunView; columns: Columns } | null {
    const taken = pending;
    pending = null;
    return taken;
  }

  function forConsumer(columns: Columns): Columns {
    const sent = decimate(columns, viewPointColumns, maxPoints);
    const { cost, ...rest } = sent;
    if (cost === undefined || cost === sentCost) return rest;
    sentCost = cost;
    return sent;
  }
}

/** The columns `names` with at most `most` of their rows, evenly over the table; others as they are. */
export function decimate(columns: Columns, names: readonly string[], most: number): Columns {
  const count = Math.max(0, ...names.map((name) => columns[name]?.length ?? 0));
  if (count <= most) return columns;
  const result: Columns = { ...columns };
  for (const name of names) {
    const from = columns[name];
    if (from === undefined) continue;
    const to = from.slice(0, most);
    for (let row = 0; row < most; row += 1) {
      const value = from[Math.floor((row * count) / most)];
      // Why: one array type at a time; the union of element types cannot say so.
      if (value !== undefined) (to as { [row: number]: number | bigint })[row] = value;
    }
    result[name] = to;
  }
  return result;
}
