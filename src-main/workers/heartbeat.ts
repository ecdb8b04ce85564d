// Asks another process for a sign of life at regular intervals, and reports a process that gives none.
// Why counted in beats and not in time: this process may itself have been held up (a long computation, a
// suspended machine), and then the answer is waiting to be read.

export interface HeartbeatOptions {
  intervalMs: number;
  /** Asked at each interval: how many beats may pass without an answer. */
  maxMissed: () => number;
  /** Asks the other process; a rejection counts as no answer. */
  ask: () => Promise<unknown>;
  /** Called once, with how long the process has been silent; then the beats end. */
  onSilent: (silentMs: number) => void;
}

/** Starts the beats; returns what ends them. */
export function startHeartbeat({
  intervalMs,
  maxMissed,
  ask,
  onSilent,
}: HeartbeatOptions): () => void {
  let missed = 0;
  const timer = setInterval(() => {
    missed += 1;
    if (missed > maxMissed()) {
      clearInterval(timer);
      onSilent((missed - 1) * intervalMs);
    } else if (missed === 1) {
      ask().then(
        () => (missed = 0),
        () => undefined, // the end of the process is reported elsewhere
      );
    }
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
