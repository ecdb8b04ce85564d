// The Clock port: the machine's own clocks.
import type { Clock } from '#services/ports/system.ts';

/** Wall time from the system, monotonic time from the process. */
export function createNodeClock(): Clock {
  return {
    nowMs: () => Date.now(),
    seconds: () => performance.now() / 1000,
  };
}
