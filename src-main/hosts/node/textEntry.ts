// Entry of the thread that works on long texts of documents (textThread.ts).
import { parentPort } from 'node:worker_threads';
import { textJobs } from '#domain/scenario/textJobs.ts';
import type { TextAnswer, TextRequest } from './textThread.ts';

parentPort?.on('message', ({ id, job, args }: TextRequest) => {
  parentPort?.postMessage(answerTo(id, job, args));
});

function answerTo(id: number, job: TextRequest['job'], args: unknown[]): TextAnswer {
  try {
    return { id, value: (textJobs[job] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
