// Long work on the host's thread that yields to other work in between.
import { UnderstoryError } from '#contract/errors.ts';
import type { Steps } from '#domain/shared/steps.ts';
import type { Clock, Timer } from './ports/system.ts';

/** Cost of the work between two yields: some five milliseconds. */
const costBetween = 5_000_000;

/** The result of the steps. @throws 'cancelled', and what the steps throw */
export async function runYielding<T>(
  timer: Timer,
  steps: Steps<T>,
  signal: AbortSignal,
): Promise<T> {
  let cost = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    cost += step.value;
    if (cost < costBetween) continue;
    cost = 0;
    await pause(timer, signal);
  }
}

/** Longest work between two yields. */
const maxWorkS = 0.02;

/**
 * To be awaited between pieces of work: yields where the last yield is long ago.
 * @throws 'cancelled'
 */
export function createYield(
  { clock, timer }: { clock: Clock; timer: Timer },
  signal: AbortSignal,
): () => Promise<void> {
  let sinceS = clock.seconds();
  return async () => {
    if (clock.seconds() - sinceS < maxWorkS) return;
    await pause(timer, signal);
    sinceS = clock.seconds();
  };
}

async function pause(timer: Timer, signal: AbortSignal): Promise<void> {
  await timer.pause(0, signal);
  if (signal.aborted) throw new UnderstoryError('cancelled', 'the work is not asked for any more');
}
