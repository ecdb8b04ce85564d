// The port LogSources on a thread: each opened source has its own, so that a file of another program holds up neither
// the host nor another source. Guarantees: a cancelled call ends the thread at once; one that works too long without
// progress, or takes too much memory, ends as bad input that names the source; a few tables are read ahead, no more; files
// that were unpacked for a source are removed with it.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwIfCancelled } from '#contract/errors.ts';
import type { LogSources } from '#services/ports/logSources.ts';
import type { Log } from '#services/ports/system.ts';
import { entryFileBeside } from '../entryFile.ts';
import { createJobThread } from './jobThread.ts';
import type { SourceJobs } from './sourceEntry.ts';
import type { WorkLimits } from './watchedThread.ts';

const entryFile = entryFileBeside(import.meta.url, 'sourceEntry');

/** Tables or clouds that wait for the host: while it works on one, the next is read. */
const readAhead = 2;
const limits: WorkLimits = {
  // Between two reports of progress, which come every megabyte, file or table.
  cpuS: 120,
  // Poses of a long recording, and a cloud of some hundred megabytes.
  memoryBytes: 6e9,
};

/** @param log is told of sources whose threads were ended */
export function createThreadedSources(log?: Pick<Log, 'warn'>): LogSources {
  return {
    async openBeams(path, signal) {
      const source = openSource(path, signal, undefined, log);
      const head = await source.first(() => source.ask('openBeams', path, source.scratchFolder));
      if (head === null) {
        await source.end();
        return null;
      }
      return {
        ...head,
        tables: (given) => source.all((id) => source.ask('tables', id), given),
        close: source.end,
      };
    },
    async openPackets(path, { sensor, stream, signal, progress }) {
      const source = openSource(path, signal, progress, log);
      const head = await source.first(() => source.ask('openPackets', path, { sensor, stream }));
      if (head === null) {
        await source.end();
        return null;
      }
      return {
        ...head,
        tables: (given) => source.all((id) => source.ask('tables', id), given),
        close: source.end,
      };
    },
    async open(path, { trajectory, times, signal, progress }) {
      let report = progress;
      const source = openSource(path, signal, (...counts) => report(...counts), log);
      const head = await source.first(() =>
        source.ask('open', path, { trajectory, times }, source.scratchFolder),
      );
      return {
        ...head,
        clouds: (stream, given) => {
          report = given;
          return source.all((id) => source.ask('clouds', id, stream));
        },
        close: source.end,
      };
    },
  };
}

type Reply<J extends keyof SourceJobs> = Awaited<ReturnType<SourceJobs[J]>>;

function openSource(
  file: string,
  signal: AbortSignal | undefined,
  progress: ((done: number, total: number) => void) | undefined,
  log: Pick<Log, 'warn'> | undefined,
) {
  const thread = createJobThread(entryFile, { log, isKept: true });
  const scratchFolder = join(tmpdir(), `understory-${randomUUID()}`);
  let lastId = 0;

  async function ask<J extends keyof SourceJobs>(
    name: J,
    ...args: Parameters<SourceJobs[J]>
  ): Promise<Reply<J>> {
    const job = { name, args, file, limits: () => limits, signal, progress };
    return (await thread.run(job)) as Reply<J>;
  }

  // Why here: a thread that ends at a limit, or is cancelled, removes nothing.
  async function end(): Promise<void> {
    thread.end();
    await rm(scratchFolder, { recursive: true, force: true });
  }

  return {
    ask,
    scratchFolder,
    end,
    /** A source that cannot be opened leaves no thread. */
    async first<T>(open: () => Promise<T>): Promise<T> {
      try {
        return await open();
      } catch (error) {
        await end();
        throw error;
      }
    },
    /** Everything that an iterator of the thread gives, in its order. */
    async *all<T>(begin: (id: number) => Promise<unknown>, given = signal): AsyncGenerator<T> {
      lastId += 1;
      const id = lastId;
      const ahead: Promise<Reply<'next'>>[] = [];
      const readNext = (): void => {
        const next = ask('next', id);
        // Why: the caller may be gone when it fails.
        next.catch(() => undefined);
        ahead.push(next);
      };
      await begin(id);
      try {
        while (ahead.length < readAhead) readNext();
        for (;;) {
          const next = await ahead.shift();
          if (next === undefined || next.done === true) return;
          if (given !== undefined) throwIfCancelled(given);
          readNext();
          yield next.value as T;
        }
      } finally {
        await ask('end', id).catch(() => undefined);
      }
    },
  };
}
