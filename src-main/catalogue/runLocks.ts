// Locks that die with their process: an exclusive SQLite transaction on a file of its own. The operating
// system releases it however the process ends. The file stays, empty: removing it would let two
// processes hold locks on two files of one name.
import { existsSync } from 'node:fs';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunLock, RunLocks } from '#services/ports/runProcesses.ts';
import { type Database, openSqlite, sqliteCode } from './sqlite.ts';

/** Why: the garbage collector closes a database without references, which releases its lock. */
const held = new Set<Database>();

/** The adapter for the port `RunLocks`. */
export function createRunLocks(): RunLocks {
  return { acquire, isHeld };
}

/** @throws UnderstoryError 'locked' when it is held, in this process or another; 'io' */
function acquire(file: string): RunLock {
  const database = tryLock(file);
  if (database === null) {
    throw new UnderstoryError('locked', `another process holds ${file}`, { file });
  }
  held.add(database);
  return {
    release: () => {
      held.delete(database);
      database.close();
    },
  };
}

/** True while a process holds the lock; false too where there is no such file. */
function isHeld(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = tryLock(file);
  database?.close();
  return database === null;
}

function tryLock(file: string): Database | null {
  let database: Database | null = null;
  try {
    database = openSqlite(file, { timeoutMs: 0 });
    // Why: a journal on disk needs room, and stays behind when the process is killed.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY') === true) return null;
    if (error instanceof UnderstoryError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    const details = { file, cause: sqliteCode(error) };
    throw new UnderstoryError('io', `${file} cannot be locked: ${cause}`, details);
  }
}
