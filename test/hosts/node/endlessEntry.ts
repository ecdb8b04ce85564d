// Entry of a thread whose jobs do not end (jobThread.test.ts).
import { serveJobs } from '#hosts/node/jobEntry.ts';

const filled: Uint8Array[] = [];

const jobs: Readonly<Record<string, (given: unknown) => unknown>> = {
  echo: (given) => given,
  loop: () => {
    for (;;);
  },
  fill: () => {
    for (;;) filled.push(new Uint8Array(1e7).fill(1));
  },
  exit: () => process.exit(3),
};

serveJobs(
  (job, [given]) => jobs[job]?.(given),
  () => false,
);
