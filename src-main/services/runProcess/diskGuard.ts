// Ends a run before its disk is full, while there is still room to close the recording properly.
import { UnderstoryError } from '#contract/errors.ts';

/** Room that is never used: the recording's index and footer, the catalogue, and everyone else's needs. */
export const reserveBytes = 32 * 1024 * 1024;
/** The next so many simulated seconds must fit, or those that are left, at the rate of what has been written so far. */
const foresightS = 2;

export interface DiskGuard {
  /**
   * @param writtenBytes of the recording so far
   * @throws UnderstoryError 'disk-full' when what comes next would not fit
   */
  check(writtenBytes: number, simulatedS: number): void;
}

/**
 * @param freeBytes free bytes now, for ordinary users, on the recording's disk
 * @param seconds simulated time after which the run ends by itself; null: none is known
 */
export function createDiskGuard(
  file: string,
  freeBytes: () => number,
  seconds: number | null,
): DiskGuard {
  return {
    check(writtenBytes, simulatedS) {
      const rateBytesPerS = simulatedS > 0 ? writtenBytes / simulatedS : 0;
      const leftS = Math.max(0, (seconds ?? Infinity) - simulatedS);
      const neededBytes = reserveBytes + Math.ceil(rateBytesPerS * Math.min(foresightS, leftS));
      const free = freeBytes();
      if (free >= neededBytes) return;
      throw new UnderstoryError(
        'disk-full',
        `the disk of ${file} has ${megabytes(free)} free, and the recording needs ` +
          `${megabytes(neededBytes)} to continue; what was recorded so far is kept`,
        { freeBytes: free, neededBytes, writtenBytes },
      );
    },
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
