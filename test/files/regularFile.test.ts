// Limits of reading: a file system that does not answer, a caller that leaves, files that grow or shrink, endless lines.
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linesOf } from '#files/lines.ts';
import { anySize, piecesOf, withRegularFile } from '#files/regularFile.ts';
import { temporaryFolder } from '#test/support/folder.ts';

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

it('a file that grows as fast as it is read has the end that it had at first', async () => {
  const path = fileIn(temporaryFolder());
  let read = '';
  for await (const piece of piecesOf(path)) {
    appendFileSync(path, 'v 1 1 1\n');
    read += new TextDecoder().decode(piece);
  }
  expect(read).toBe('v 0 0 0\n');
});

it('a file that becomes shorter while it is read is refused', async () => {
  const path = fileIn(temporaryFolder());
  truncateSync(path, 3 * 2 ** 20);
  const reading = async (): Promise<void> => {
    for await (const piece of piecesOf(path)) truncateSync(path, piece.length);
  };
  await expect(reading()).rejects.toMatchObject({ code: 'io' });
});

it('lines are those of the text, and one without an end is refused', async () => {
  const path = fileIn(temporaryFolder());
  const linesIn = (from: number): Promise<string[]> =>
    withRegularFile(path, { maxBytes: anySize }, (file) => Array.fromAsync(linesOf(file, from)));
  writeFileSync(path, 'a\r\nb\n\nc');
  expect(await linesIn(0)).toEqual(['a', 'b', '', 'c']);
  expect(await linesIn(3)).toEqual(['b', '', 'c']);
  truncateSync(path, 2 ** 40);
  await expect(linesIn(0)).rejects.toMatchObject({ code: 'corrupt' });
});
