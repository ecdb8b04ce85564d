// Commands that scan in their own process get Node's flags for that, as a run process has them.
import process from 'node:process';
import { scanningFlags } from '#hosts/scanningFlags.ts';
import { commandOf } from './setup/commandOf.mjs';

const scanningCommands = ['bench', 'scan', 'validate'];

/**
 * Starts this process again, with the same id, where its command scans and the flags are missing; otherwise returns.
 * Why execve: signals, the terminal and the exit code stay those of one process.
 */
export function restartToScan(): void {
  const [script = '', ...args] = process.argv.slice(1);
  const isFlagged = scanningFlags.every((flag) => process.execArgv.includes(flag));
  if (isFlagged || !scansItself(args)) return;
  const node = process.execPath;
  process.execve?.(
    node,
    [node, ...process.execArgv, ...scanningFlags, script, ...args],
    process.env,
  );
}

/** Whether the command of these arguments scans in its own process. */
export function scansItself(args: readonly string[]): boolean {
  const { command } = commandOf(args);
  return command !== undefined && scanningCommands.includes(command);
}
