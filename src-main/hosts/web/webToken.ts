// The token of a data folder's web host: made once, so that an open page reaches the host again after a restart on
// the same port. Only the owner of the folder can read it.
import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTextSync } from '#files/regularFileSync.ts';

const fileName = 'web-token';

/** 32 letters, digits, '-' and '_'; the file's mode is 0600. Where the folder cannot be written it is saved nowhere. */
export function webToken(dataFolder: string): string {
  const file = join(dataFolder, fileName);
  const saved = savedToken(file);
  if (saved !== null) return saved;
  const token = newToken();
  try {
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    // Why: the mode of an existing file is not changed by writing it.
    chmodSync(file, 0o600);
  } catch {
    // Why swallowed: runs can be inspected on read-only media and full disks, too.
  }
  return token;
}

/** The token for Foxglove, of the web host's. Why another: Foxglove stores addresses, and who has one may only read. */
export function foxgloveToken(token: string): string {
  return createHmac('sha256', token)
    .update('foxglove')
    .digest()
    .subarray(0, 24)
    .toString('base64url');
}

/** A token that is saved nowhere. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function savedToken(file: string): string | null {
  try {
    const text = readTextSync(file, 1000).trim();
    if (!/^[\w-]{32}$/.test(text)) return null;
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    return text;
  } catch {
    return null;
  }
}
