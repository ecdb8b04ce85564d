// Runs that their hosts have left: found by their locks, on a real catalogue and real folders.
import { existsSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recoverRuns, watchDeadRuns } from '#services/runs/recovery.ts';
import { sampleMetrics } from '#test/services/scriptedRun.ts';

import { openDrives, startRun } from './scriptedDrives.ts';

describe('runs of another host', () => {
  it('are recovered as soon as their locks are free', async () => {
    const end = Promise.withResolvers<undefined>();
    const drives = openDrives(async () => {
      await end.promise;
      return { end: 'seconds', metrics: sampleMetrics() };
    });
    const living = await startRun(drives);
    const { id, compiled } = {
      id: drives.ports.newId(),
      compiled: drives.catalogue.compiled(living),
    };
    const { lockFile } = drives.folders.create(id);
    const lock = drives.locks.acquire(lockFile);
    drives.catalogue.insertRun({
      id,
      compiled,
      name: 'other',
      createdMs: 1,
      version: '0.0.0',
      hostName: 'test',
      order: { seconds: null, threads: null, isa: null },
    });
    const watching = watchDeadRuns(drives.ports);
    expect(await watching.first).toEqual([]);
    expect(drives.catalogue.run(id)?.state).toBe('running');
    lock.release();
    await expect.poll(() => drives.catalogue.run(id)?.state).toBe('interrupted');
    expect(drives.catalogue.run(living)?.state).toBe('running');
    await watching.end();
    end.resolve(undefined);
    await drives.stopAll();
  });
});

describe('recovery at the start', () => {
  it('marks runs whose locks are free, and leaves the living alone', async () => {
    let finish = (): void => undefined;
    const drives = openDrives(
      () =>
        new Promise((resolve) => {
          finish = () => resolve({ end: 'goal', metrics: sampleMetrics() });
        }),
    );
    const living = await startRun(drives);
    const dead = drives.ports.newId();
    drives.folders.create(dead);
    const compiled = drives.catalogue.compiled(living);
    drives.catalogue.insertRun({
      id: dead,
      name: 'dead',
      createdMs: 1,
      compiled,
      version: '0.0.0',
      hostName: 'test',
      order: { seconds: null, threads: null, isa: null },
    });
    expect(await recoverRuns(drives.ports)).toEqual([dead]);
    expect(drives.catalogue.run(dead)?.state).toBe('interrupted');
    expect(drives.catalogue.run(dead)?.error).toContain('Nothing was saved');
    expect(drives.catalogue.run(living)?.state).toBe('running');
    finish();
    await drives.stopAll();
    expect(await recoverRuns(drives.ports)).toEqual([]);
    expect(existsSync(drives.folders.files(living).hostLockFile)).toBe(true);
    expect(statSync(drives.folders.files(living).hostLockFile).size).toBe(0);
  });
});
