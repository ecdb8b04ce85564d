// The adapter for the port `Catalogue`: SQLite in WAL mode. Each call is one short transaction; what
// SQLite refuses comes out as UnderstoryError ('corrupt', 'disk-full', 'locked', 'io').
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Catalogue } from '#services/ports/catalogue.ts';
import { guarded } from './failures.ts';
import { migrate, migrationsFolder } from './migrate.ts';
import { findingMethods } from './runFinding.ts';
import { runKeys, runMethods } from './runRows.ts';
import { scanMethods } from './scanRows.ts';
import { sceneMethods } from './sceneRows.ts';
import { type Database, openSqlite } from './sqlite.ts';

/** How long a call waits for another process that writes. */
const busyTimeoutMs = 5000;

/**
 * Opens the catalogue, and makes or migrates it where needed.
 * @param migrations another folder of migrations, for tests
 * @throws UnderstoryError 'corrupt' | 'unsupported' (newer, or an old Node) | 'locked' | 'disk-full' | 'io'
 */
export function openCatalogue(file: string, migrations = migrationsFolder): Catalogue {
  const database = guarded(file, () => openDatabase(file, migrations));
  const keyOf = runKeys(database);
  const methods: Catalogue = {
    ...runMethods(database, keyOf),
    ...findingMethods(database, keyOf),
    ...sceneMethods(database, keyOf),
    ...scanMethods(database, keyOf),
    withoutWaiting(work) {
      database.pragma('busy_timeout = 0');
      try {
        return work();
      } finally {
        database.pragma(`busy_timeout = ${busyTimeoutMs}`);
      }
    },
    dispose: () => void database.close(),
  };
  return guardAll(file, methods);
}

function openDatabase(file: string, migrations: string): Database {
  mkdirSync(dirname(file), { recursive: true });
  const database = openSqlite(file, { timeoutMs: busyTimeoutMs });
  try {
    database.pragma('journal_mode = WAL');
    // Why not FULL: a commit survives the death of any process either way; after a power cut the last
    // ones may be missing, and the recording, which holds the same facts, counts (services/runs/reconcile.ts).
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    migrate(database, file, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function guardAll(file: string, methods: Catalogue): Catalogue {
  const guardedMethods = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]): unknown =>
      guarded(file, () => (method as (...args: unknown[]) => unknown)(...args)),
  ]);
  return Object.fromEntries(guardedMethods) as Catalogue;
}
