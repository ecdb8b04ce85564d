// Entry of the thread that works on long texts of documents (textThread.ts).
import { textJobs } from '#domain/scenario/textJobs.ts';
import { serveJobs } from './jobEntry.ts';

serveJobs(textJobs, { isMoved: false });
