// Node's own flags by command. Commands that scan in their own process get those that a run process has.
import process from 'node:process';
import { scanningFlags } from '#hosts/scanningFlags.ts';
import { commandOf } from './setup/commandOf.mjs';

/**
 * For a process that waits for others. Why: V8 keeps room for new objects up to three times 16 MB, and collects the
 * rest the more seldom; a host of a campaign takes 174 MB instead of 236.
 */
const waitingFlags = ['--max-semi-space-size=4'];

const flagsByCommand: Partial<Record<string, readonly string[]>> = {
  bench: scanningFlags,
  scan: scanningFlags,
  validate: scanningFlags,
  campaign: waitingFlags,
};

/**
 * Starts this process again, with the same id, where flags of its command are missing; otherwise returns. Why execve:
 * signals, the terminal and the exit code stay those of one process.
 */
export function restartWithFlags(): void {
  const [script = '', ...args] = process.argv.slice(1);
  const flags = flagsOf(args);
  if (flags.every((flag) => process.execArgv.includes(flag))) return;
  const node = process.execPath;
  process.execve?.(node, [node, ...process.execArgv, ...flags, script, ...args], process.env);
}

/** Node's own flags for the command of these arguments. */
export function flagsOf(args: readonly string[]): readonly string[] {
  const { command } = commandOf(args);
  return (command === undefined ? undefined : flagsByCommand[command]) ?? [];
}
