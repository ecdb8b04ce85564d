// A file for work that does not fit in memory. It loses its name as soon as it is open: whatever ends the process, its
// bytes are free afterwards.
import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { UnderstoryError } from '#contract/errors.ts';
import { naming } from './appendFile.ts';

/** Every method throws UnderstoryError 'disk-full' | 'io'. */
export interface SpillFile {
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Fills `bytes`. @throws 'io' too where the file ends before */
  read(bytes: Uint8Array, position: number): Promise<void>;
  close(): Promise<void>;
}

const { O_RDWR, O_CREAT, O_EXCL } = constants;

/** @param path of a file that is not there; @throws UnderstoryError as the methods */
export async function openSpillFile(path: string): Promise<SpillFile> {
  const handle = await naming(path, () => open(path, O_RDWR | O_CREAT | O_EXCL, 0o600));
  await naming(path, () => unlink(path));
  return {
    write: (bytes, position) =>
      naming(path, async () => {
        for (let done = 0; done < bytes.length;) {
          const left = bytes.length - done;
          done += (await handle.write(bytes, done, left, position + done)).bytesWritten;
        }
      }),
    read: (bytes, position) =>
      naming(path, async () => {
        for (let done = 0; done < bytes.length;) {
          const left = bytes.length - done;
          const { bytesRead } = await handle.read(bytes, done, left, position + done);
          if (bytesRead === 0) throw new UnderstoryError('io', `${path}: the file is too short`);
          done += bytesRead;
        }
      }),
    close: () => naming(path, () => handle.close()),
  };
}
