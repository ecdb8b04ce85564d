// Writing events of a run into a catalogue that another process may keep locked (a backup, an open SQLite shell): the
// host never blocks on it, the run waits, and nothing is lost.
import { UnderstoryError } from '#contract/errors.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { Clock, Log, Timer } from '#services/ports/system.ts';

export interface RetryPorts {
  catalogue: Catalogue;
  clock: Clock;
  timer: Timer;
  log: Log;
}

/** Between two attempts. */
const pauseS = 0.1;
/** Longest wait, and the longest once the run has been asked to stop. */
const limitS = 300;
const limitAfterStopS = 10;

const unending = new AbortController().signal;

/**
 * Writes, again and again while the catalogue is locked.
 * @throws 'locked' after the limit, and what `write` throws
 */
export async function writeWithRetries(
  { catalogue, clock, timer, log }: RetryPorts,
  stop: AbortSignal,
  write: () => void,
): Promise<void> {
  const startS = clock.seconds();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return catalogue.withoutWaiting(write);
    } catch (error) {
      if (!(error instanceof UnderstoryError) || error.code !== 'locked') throw error;
      const waitedS = clock.seconds() - startS;
      if (waitedS > (stop.aborted ? limitAfterStopS : limitS)) throw error;
      if (attempt === 0) log.warn(`a run waits: ${error.message}`);
    }
    await timer.pause(pauseS, unending);
  }
}
