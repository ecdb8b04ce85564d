// Reading of parts: a beginning whole, the rest in pieces.
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, piecesOf, withRegularFile } from '#files/regularFile.ts';

/** The first bytes of a file, `most` at most. */
export async function beginningOf(file: string, most: number): Promise<Buffer> {
  return withRegularFile(file, { maxBytes: anySize }, async (opened) => {
    const { buffer, byteLength } = await opened.read(0, most);
    return Buffer.from(buffer, 0, byteLength);
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
  for await (const piece of piecesOf(file, { from: start, to: end })) await take(piece);
}

/** A part that is not what its name says, or differs from the first in more than rows. */
export function unfit(file: string, message: string): UnderstoryError {
  return new UnderstoryError('bad-input', `'${file}' cannot be joined: ${message}`, {
    problems: [{ path: 'parts', code: 'custom', message: `${file}: ${message}` }],
  });
}
