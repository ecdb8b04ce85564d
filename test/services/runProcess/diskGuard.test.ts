// The guard of the disk: when a run may continue, and when not.
import { describe, expect, it } from 'vitest';
import { createDiskGuard, reserveBytes } from '#services/runProcess/diskGuard.ts';

describe('disk guard', () => {
  it('stops a run two simulated seconds before the disk would be full', () => {
    let freeBytes = 0;
    const guard = createDiskGuard('run.mcap', () => freeBytes, null);
    freeBytes = reserveBytes;
    expect(() => guard.check(0, 0)).not.toThrow();
    // 10 MB in 2 s: 5 MB a second, so that 10 MB more must fit.
    freeBytes = reserveBytes + 10e6;
    expect(() => guard.check(10e6, 2)).not.toThrow();
    freeBytes -= 1;
    expect(() => guard.check(10e6, 2)).toThrow(
      expect.objectContaining({
        code: 'disk-full',
        message: expect.stringContaining('run.mcap') as string,
      }),
    );
  });

  it('asks for no room beyond the end of the run', () => {
    const guard = createDiskGuard('run.mcap', () => reserveBytes + 2.5e6, 2.5);
    // 10 MB in 2 s: the half second that is left takes 2.5 MB.
    expect(() => guard.check(10e6, 2)).not.toThrow();
    expect(() => guard.check(10e6, 1.9)).toThrow(expect.objectContaining({ code: 'disk-full' }));
  });
});
