// Reading of parts: a beginning whole, the rest in pieces.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { UnderstoryError } from '#contract/errors.ts';
import { naming } from '../appendFile.ts';

/** The first bytes of a file, `most` at most. */
export async function beginningOf(file: string, most: number): Promise<Buffer> {
  return naming(file, async () => {
    const handle = await open(file, 'r');
    try {
      const buffer = Buffer.alloc(most);
      const { bytesRead } = await handle.read(buffer, 0, most, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  });
}

/** The bytes from `start` on, up to `end` (not included) where it is given. */
export async function copyRest(
  file: string,
  start: number,
  take: (bytes: Uint8Array) => Promise<void>,
  end?: number,
): Promise<void> {
  if (end !== undefined && end <= start) return;
  await naming(file, async () => {
    const range = { start, highWaterMark: 1 << 20, ...(end !== undefined && { end: end - 1 }) };
    for await (const piece of createReadStream(file, range) as AsyncIterable<Buffer>) {
      await take(piece);
    }
  });
}

/** A part that is not what its name says, or differs from the first in more than rows. */
export function unfit(file: string, message: string): UnderstoryError {
  return new UnderstoryError('bad-input', `'${file}' cannot be joined: ${message}`, {
    problems: [{ path: 'parts', code: 'custom', message: `${file}: ${message}` }],
  });
}
