// Warnings that a stranger can cause as often as he likes: each text is one line a period, with the number of times.
import type { Log } from '#services/ports/system.ts';

export interface SeldomWarnings {
  /** The first is logged at once, others at the end of the period. @param message a fixed text: details vary */
  warn(message: string, details: Record<string, unknown>): void;
  /** Logs what is outstanding. */
  end(): void;
}

interface Repeated {
  times: number;
  details: Record<string, unknown>;
}

/** Lines of `log`, with the details of the last time. */
export function createSeldomWarnings(log: Pick<Log, 'warn'>, periodMs = 60_000): SeldomWarnings {
  const repeated = new Map<string, Repeated>();
  let timer: NodeJS.Timeout | null = null;
  return {
    warn(message, details) {
      const known = repeated.get(message);
      if (known === undefined) log.warn(message, details);
      repeated.set(message, { times: known === undefined ? 0 : known.times + 1, details });
      timer ??= setInterval(report, periodMs).unref();
    },
    end: () => {
      report();
      stop();
    },
  };

  /** A text that did not come again in the period is at its first time again. */
  function report(): void {
    for (const [message, { times, details }] of repeated) {
      if (times === 0) repeated.delete(message);
      else {
        log.warn(message, { ...details, times });
        repeated.set(message, { times: 0, details });
      }
    }
    if (repeated.size === 0) stop();
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }
}
