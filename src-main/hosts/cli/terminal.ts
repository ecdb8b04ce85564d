// Output of commands: data on stdout; progress and messages on stderr, as one line that
// is overwritten on a terminal, as plain lines every few seconds elsewhere, not at all with --quiet.
import { printable } from './printable.ts';

export interface Output {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Whether stderr is a terminal, and how wide. */
  isTerminal: boolean;
  columns: number;
}

export interface Terminal {
  /** A line of data. */
  print(line: string): void;
  /** A message for a person. */
  say(message: string): void;
  /** Replaces the progress line; `line` is only asked for when it is shown. */
  progress(line: () => string): void;
  /** Shows the next progress line at once: it is the first of another phase. */
  beginPhase(): void;
  /** Keeps the last progress line. */
  endProgress(): void;
}

const terminalIntervalMs = 100;
const plainIntervalMs = 5_000;
const clearLine = '\r\u001b[2K';

/** `nowMs`: the clock that paces progress, for tests. */
export function createTerminal(
  output: Output,
  options: { isQuiet: boolean; nowMs?: () => number },
): Terminal {
  const { isQuiet, nowMs = Date.now } = options;
  let shownMs = -Infinity;
  let hasLine = false;
  let shown = '';
  let latest: (() => string) | null = null;
  return {
    print: (line) => output.stdout(`${printable(line)}\n`),
    say,
    progress,
    beginPhase: () => void (shownMs = -Infinity),
    endProgress,
  };

  function say(message: string): void {
    if (isQuiet) return;
    if (hasLine) output.stderr(clearLine);
    hasLine = false;
    output.stderr(`${printable(message)}\n`);
  }

  function progress(line: () => string): void {
    if (isQuiet) return;
    latest = line;
    const interval = output.isTerminal ? terminalIntervalMs : plainIntervalMs;
    if (nowMs() - shownMs < interval) return;
    show(line());
  }

  function endProgress(): void {
    if (isQuiet || latest === null) return;
    const last = latest();
    if (output.isTerminal || last !== shown) show(last);
    if (output.isTerminal) output.stderr('\n');
    hasLine = false;
    latest = null;
    shown = '';
    shownMs = -Infinity;
  }

  function show(line: string): void {
    const text = printable(line);
    shownMs = nowMs();
    shown = line;
    if (output.isTerminal) {
      output.stderr(clearLine + text.slice(0, Math.max(20, output.columns - 1)));
      hasLine = true;
    } else {
      output.stderr(`${text}\n`);
    }
  }
}
