// Names of files and folders that are written aside: FILE.PID-RANDOM.part. Two processes that write one file never
// share such a name, and it says who wrote it, so that what a dead process left can be removed.
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Why so long: a process on another machine, over a network, has no number here. */
const leftoverMs = 3_600_000;

/** A name of its own for what becomes `file`. */
export function partNameOf(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
}

/** Removes what processes that are gone left of earlier attempts at `file`. Never throws: it can be done later. */
export function removeLeftovers(file: string): void {
  const start = `${basename(file)}.`;
  try {
    for (const name of readdirSync(dirname(file))) {
      const [, pid] = /^(\d+)-[0-9a-f]{8}\.part/.exec(name.slice(start.length)) ?? [];
      if (!name.startsWith(start) || pid === undefined || isAlive(Number(pid))) continue;
      const path = join(dirname(file), name);
      if (Date.now() - statSync(path).mtimeMs <= leftoverMs) continue;
      rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Why swallowed: whatever is wrong with the folder, writing the file itself will say.
  }
}

/** Whether a process of this machine has that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
