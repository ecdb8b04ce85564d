// Files that zstd compressed as a whole, as rosbag2 does with `compression_mode: FILE`: unpacked into a temporary folder.
// Guarantees: none becomes larger than its packed bytes may; the folder is removed when the source is closed.
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { UnderstoryError } from '#contract/errors.ts';
import { naming, openAppendFile } from '#files/appendFile.ts';
import { piecesOf, regularFileStats } from '#files/regularFile.ts';

const packedEnding = /\.zstd?$/i;

/** Files to read in place of those of a source. */
export interface UnpackedFiles {
  files: string[];
  close: () => Promise<void>;
}

/**
 * @param folder absolute, is made where a file needs it
 * @throws UnderstoryError 'corrupt', 'disk-full', 'io', 'cancelled'; nothing is left then
 */
export async function unpackFiles(
  files: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<UnpackedFiles> {
  if (!files.some((file) => packedEnding.test(file))) {
    return { files: [...files], close: () => Promise.resolve() };
  }
  await naming(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const unpacked: string[] = [];
    for (const [index, file] of files.entries()) {
      unpacked.push(packedEnding.test(file) ? await unpack(file, folder, index, signal) : file);
    }
    return { files: unpacked, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function unpack(
  file: string,
  folder: string,
  index: number,
  signal: AbortSignal,
): Promise<string> {
  const name = basename(file).replace(packedEnding, '');
  const out = join(folder, `${index}-${name}`);
  const maxBytes = maxUnpackedBytes((await regularFileStats(file)).size);
  const target = await openAppendFile(out, 'create', file);
  try {
    await pipeline(
      piecesOf(file, { signal }),
      createZstdDecompress(),
      async (pieces: AsyncIterable<Uint8Array>) => {
        for await (const piece of pieces) {
          if (target.size + piece.length > maxBytes) throw tooLarge(file, maxBytes);
          await target.append(piece);
        }
      },
      { signal },
    );
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    if (signal.aborted) throw new UnderstoryError('cancelled', `reading ${file} was cancelled`);
    throw new UnderstoryError('corrupt', `${file} is damaged: expected a whole file of zstd`, {
      file,
    });
  } finally {
    await target.close();
  }
  return out;
}

/** As maxContentBytes of chunks, for files of any size. */
function maxUnpackedBytes(packedBytes: number): number {
  return 2 ** 26 + 256 * packedBytes;
}

function tooLarge(file: string, maxBytes: number): UnderstoryError {
  const message = `${file} is damaged: expected at most ${maxBytes} bytes in it, found more`;
  return new UnderstoryError('corrupt', message, { file });
}
