// Limits of reading files that documents name: a file system that does not answer, and a caller that leaves.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withRegularFile } from '#files/regularFile.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';

const never = (): Promise<never> => new Promise(() => undefined);

function fileIn(folder: string): string {
  const path = join(folder, 'mesh.obj');
  writeFileSync(path, 'v 0 0 0\n');
  return path;
}

it('a read that never settles ends after its time, with the file and the time', async () => {
  const path = fileIn(temporaryFolder());
  const read = withRegularFile(path, { maxBytes: 100, seconds: 0.1 }, never);
  await expect(read).rejects.toMatchObject({
    code: 'io',
    message: `'${path}' cannot be read: its file system did not answer for 0.1 s`,
    details: { path },
  });
});

it('a read that never settles ends when its caller cancels', async () => {
  const path = fileIn(temporaryFolder());
  const controller = new AbortController();
  const limits = { maxBytes: 100, signal: controller.signal };
  const read = withRegularFile(path, limits, () => {
    controller.abort();
    return never();
  });
  await expect(read).rejects.toMatchObject({ code: 'cancelled' });
});
