// Failures that cross a process or layer boundary: one error type, one closed list of codes.
// Bad input is not a failure: it is reported as problems (problems.ts); a bug is an assertion.

/** The closed union of failure codes. Exit codes of the command line derive from it (hosts/cli/exitCodes.ts). */
export const errorCodes = [
  'bad-input', // a request or file was refused; details.problems lists every problem with its path
  'not-found', // a named object (run, scenario, sensor, file) does not exist
  'scene-too-large', // the scene would not fit in memory; details give the sizes
  'disk-full', // the disk is full, or would be before the work could end
  'worker-lost', // a worker process died or stopped answering and could not be brought back
  'worker-failed', // the worker reported a failure of its own
  'run-lost', // the run process died before it finished
  'cancelled', // stopped on request
  'locked', // another process holds the run or the data directory
  'corrupt', // a file or frame is not what its format says
  'protocol', // the other side broke the frame or call protocol
  'unsupported', // the machine or build cannot do what was asked
  'io', // the operating system refused a read or a write
  'internal', // a bug
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** A failure as it travels in a frame's header. */
export interface WireError {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

/** The one error type thrown on purpose. `message` is a sentence for a person. */
export class UnderstoryError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'UnderstoryError';
    this.code = code;
    this.details = details;
  }
}

/** A request or file that is refused for one problem. @param title of the failure; default: the problem's message */
export function badInput(
  path: string,
  message: string,
  { code = 'custom', title = message }: { code?: string; title?: string } = {},
): UnderstoryError {
  return new UnderstoryError('bad-input', title, { problems: [{ path, code, message }] });
}

/** Turns anything that was thrown into what a frame can carry; unknown errors become `internal`. */
export function toWire(error: unknown): WireError {
  if (error instanceof UnderstoryError) {
    return { code: error.code, message: error.message, details: error.details };
  }
  if (error instanceof Error) {
    return error.name === 'AbortError'
      ? { code: 'cancelled', message: 'cancelled' }
      : { code: 'internal', message: error.message };
  }
  return { code: 'internal', message: String(error) };
}

/** The reverse of toWire; a code unknown to this build becomes `internal`. */
export function fromWire(wire: WireError): UnderstoryError {
  const known = errorCodes.includes(wire.code);
  return new UnderstoryError(known ? wire.code : 'internal', wire.message, wire.details ?? {});
}

/** True for the failure that a cancelled call ends with. */
export function isCancelled(error: unknown): boolean {
  return toWire(error).code === 'cancelled';
}

/**
 * Why not signal.throwIfAborted(): it throws the signal's reason, a DOMException by default, which is
 * no failure of the contract.
 * @throws UnderstoryError 'cancelled' once the signal is aborted
 */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new UnderstoryError('cancelled', 'cancelled');
}

/**
 * The result of `work`, or a rejection as soon as the signal is aborted, whatever becomes of `work`: with the signal's
 * reason where it is an UnderstoryError, else 'cancelled' with `message`.
 */
export async function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  message = 'cancelled',
): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      const reason: unknown = signal.reason;
      reject(
        reason instanceof UnderstoryError ? reason : new UnderstoryError('cancelled', message),
      );
    };
  });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
