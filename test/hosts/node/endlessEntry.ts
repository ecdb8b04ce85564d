// Entry of a thread whose jobs do not end (jobThread.test.ts).
import { serveJobs } from '#hosts/node/jobEntry.ts';

const filled: Uint8Array[] = [];

const jobs = {
  echo: (given: unknown) => given,
  loop: () => {
    for (;;);
  },
  fill: () => {
    for (;;) filled.push(new Uint8Array(1e7).fill(1));
  },
  exit: () => process.exit(3),
};

serveJobs(jobs, { isMoved: false });
