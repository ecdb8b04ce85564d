// The work on texts of documents (domain/scenario/textJobs.ts): short ones at once, long ones on a thread of their own.
// Guarantees: neither a long text nor what it says holds up the host's thread, nor takes the host's memory down with
// it.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { UnderstoryError } from '#contract/errors.ts';
import { addSlice, movableBuffers, type Slice } from './answerSlices.ts';
import { movesBytes } from './movedJobs.ts';
import { textJobs, type TextJobs } from '#domain/scenario/textJobs.ts';

export interface TextRequest {
  id: number;
  job: keyof TextJobs;
  args: unknown[];
}

/** Asks for the next slice of an answer, by its id. */
export interface MoreRequest {
  more: number;
}

/**
 * Slices that are asked for ahead. Why a few: messages that wait are all taken in one go, without a turn for others;
 * and why not one: each turn between threads takes long on a busy machine.
 */
const slicesAhead = 4;

/** null: the answer is whole. */
export interface TextSlice {
  id: number;
  slice: Slice | null;
}

/** `failure`: a bug, with its stack. */
export type TextAnswer = { id: number; value: unknown } | { id: number; failure: string };

/** Why so few: a kilobyte of YAML takes about a millisecond to parse, and the thread 0.1 s to start. */
const maxInlineLetters = 32_000;
/** A megabyte of JSON takes some milliseconds. */
const maxInlineJson = 500_000;
const jsonJobs: ReadonlySet<keyof TextJobs> = new Set(['compiled', 'json', 'foreignJson']);
/** 16 MB of one-line objects, the largest text that is read, take about 4 GB. */
const maxHeapMB = 6_000;

/** Without calls for this long the thread ends, and with it the text that it remembers (parsedText.ts). */
const idleMs = 60_000;

/** Beside this file, in the sources and in the bundle of a package. */
const entryFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'textEntry.ts' : 'textEntry.js', import.meta.url),
);

/** The thread is started by the first long text and stays for the next; it keeps no process alive. */
export function createTextJobs(): TextJobs {
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (e: Error) => void }
  >();
  let thread: Worker | null = null;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;

  const entries = Object.entries(textJobs).map(([name, work]) => {
    const job = name as keyof TextJobs;
    const run = (...args: [string | Uint8Array, ...unknown[]]): Promise<unknown> =>
      !movesBytes(job) && args[0].length <= (jsonJobs.has(job) ? maxInlineJson : maxInlineLetters)
        ? new Promise((resolve) => resolve((work as (...args: unknown[]) => unknown)(...args)))
        : onThread(job, args);
    return [job, run] as const;
  });
  // Why the cast: which job has which types is lost in a list of entries.
  return Object.fromEntries(entries) as unknown as TextJobs;

  function onThread(job: TextRequest['job'], args: unknown[]): Promise<unknown> {
    clearTimeout(idle);
    thread ??= startThread();
    thread.ref();
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject });
    const request: TextRequest = { id, job, args };
    thread.postMessage(request, movesBytes(job) ? movableBuffers(args) : []);
    return promise;
  }

  function end(): void {
    void thread?.terminate();
    thread = null;
  }

  function startThread(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: maxHeapMB };
    const started = new Worker(entryFile, { resourceLimits });
    const begun = new Map<number, TextAnswer>();
    started.on('message', (message: TextAnswer | TextSlice) => {
      const { id } = message;
      const answer = begun.get(id);
      const more = (): void => started.postMessage({ more: id } satisfies MoreRequest);
      if (!('slice' in message)) {
        begun.set(id, message);
        for (let ahead = 0; ahead < slicesAhead; ahead += 1) more();
      } else if (answer !== undefined && message.slice === null) {
        begun.delete(id);
        complete(answer);
      } else if (answer !== undefined && message.slice !== null) {
        addSlice(answer, message.slice);
        more();
      }
    });
    const complete = (answer: TextAnswer): void => {
      const caller = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) {
        started.unref();
        idle = setTimeout(end, idleMs).unref();
      }
      if ('failure' in answer) caller?.reject(new Error(answer.failure));
      else caller?.resolve(answer.value);
    };
    started.on('error', (error: NodeJS.ErrnoException) => {
      thread = null;
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const failure = isTooLarge
        ? new UnderstoryError('bad-input', 'the document is too large to be read')
        : error;
      for (const caller of waiting.values()) caller.reject(failure);
      waiting.clear();
    });
    return started;
  }
}
