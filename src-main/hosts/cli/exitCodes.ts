// The exit codes of the command line: one for each code of contract/errors.ts, so that scripts can tell
// failures apart. Printed by `understory --help`.
import { toWire, type ErrorCode } from '#contract/errors.ts';

/** Endings without an error. */
export const exitCodes = {
  ok: 0,
  /** A check that was asked for said no: `runs verify` found a difference, `doctor` something missing. */
  negative: 3,
  /** A drive whose vehicle did not arrive though it was not stopped. */
  notArrived: 12,
} as const;

const byError: Record<ErrorCode, number> = {
  internal: 1,
  'bad-input': 2,
  'not-found': 4,
  'scene-too-large': 5,
  'disk-full': 6,
  'worker-lost': 7,
  'worker-failed': 7,
  'run-lost': 7,
  locked: 8,
  corrupt: 9,
  protocol: 9,
  unsupported: 10,
  io: 11,
  cancelled: 130,
};

/** All of them, for `--help`. */
export const exitCodesHelp = `Exit codes:
  0    what was asked was done (a drive: the goal was reached, or --seconds were simulated)
  1    a bug in Understory; bench pair: slower than allowed
  2    a command line, scenario or sensor that was refused, missing or unreadable; every problem is listed
  3    a check said no: runs verify found a difference, doctor something missing, validate a criterion;
       runs of a campaign failed, or are missing because it ended early
  4    a run, or a file of a run, does not exist
  5    the scene would not fit in memory
  6    the disk is full, or would be
  7    the worker or the run process was lost or failed
  8    another process holds the run or the data folder
  9    a file or a message is damaged, or check found damage
  10   this machine cannot do what was asked
  11   the operating system refused a read or a write
  12   the vehicle did not arrive: time-out, or stuck
  130  interrupted (SIGINT); what was recorded is kept`;

/** The exit code of whatever a command threw. */
export function exitCodeOf(error: unknown): number {
  return exitCodeOfCode(toWire(error).code);
}

/** The exit code of a kind of failure. */
export function exitCodeOfCode(code: ErrorCode): number {
  return byError[code];
}
