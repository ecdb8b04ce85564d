// A decompressor that traps ends the reading of its file, with the place of the chunk, and leaves no log.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { sourcesByKind } from './sampleSources.ts';
import { importTo } from './importTo.ts';

const calls = vi.hoisted(() => ({ points: 0 }));

vi.mock('laz-perf', () => ({
  createLazPerf: () =>
    Promise.resolve({
      HEAPU8: new Uint8Array(1 << 20),
      _malloc: () => 1024,
      _free: () => undefined,
      ChunkDecoder: class {
        open(): void {
          // Takes every chunk.
        }
        getPoint(): void {
          calls.points += 1;
          if (calls.points > 130) throw new WebAssembly.RuntimeError('memory access out of bounds');
        }
      },
    }),
}));

it('names the second chunk of a file whose 131st point traps', async () => {
  const folder = temporaryFolder();
  const made = await sourcesByKind['laz']?.(folder);
  if (made === undefined) throw new Error('there is no LAZ sample');
  const out = join(folder, 'x.log');
  await expect(importTo(out, made.source, made.options)).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(
      /x\.laz is damaged: a chunk of 100 points cannot be decompressed \(byte \d+\)$/,
    ) as string,
    details: { byte: expect.any(Number) as number },
  });
  expect(calls.points).toBe(131);
  expect(existsSync(out)).toBe(false);
});
