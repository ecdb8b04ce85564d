// A drive is refused before its start where the guard of its run would end it at once.
import { expect, it } from 'vitest';
import type { CompiledScenario } from '#contract/host/run.ts';
import { expectFreeSpace } from '#services/liveRuns/freeSpace.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { Machine } from '#services/ports/system.ts';
import { createDiskGuard, reserveBytes } from '#services/runProcess/diskGuard.ts';

const compiled = {
  scenario: {
    mission: { startM: [0, 0], goalM: [10, 0], timeoutS: 60 },
    vehicle: { maxSpeedMPerS: 2 },
  },
  sensors: [],
} as unknown as CompiledScenario;

const startsWith = (freeBytes: number) => (): void => {
  const machine = { freeDiskBytes: () => freeBytes } as unknown as Machine;
  expectFreeSpace({ folders: { dataFolder: '/data' } as RunFolders, machine }, compiled, 0.5);
};
const runsWith = (freeBytes: number) => (): void =>
  createDiskGuard('/data/run.mcap', () => freeBytes, 0.5).check(0, 0);

it('needs the reserve of the guard, before the start as in the run', () => {
  for (const fits of [startsWith, runsWith]) {
    expect(fits(reserveBytes)).not.toThrow();
    for (const freeBytes of [12e6, reserveBytes - 1]) {
      expect(fits(freeBytes)).toThrow(expect.objectContaining({ code: 'disk-full' }));
    }
  }
  expect(startsWith(12e6)).toThrow(
    'the recording of 0.5 s takes at least 0 B, and 33.6 MB must stay free, but /data has only 12.0 MB free',
  );
});
