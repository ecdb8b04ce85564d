// Jobs on a thread of their own, one after another. Guarantees: a cancelled job ends at once, and one beyond its limits
// of computing time and memory ends as bad input that names its file; both end the thread, and the jobs that wait get
// another. No job is begun twice.
import {
  fromWire,
  orAborted,
  throwIfCancelled,
  UnderstoryError,
  type WireError,
} from '#contract/errors.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import type { Log } from '#services/ports/system.ts';
import { addSlice, type Slice } from './slicedMessages.ts';
import { availableMemoryBytes } from './nodeMachine.ts';
import {
  startWatchedThread,
  type ThreadLoss,
  type WatchedThread,
  type WorkLimits,
} from './watchedThread.ts';

/** A message to the thread (jobEntry.ts). */
export interface JobRequest {
  id: number;
  job: string;
  args: readonly unknown[];
}

/** Asks for the next slice of an answer, by its id. */
export interface MoreRequest {
  more: number;
}

/** null: the answer is whole. */
export interface JobSlice {
  id: number;
  slice: Slice | null;
}

/** `failure` of code 'internal': a bug, with its stack. */
export type JobAnswer = { id: number; value: unknown } | { id: number; failure: WireError };

/** The time of the job counts from here again. */
export interface JobProgress {
  id: number;
  progress: [done: number, total: number, bytesRead?: number];
}

export interface Job {
  name: string;
  args: readonly unknown[];
  /** As messages name what is read. */
  file: string;
  /** Asked when the job begins and after each report of progress; memory never exceeds what the machine has. */
  limits: () => WorkLimits;
  signal?: AbortSignal | undefined;
  /** `total` 0: not known. */
  progress?: ((done: number, total: number, bytesRead?: number) => void) | undefined;
}

export interface JobThread {
  /** @throws UnderstoryError 'cancelled', 'bad-input' at a limit; what the job throws */
  readonly run: (job: Job) => Promise<unknown>;
  /** Jobs under way and those that wait are not answered. */
  readonly end: () => void;
}

export interface JobThreadOptions {
  log?: Pick<Log, 'warn'> | undefined;
  /** Until `end`; default: until it has had no job for a minute. */
  isKept?: boolean;
}

/**
 * Slices that are asked for ahead. Why a few: messages that wait are all taken in one go, without a turn for others;
 * and why not one: each turn between threads takes long on a busy machine.
 */
const slicesAhead = 4;
/** Without jobs for this long the thread ends, and with it the text that it has parsed (parsedText.ts). */
const idleMs = 60_000;

interface WaitingJob extends Job {
  id: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The thread is started by the first job and stays for the next; it keeps no process alive. */
export function createJobThread(
  entryFile: string,
  { log, isKept = false }: JobThreadOptions = {},
): JobThread {
  const waiting: WaitingJob[] = [];
  let current: { job: WaitingJob; answer: JobAnswer | null } | null = null;
  let thread: WatchedThread | null = null;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  let freeBytes = 0;

  function begin(): void {
    if (current !== null) return;
    let job = waiting.shift();
    while (job?.signal?.aborted === true) job = waiting.shift();
    if (job === undefined) return rest();
    clearTimeout(idle);
    // Why once for a kept thread: what it holds is no longer free.
    if (thread === null || !isKept) freeBytes = memoryLimitBytes(availableMemoryBytes());
    thread ??= startWatchedThread(entryFile, onMessage, onLost);
    current = { job, answer: null };
    watch(thread, job);
    const request: JobRequest = { id: job.id, job: job.name, args: job.args };
    try {
      thread.post(request);
    } catch (error) {
      finish(() => job.reject(error as Error));
    }
  }

  function watch(watched: WatchedThread, job: Job): void {
    const { cpuS, memoryBytes } = job.limits();
    watched.watch({ cpuS, memoryBytes: Math.min(memoryBytes, freeBytes) });
  }

  function rest(): void {
    thread?.rest();
    clearTimeout(idle);
    if (!isKept) idle = setTimeout(end, idleMs).unref();
  }

  function end(): void {
    waiting.length = 0;
    current = null;
    thread?.end();
    thread = null;
  }

  function finish(settle: () => void): void {
    current = null;
    settle();
    begin();
  }

  function onMessage(message: unknown): void {
    const received = message as JobAnswer | JobSlice | JobProgress;
    if (current?.job.id !== received.id) return;
    const { job, answer } = current;
    const more = (): void => thread?.post({ more: job.id } satisfies MoreRequest);
    if ('progress' in received) {
      job.progress?.(...received.progress);
      if (thread !== null) watch(thread, job);
    } else if (!('slice' in received)) {
      current.answer = received;
      for (let ahead = 0; ahead < slicesAhead; ahead += 1) more();
    } else if (answer !== null && received.slice !== null) {
      addSlice(answer, received.slice);
      more();
    } else if (answer !== null) {
      finish(() => {
        if ('failure' in answer) job.reject(thrown(answer.failure));
        else job.resolve(answer.value);
      });
    }
  }

  function onLost({ reason, error }: ThreadLoss): void {
    thread = null;
    if (current === null) return;
    const { job } = current;
    log?.warn('the thread of a reader was ended', { file: job.file, job: job.name, reason });
    const refused = new UnderstoryError('bad-input', `'${job.file}' cannot be read: ${reason}`, {
      path: job.file,
    });
    finish(() => job.reject(error ?? refused));
  }

  function cancel(id: number): void {
    const at = waiting.findIndex((job) => job.id === id);
    if (at >= 0) waiting.splice(at, 1);
    if (current?.job.id !== id) return;
    thread?.end();
    thread = null;
    finish(() => undefined);
  }

  async function run(job: Job): Promise<unknown> {
    if (job.signal === undefined) return await added(job).answer;
    throwIfCancelled(job.signal);
    const { id, answer } = added(job);
    try {
      return await orAborted(answer, job.signal);
    } finally {
      if (job.signal.aborted) cancel(id);
    }
  }

  function added(job: Job): { id: number; answer: Promise<unknown> } {
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.push({ ...job, id, resolve, reject });
    begin();
    return { id, answer: promise };
  }

  return { run, end };
}

function thrown(failure: WireError): Error {
  return failure.code === 'internal' ? new Error(failure.message) : fromWire(failure);
}
