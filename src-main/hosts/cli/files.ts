// Files that a command writes: aside first, then renamed, so that no reader sees half of one.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';

/** Makes the folders above too. @throws UnderstoryError 'io' | 'disk-full' */
export function writeWhole(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const aside = `${file}.part`;
    writeFileSync(aside, content, { flush: true });
    renameSync(aside, file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnderstoryError(
      code === 'ENOSPC' ? 'disk-full' : 'io',
      `'${file}' cannot be written: ${message}`,
      { path: file },
    );
  }
}
