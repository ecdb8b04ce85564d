// Logs of hosts and workers.
import type { Log } from '#services/ports/system.ts';

/** Drops its entries. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A log and its entries so far. */
export function keptLog(): { log: Log; lines: { level: string; message: string }[] } {
  const lines: { level: string; message: string }[] = [];
  const at =
    (level: string) =>
    (message: string): void =>
      void lines.push({ level, message });
  return {
    lines,
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  };
}
