// Jobs on a thread: one that never ends, or takes all memory, ends by cancel or by the watch; the others go on.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createJobThread, type Job } from '#hosts/node/jobThread.ts';

const entryFile = fileURLToPath(new URL('endlessEntry.ts', import.meta.url));
const limits = { cpuS: 60, memoryBytes: 1e9 };

function createThread() {
  const lines: { message: string; details?: Record<string, unknown> | undefined }[] = [];
  const warn = (message: string, details?: Record<string, unknown>): void => {
    lines.push({ message, details });
  };
  const { run } = createJobThread(entryFile, { log: { warn } });
  const job = (name: string, given: Partial<Job> = {}): Promise<unknown> =>
    run({ name, args: [name], file: `${name}.txt`, limits: () => limits, ...given });
  return { job, lines };
}

it('ends an endless job on cancel; what waits is answered by another thread', async () => {
  const { job, lines } = createThread();
  const given = new AbortController();
  const endless = job('loop', { signal: given.signal });
  const others = [job('echo'), job('echo', { args: ['b'] })];
  const gone = new AbortController();
  const waiting = job('echo', { signal: gone.signal });
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  given.abort();
  await expect(endless).rejects.toMatchObject({ code: 'cancelled' });
  expect(await Promise.all(others)).toEqual(['echo', 'b']);
  await expect(job('echo', { signal: given.signal })).rejects.toMatchObject({ code: 'cancelled' });
  expect(lines).toEqual([]);
}, 120_000);

it('ends a job that takes too much time or memory, names its file and logs it', async () => {
  const { job, lines } = createThread();
  const late = job('loop', { limits: () => ({ ...limits, cpuS: 0.2 }) });
  const large = job('fill', { limits: () => ({ ...limits, memoryBytes: 2e8 }) });
  const sound = job('echo');
  await expect(late).rejects.toMatchObject({
    code: 'bad-input',
    message: "'loop.txt' cannot be read: its reader took more than 0.2 s of computing time",
  });
  await expect(large).rejects.toMatchObject({
    code: 'bad-input',
    message: "'fill.txt' cannot be read: its reader took more than 0.2 GB of memory",
  });
  expect(await sound).toBe('echo');
  expect(lines.map(({ details }) => details?.['file'])).toEqual(['loop.txt', 'fill.txt']);
}, 120_000);

it('a job that ends its thread fails alone', async () => {
  const { job, lines } = createThread();
  const ended = job('exit');
  const sound = job('echo');
  await expect(ended).rejects.toThrow('the thread exited');
  expect(await sound).toBe('echo');
  expect(lines).toHaveLength(1);
}, 120_000);
