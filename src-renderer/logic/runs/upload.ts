// Sends a file to the host in pieces: a browser does not reveal the path of a file that is dropped on a page.
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';

/** Bytes in a call: the host takes at most 32 MiB. */
const pieceBytes = 4 * 2 ** 20;

type SendPiece = (
  request: RequestInputOf<'runs.receive'>,
  bytes: Uint8Array,
) => Promise<{ upload: string }>;

/**
 * Returns what runs.unpack takes. What was sent is discarded where it is cancelled.
 * @param onSent bytes of the file that the host has
 * @throws UnderstoryError 'io' for a file that cannot be read, 'cancelled', and what `send` throws
 */
export async function sendFile(
  file: Pick<File, 'name' | 'size' | 'slice'>,
  send: SendPiece,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const { name, size: totalBytes } = file;
  let upload: string | undefined;
  let offset = 0;
  do {
    if (signal.aborted) {
      const discarded = { name, totalBytes, offset, isDiscarded: true };
      if (upload !== undefined) await send({ ...discarded, upload }, new Uint8Array());
      throw new UnderstoryError('cancelled', `sending '${name}' was cancelled`);
    }
    const bytes = await bytesOf(file, offset);
    const request = { name, totalBytes, offset, ...(upload !== undefined && { upload }) };
    ({ upload } = await send(request, bytes));
    offset += bytes.length;
    onSent(offset);
  } while (offset < totalBytes);
  return upload;
}

async function bytesOf(
  file: Pick<File, 'name' | 'slice'>,
  offset: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const piece = file.slice(offset, offset + pieceBytes);
  const bytes = await piece.arrayBuffer().catch(() => {
    const message = `'${file.name}' cannot be read: it may have moved, or be a folder`;
    throw new UnderstoryError('io', message);
  });
  return new Uint8Array(bytes);
}
