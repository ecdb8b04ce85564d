// Long work on the host's thread, in steps between which others get their turn.
import { UnderstoryError } from '#contract/errors.ts';
import type { Steps } from '#domain/shared/steps.ts';
import type { Clock, Timer } from './ports/system.ts';

/** Cost of the work of one turn: some five milliseconds. */
const costOfTurn = 5_000_000;

/** The result of the steps. @throws 'cancelled', and what the steps throw */
export async function inTurns<T>(timer: Timer, steps: Steps<T>, signal: AbortSignal): Promise<T> {
  let cost = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    cost += step.value;
    if (cost < costOfTurn) continue;
    cost = 0;
    await timer.pause(0, signal);
    if (signal.aborted)
      throw new UnderstoryError('cancelled', 'the work is not asked for any more');
  }
}

/** Work of which others need not wait for the end. */
const turnS = 0.02;

/**
 * To be awaited between pieces of work: others get their turn where the last is long ago.
 * @throws 'cancelled'
 */
export function createTurnGiving(
  { clock, timer }: { clock: Clock; timer: Timer },
  signal: AbortSignal,
): () => Promise<void> {
  let sinceS = clock.seconds();
  return async () => {
    if (clock.seconds() - sinceS < turnS) return;
    await timer.pause(0, signal);
    sinceS = clock.seconds();
    if (signal.aborted)
      throw new UnderstoryError('cancelled', 'the work is not asked for any more');
  };
}
