// Entry of the threads that work on long texts of documents and on files of other programs (textThread.ts).
import { textJobs } from '#domain/scenario/textJobs.ts';
import { serveJobs } from './jobEntry.ts';
import { movesBytes } from './movedJobs.ts';

const jobs = textJobs as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;

serveJobs(
  (job, args) => jobs[job]?.(...args),
  (job) => movesBytes(job as keyof typeof textJobs),
);
