// The Timer port: Node's own timers.
import { setTimeout as pause } from 'node:timers/promises';
import type { Timer } from '#services/ports/system.ts';

/** Pauses of the event loop. */
export function createNodeTimer(): Timer {
  return {
    pause: (seconds, signal) => pause(1000 * seconds, undefined, { signal }).catch(() => undefined),
  };
}
