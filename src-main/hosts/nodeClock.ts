// The Clock port: the machine's own clocks.
import type { Clock } from '#services/ports.ts';

export function createNodeClock(): Clock {
  return {
    nowMs: () => Date.now(),
    seconds: () => performance.now() / 1000,
  };
}
