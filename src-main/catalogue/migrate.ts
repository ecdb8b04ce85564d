// Brings a database to the newest version: numbered SQL files, each in a transaction of its own with the
// number that it leads to (PRAGMA user_version).
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import type { Database } from './sqlite.ts';

/** Where the migrations of this build lie. */
export const migrationsFolder = join(import.meta.dirname, 'migrations');

/**
 * Applies the migrations that the database lacks; a copy of an older one stays beside it. Two processes may do so at
 * once: each looks again at the version once it may write.
 * @throws UnderstoryError 'unsupported' where the database is newer than this build
 */
export function migrate(database: Database, file: string, folder = migrationsFolder): void {
  const migrations = readMigrations(folder);
  const found = versionOf(database);
  if (found > migrations.length) {
    const message = `the catalogue ${file} is of version ${found}, this build supports ${migrations.length}: use a newer Understory, or another data directory`;
    throw new UnderstoryError('unsupported', message, { file, found, known: migrations.length });
  }
  if (found > 0 && found < migrations.length) backUp(database, file, found);
  for (const [index, sql] of migrations.entries()) {
    if (found > index) continue;
    database
      .transaction(() => {
        if (versionOf(database) > index) return;
        database.exec(sql);
        database.pragma(`user_version = ${index + 1}`);
      })
      .immediate();
  }
}

/** Leaves a copy of the file as it was: FILE.version-N. */
function backUp(database: Database, file: string, version: number): void {
  // Why aside: two processes may migrate at once, and one of them may be ended.
  const part = `${file}.${process.pid}.part`;
  rmSync(part, { force: true });
  try {
    database.prepare('VACUUM INTO ?').run(part);
    renameSync(part, `${file}.version-${version}`);
  } finally {
    rmSync(part, { force: true });
  }
}

function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** The SQL of 0001_…, 0002_… in order. */
function readMigrations(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort();
  return names.map((name, index) => {
    if (Number(name.slice(0, 4)) !== index + 1) {
      throw new Error(`migration ${name} should have the number ${index + 1}`);
    }
    return readFileSync(join(folder, name), 'utf8');
  });
}
