// Errors of SQLite as errors of the contract, each with advice for a person.
import { UnderstoryError } from '#contract/errors.ts';
import { sqliteCode } from './sqlite.ts';

/** Runs `work`; failures of SQLite come out as UnderstoryError. */
export function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw catalogueFailure(error, file);
  }
}

/** Turns a failure of SQLite into an UnderstoryError; anything else is given back as it is. */
function catalogueFailure(error: unknown, file: string): unknown {
  const code = error instanceof SyntaxError ? 'SQLITE_CORRUPT_JSON' : sqliteCode(error);
  if (code === null || !(error instanceof Error)) return error;
  const details = { file, cause: code };
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    const advice = "Move it away, then 'understory runs adopt' reads the recordings again.";
    return new UnderstoryError('corrupt', `the catalogue ${file} is damaged. ${advice}`, details);
  }
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') {
    return new UnderstoryError('disk-full', `there is no room left to write ${file}`, details);
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new UnderstoryError('locked', `another process keeps ${file} locked`, details);
  }
  if (/^SQLITE_(IOERR_(LOCK|UNLOCK|RDLOCK|CHECKRESERVEDLOCK)|PROTOCOL|NOLFS)/.test(code)) {
    const message = `the file system of ${file} has no file locks, which the catalogue needs: choose another folder with --data`;
    return new UnderstoryError('unsupported', message, details);
  }
  if (code.startsWith('SQLITE_READONLY')) {
    const message = `${file} cannot be written: its folder is read-only; choose another with --data`;
    return new UnderstoryError('io', message, details);
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    const message = `${file} cannot be opened or made: check the permissions of its folder, or choose another with --data`;
    return new UnderstoryError('io', message, details);
  }
  if (/^SQLITE_(IOERR|PERM)/.test(code)) {
    return new UnderstoryError('io', `${file}: ${error.message}`, details);
  }
  return error; // a constraint or a wrong statement is a bug
}
