// The thread's side of jobThread.ts: answers jobs, one at a time, long arrays in slices.
import { parentPort } from 'node:worker_threads';
import { toWire } from '#contract/errors.ts';
import { movableBuffers, withoutLongArrays, type Slice } from './slicedMessages.ts';
import type { JobAnswer, JobProgress, JobRequest, JobSlice, MoreRequest } from './jobThread.ts';

type Jobs = Readonly<Record<string, (...args: never[]) => unknown>>;

/** By request: what the host has not asked for yet. */
const unsent = new Map<number, Iterator<Slice>>();
/** The job under way. */
let currentId = 0;

/** @param options.isMoved whether the buffers of answers are the host's from then on */
export function serveJobs(jobs: Jobs, { isMoved }: { isMoved: boolean }): void {
  parentPort?.on('message', (request: JobRequest | MoreRequest) => {
    if ('more' in request) return sendSlice(request.more);
    void answerTo(jobs, request).then((answer) => {
      const { outline, slices } = withoutLongArrays(answer);
      unsent.set(request.id, slices);
      parentPort?.postMessage(outline, isMoved ? movableBuffers(outline) : []);
    });
  });
}

/** Tells the host how far the job under way is, as Job.progress. */
export function reportProgress(...progress: JobProgress['progress']): void {
  parentPort?.postMessage({ id: currentId, progress } satisfies JobProgress);
}

async function answerTo(jobs: Jobs, { id, job, args }: JobRequest): Promise<JobAnswer> {
  currentId = id;
  try {
    return { id, value: await jobs[job]?.(...(args as never[])) };
  } catch (error) {
    const failure = toWire(error);
    const stack = failure.code === 'internal' && error instanceof Error ? error.stack : undefined;
    return { id, failure: { ...failure, message: stack ?? failure.message } };
  }
}

function sendSlice(id: number): void {
  const next = unsent.get(id)?.next();
  const slice = next?.done === false ? next.value : null;
  if (slice === null) unsent.delete(id);
  parentPort?.postMessage({ id, slice } satisfies JobSlice);
}
