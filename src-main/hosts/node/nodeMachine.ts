// The Machine port: memory and disk as the operating system reports them.
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Machine } from '#services/ports/system.ts';

/** This machine; values are read at each call. */
export function createNodeMachine(): Machine {
  return {
    hostName: hostname(),
    cores: availableParallelism(),
    availableMemoryBytes,
    freeDiskBytes,
  };
}

/** MemAvailable, but never more than the control group (a container's limit) still allows. */
export function availableMemoryBytes(): number {
  const limit = readNumber('/sys/fs/cgroup/memory.max');
  const used = readNumber('/sys/fs/cgroup/memory.current') ?? 0;
  const inGroup = limit === null ? Infinity : Math.max(0, limit - used);
  return Math.min(systemMemoryBytes(), inGroup);
}

/** Free bytes for an ordinary user on the disk of the nearest folder above `path` that exists. */
function freeDiskBytes(path: string): number {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function systemMemoryBytes(): number {
  // Why: os.freemem() leaves out the page cache, which the kernel gives back on demand.
  const match = /^MemAvailable:\s+(\d+) kB$/m.exec(readIfThere('/proc/meminfo') ?? '');
  return match === null ? freemem() : Number(match[1]) * 1024;
}

function readNumber(file: string): number | null {
  const text = readIfThere(file)?.trim();
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
