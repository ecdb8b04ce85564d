// The adapter for the port `Catalogue`: SQLite in WAL mode, and without it on file systems of networks. Each call is one short transaction; what
// SQLite refuses is thrown as UnderstoryError ('corrupt', 'disk-full', 'locked', 'io'). Guarantees: a catalogue on
// read-only media can be read, and one on a full disk can be opened, so that runs can be removed.
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { failureReason } from '#files/failureReason.ts';
import { copyRegularFileSync } from '#files/regularFileSync.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import { campaignMethods } from './campaignRows.ts';
import { checkMethods } from './checkCatalogue.ts';
import { guarded } from './failures.ts';
import { migrate, migrationsFolder } from './migrate.ts';
import { plantMethods } from './plantRows.ts';
import { findingMethods } from './runFinding.ts';
import { runKeys, runMethods } from './runRows.ts';
import { scanMethods } from './scanRows.ts';
import { sceneMethods } from './sceneRows.ts';
import { hasSharedMemory } from './sharedMemory.ts';
import { type Database, openSqlite, sqliteCode } from './sqlite.ts';

/** How long a call waits for another process that writes. */
const busyTimeoutMs = 5000;

/**
 * Opens the catalogue, and makes or migrates it where needed.
 * @param migrations another folder of migrations, for tests
 * @param options.isForeign it is of another host: a copy is read, and nothing is migrated in its place
 * @param options.isShared false: the file system has no shared memory; default: as it is
 * @throws UnderstoryError 'corrupt' | 'unsupported' (newer, or an old Node) | 'locked' | 'disk-full' | 'io'
 */
export function openCatalogue(
  file: string,
  migrations = migrationsFolder,
  { isForeign = false, isShared }: { isForeign?: boolean; isShared?: boolean } = {},
): Catalogue {
  const isReadOnly = existsSync(file) && (isForeign || !isWritable(dirname(file)));
  const copy = isReadOnly ? copyOf(file) : null;
  const database = guarded(file, () => openDatabase(copy?.file ?? file, migrations, isShared));
  if (isReadOnly) database.pragma('query_only = ON');
  const keyOf = runKeys(database);
  const patience = createPatience(database);
  const methods = {
    ...runMethods(database, keyOf),
    ...findingMethods(database, keyOf),
    ...sceneMethods(database, keyOf),
    ...plantMethods(database, keyOf),
    ...scanMethods(database, keyOf),
    ...campaignMethods(database, keyOf),
    ...checkMethods(database, copy?.file ?? file),
    dispose() {
      database.close();
      copy?.remove();
    },
  };
  const { withoutWaiting } = patience;
  return { ...guardAll(file, methods, patience.apply), withoutWaiting, isReadOnly };
}

/** How long calls wait for another process that writes. Why set only when it changes: that takes as long as adding a tick. */
function createPatience(database: Database): Pick<Catalogue, 'withoutWaiting'> & {
  /** To be called before each call of the catalogue. */
  apply: () => void;
} {
  let [wantedMs, setMs] = [busyTimeoutMs, busyTimeoutMs];
  return {
    apply() {
      if (wantedMs === setMs) return;
      database.pragma(`busy_timeout = ${wantedMs}`);
      setMs = wantedMs;
    },
    withoutWaiting(work) {
      wantedMs = 0;
      try {
        return work();
      } finally {
        wantedMs = busyTimeoutMs;
      }
    },
  };
}

function openDatabase(file: string, migrations: string, isShared?: boolean): Database {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const hasMemory = isShared ?? hasSharedMemory(dirname(file));
    return openWith(file, migrations, hasMemory ? ['journal_mode = WAL'] : modesOfNetworks);
  } catch (error) {
    if (/^SQLITE_IOERR_SHM(MAP|LOCK)$/.test(sqliteCode(error) ?? '')) {
      return openWith(file, migrations, modesOfNetworks);
    }
    if (!isWithoutRoom(error)) throw error;
    // Why: so a page that is overwritten needs no room, neither for a journal nor for the index that processes share,
    // and runs can be removed from a full disk. A crash in such a write may damage the file; `runs adopt` rebuilds it.
    return openWith(file, migrations, ['locking_mode = EXCLUSIVE', 'journal_mode = MEMORY']);
  }
}

/** Pages of the file that a process holds at most. */
const pageCacheBytes = 4 * 2 ** 20;

/** One process at a time has the catalogue: the lock of its first transaction stays. */
const modesOfNetworks = ['locking_mode = EXCLUSIVE', 'journal_mode = DELETE'];

function openWith(file: string, migrations: string, modes: readonly string[]): Database {
  const database = openSqlite(file, { timeoutMs: busyTimeoutMs });
  try {
    for (const mode of modes) setMode(database, mode);
    // Why not FULL: a commit survives the death of any process either way; after a power cut the last
    // ones may be missing, and the recording, which holds the same records, counts (services/runs/reconcile.ts).
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    // Why not the 16 MB that SQLite takes here: they fill with the runs, and the machine caches the file itself.
    database.pragma(`cache_size = -${pageCacheBytes / 1024}`);
    migrate(database, file, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Why retried: SQLite refuses another journal mode at once, without its time of waiting, while another process makes the file. */
function setMode(database: Database, mode: string): void {
  const endMs = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.pragma(mode);
      return;
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY' || Date.now() >= endMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function isWithoutRoom(error: unknown): boolean {
  return ['SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_SHMOPEN', 'SQLITE_FULL'].includes(
    sqliteCode(error) ?? '',
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why a copy: SQLite reads no database in WAL mode without writing beside it. */
function copyOf(file: string): { file: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'understory-catalogue-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (const path of [file, `${file}-wal`]) {
      if (existsSync(path)) copyRegularFileSync(path, join(folder, basename(path)));
    }
    return { file: join(folder, basename(file)), remove };
  } catch (error) {
    remove();
    if (error instanceof UnderstoryError) throw error;
    throw new UnderstoryError('io', `'${file}' cannot be read: ${failureReason(error)}`, {
      file,
    });
  }
}

/** `before`: called before each call. */
function guardAll<M extends object>(file: string, methods: M, before: () => void): M {
  const guardedMethods = Object.entries(methods).map(([name, method]: [string, unknown]) => [
    name,
    typeof method === 'function'
      ? (...args: unknown[]): unknown =>
          guarded(file, () => {
            before();
            return (method as (...args: unknown[]) => unknown)(...args);
          })
      : method,
  ]);
  return Object.fromEntries(guardedMethods) as M;
}
