// The only import of better-sqlite3. Its binary crashes the process on Node versions older than it was built
// for, so the version is looked at before it is loaded; nothing else may import it.
import type DatabaseConstructor from 'better-sqlite3';
import { createRequire } from 'node:module';
import { UnderstoryError } from '#contract/errors.ts';
import { expectRegularOrNoneSync } from '#files/regularFileSync.ts';

export type Database = DatabaseConstructor.Database;

/** NODE_MODULE_VERSION of the oldest Node that runs the binary (Node 22). */
const oldestModules = 127;

/**
 * Opens a database file. @throws UnderstoryError 'unsupported' on a Node that is too old, 'bad-input' for what is no
 * regular file: SQLite waits at a pipe permanently
 */
export function openSqlite(
  file: string,
  { timeoutMs, isReadOnly = false }: { timeoutMs: number; isReadOnly?: boolean },
): Database {
  if (Number(process.versions.modules) < oldestModules) {
    throw new UnderstoryError(
      'unsupported',
      `this is Node ${process.versions.node}; the catalogue needs Node 22 or newer`,
    );
  }
  for (const path of [file, `${file}-journal`, `${file}-wal`, `${file}-shm`]) {
    expectRegularOrNoneSync(path);
  }
  const Sqlite = createRequire(import.meta.url)('better-sqlite3') as typeof DatabaseConstructor;
  return new Sqlite(file, {
    timeout: timeoutMs,
    ...(isReadOnly && { readonly: true, fileMustExist: true }),
  });
}

/** SQLite's code of a failure (`SQLITE_BUSY`, `SQLITE_CORRUPT`, …), or null where it is none of SQLite's. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'SqliteError' || !('code' in error)) return null;
  return String(error.code);
}
