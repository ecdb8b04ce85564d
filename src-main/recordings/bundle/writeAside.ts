// Writes a file of the data folder aside: it has its name only when it is whole and on the disk.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { naming } from '#files/appendFile.ts';
import { beginPartFile } from '../export/partFile.ts';

/** Makes the folder, too; what was written is removed on failure. @throws UnderstoryError 'disk-full' | 'io' */
export async function writeAside(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  await naming(file, () => mkdir(dirname(file), { recursive: true }));
  await beginPartFile(file, async (part) => {
    for await (const piece of pieces) await part.append(piece);
    await part.finish();
  });
}
