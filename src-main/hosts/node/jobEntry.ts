// The thread's side of jobThread.ts: answers jobs, long arrays in slices.
import { parentPort } from 'node:worker_threads';
import { toWire } from '#contract/errors.ts';
import { movableBuffers, withoutLongArrays, type Slice } from './answerSlices.ts';
import type { JobAnswer, JobProgress, JobRequest, JobSlice, MoreRequest } from './jobThread.ts';

export type ReportProgress = (done: number, total: number) => void;

/** @param run carries out a job; @param isMoved whether the buffers of its answer are the host's from then on */
export function serveJobs(
  run: (job: string, args: readonly unknown[], report: ReportProgress) => unknown,
  isMoved: (job: string) => boolean,
): void {
  /** By request: what the host has not asked for yet. */
  const unsent = new Map<number, Iterator<Slice>>();

  parentPort?.on('message', (request: JobRequest | MoreRequest) => {
    if ('job' in request) {
      void answerTo(request).then((answer) => {
        const { outline, slices } = withoutLongArrays(answer);
        unsent.set(request.id, slices);
        parentPort?.postMessage(outline, isMoved(request.job) ? movableBuffers(outline) : []);
      });
    } else {
      const { more: id } = request;
      const next = unsent.get(id)?.next();
      const slice = next?.done === false ? next.value : null;
      if (slice === null) unsent.delete(id);
      parentPort?.postMessage({ id, slice } satisfies JobSlice);
    }
  });

  async function answerTo({ id, job, args }: JobRequest): Promise<JobAnswer> {
    try {
      const report: ReportProgress = (done, total) =>
        parentPort?.postMessage({ id, progress: [done, total] } satisfies JobProgress);
      return { id, value: await run(job, args, report) };
    } catch (error) {
      const failure = toWire(error);
      const stack = failure.code === 'internal' && error instanceof Error ? error.stack : undefined;
      return { id, failure: { ...failure, message: stack ?? failure.message } };
    }
  }
}
