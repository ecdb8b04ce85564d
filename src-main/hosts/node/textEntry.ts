// Entry of the thread that works on long texts of documents (textThread.ts).
import { parentPort } from 'node:worker_threads';
import { movableBuffers, withoutLongArrays, type Slice } from './answerSlices.ts';
import { textJobs } from '#domain/scenario/textJobs.ts';
import { movesBytes } from './movedJobs.ts';
import type { MoreRequest, TextAnswer, TextRequest, TextSlice } from './textThread.ts';

/** By request: what the host has not asked for yet. */
const unsent = new Map<number, Iterator<Slice>>();

parentPort?.on('message', (request: TextRequest | MoreRequest) => {
  if ('job' in request) {
    void answerTo(request.id, request.job, request.args).then((answer) => {
      const { outline, slices } = withoutLongArrays(answer);
      unsent.set(request.id, slices);
      parentPort?.postMessage(outline, movesBytes(request.job) ? movableBuffers(outline) : []);
    });
  } else {
    const { more: id } = request;
    const next = unsent.get(id)?.next();
    const slice = next?.done === false ? next.value : null;
    if (slice === null) unsent.delete(id);
    parentPort?.postMessage({ id, slice } satisfies TextSlice);
  }
});

async function answerTo(id: number, job: TextRequest['job'], args: unknown[]): Promise<TextAnswer> {
  try {
    return { id, value: await (textJobs[job] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
