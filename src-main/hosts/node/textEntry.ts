// Entry of the thread that works on long texts of documents (textThread.ts).
import { textJobs } from '#domain/scenario/textJobs.ts';
import { serveJobs } from './jobEntry.ts';

const jobs = textJobs as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;

serveJobs(
  (job, args) => jobs[job]?.(...args),
  () => false,
);
