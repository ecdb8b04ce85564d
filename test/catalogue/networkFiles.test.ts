// The catalogue on file systems without shared memory, as those of networks: one process at a time, and no WAL.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { guarded } from '#catalogue/failures.ts';
import { hasSharedMemory } from '#catalogue/sharedMemory.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const catalogueModule = new URL('../../src-main/catalogue/catalogue.ts', import.meta.url).href;

/** Opens the catalogue in another process; returns the code of its failure, or 'open'. */
function openElsewhere(file: string, isShared: boolean): string {
  const script = `
    const { openCatalogue } = await import(${JSON.stringify(catalogueModule)});
    try {
      openCatalogue(${JSON.stringify(file)}, undefined, { isShared: ${isShared} }).dispose();
      process.stdout.write('open');
    } catch (error) {
      process.stdout.write(error.code);
    }`;
  const args = ['--input-type=module', '--eval', script];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
}

describe('without shared memory', () => {
  it('the catalogue is of one process at a time, and has no WAL', () => {
    const file = join(temporaryFolder(), 'catalogue.sqlite');
    const catalogue = openCatalogue(file, undefined, { isShared: false });
    expect(catalogue.campaigns()).toEqual([]);
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
    expect(openElsewhere(file, false)).toBe('locked');
    catalogue.dispose();
    expect(openElsewhere(file, false)).toBe('open');
  });

  it('a catalogue that was in WAL mode is converted, and back', () => {
    const file = join(temporaryFolder(), 'catalogue.sqlite');
    openCatalogue(file, undefined, { isShared: true }).dispose();
    expect(openElsewhere(file, false)).toBe('open');
    const catalogue = openCatalogue(file, undefined, { isShared: true });
    expect(catalogue.campaigns()).toEqual([]);
    expect(existsSync(`${file}-wal`)).toBe(true);
    catalogue.dispose();
  });

  it('is what file systems of networks are', () => {
    expect(hasSharedMemory(temporaryFolder())).toBe(true);
    expect(hasSharedMemory('/no/such/folder')).toBe(true);
  });
});

it.each(['SQLITE_IOERR_LOCK', 'SQLITE_IOERR_RDLOCK', 'SQLITE_PROTOCOL'])(
  'a file system without locks (%s) is refused in one sentence',
  (code) => {
    const failure = Object.assign(new Error('disk I/O error'), { name: 'SqliteError', code });
    const open = (): never =>
      guarded('/lustre/catalogue.sqlite', () => {
        throw failure;
      });
    expect(open).toThrow(
      'the file system of /lustre/catalogue.sqlite has no file locks, which the catalogue needs: choose another folder with --data',
    );
  },
);
