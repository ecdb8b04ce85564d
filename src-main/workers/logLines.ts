// How a child process logs: one JSON object { level, message, … } a line on stderr, since stdout carries
// frames. Written by the child, passed on to its parent's log.
import { logLevels, type Log, type LogLevel } from '#services/ports/system.ts';

/** A log that writes JSON lines, from level `lowest` on. */
export function logToLines(write: (line: string) => void, lowest: LogLevel = 'info'): Log {
  const at =
    (level: LogLevel) =>
    (message: string, details: Record<string, unknown> = {}): void => {
      if (logLevels.indexOf(level) < logLevels.indexOf(lowest)) return;
      write(`${JSON.stringify({ level, message, ...details })}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Passes one line on. What is no JSON log line (a crash, a library's complaint) becomes a warning. */
export function passLogLine(line: string, from: string, log: Log): void {
  const entry = parse(line);
  if (entry === null) {
    if (line.trim() !== '') log.warn(line, { from });
    return;
  }
  const { level, message, ...details } = entry;
  const known = logLevels.find((name) => name === level) ?? 'info';
  log[known](String(message), { from, ...details });
}

function parse(line: string): { level?: unknown; message: unknown } | null {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && 'message' in entry ? entry : null;
  } catch {
    return null;
  }
}
