// The work on texts of documents (domain/scenario/textJobs.ts): short ones at once, long ones on a thread of their own.
// Guarantees: neither a long text nor what it says holds up the host's thread, nor takes the host's memory down with it;
// the work ends within limits that follow from the input.
import { textJobs, type TextJobs, type TextSource } from '#domain/scenario/textJobs.ts';
import type { Log } from '#services/ports/system.ts';
import { entryFileBeside } from '../entryFile.ts';
import { createJobThread } from './jobThread.ts';
import type { WorkLimits } from './watchedThread.ts';

/** Why so few: a kilobyte of YAML takes about a millisecond to parse, and the thread 0.1 s to start. */
const maxInlineLetters = 32_000;
/** A megabyte of JSON takes some milliseconds. What is stored of runs is checked, too: some 50 ms. */
const maxInlineLettersOf: Partial<Record<keyof TextJobs, number>> = {
  compiled: 100_000,
  outline: 500_000,
  recordingHead: 100_000,
  json: 500_000,
};

const entryFile = entryFileBeside(import.meta.url, 'textEntry');

/** The thread is started by the first long text and stays for the next; it keeps no process alive. */
export function createTextJobs(log?: Pick<Log, 'warn'>): TextJobs {
  const thread = createJobThread(entryFile, { log });
  const entries = Object.entries(textJobs).map(([name, work]) => {
    const maxInline = maxInlineLettersOf[name as keyof TextJobs] ?? maxInlineLetters;
    const run = async (
      { name: file, signal }: TextSource,
      ...args: [string, ...unknown[]]
    ): Promise<unknown> => {
      if (args[0].length <= maxInline) return (work as (...args: unknown[]) => unknown)(...args);
      return thread.run({ name, args, file, limits: () => limitsOf(args), signal });
    };
    return [name, run] as const;
  });
  // Why the cast: which job has which types is lost in a list of entries.
  return Object.fromEntries(entries) as unknown as TextJobs;
}

/** Computing time and memory of a job at most, three to ten times what sound texts take: 1 s and 250 MB a megabyte of YAML. */
function limitsOf(args: readonly unknown[]): WorkLimits {
  const letters = args.reduce<number>(
    (sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0),
    0,
  );
  return { cpuS: 30 + 6e-6 * letters, memoryBytes: 2e9 + 1000 * letters };
}
