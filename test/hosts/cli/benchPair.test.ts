// `understory bench pair` with the real worker against itself. How fast it is depends on the machine: only what does
// not is asserted.
import { describe, expect, it, vi } from 'vitest';
import type { PairBench } from '#services/bench/pairBench.ts';
import { workerBinary } from '#hosts/packageFolders.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { runHere } from '#test/support/commandLine.ts';

vi.setConfig({ testTimeout: 180_000 });

const clearing = ['--scene', 'clearing', '--sensor', 'vlp-16', '--seconds', '0.1'];

describe('bench pair', () => {
  it('alternates a worker with itself, whose rows are the same, and accepts a wide limit', async () => {
    const { exitCode, stdout } = await runHere(
      temporaryFolder(),
      ...['bench', 'pair', workerBinary, workerBinary, ...clearing],
      ...['--repeats', '3', '--max-slowdown', '1000', '--json'],
    );
    const bench = JSON.parse(stdout) as PairBench & { maxSlowdown: number };
    expect(bench).toMatchObject({ repeats: 3, isSame: true, maxSlowdown: 1000, simSeconds: 0.1 });
    expect(bench.ratios).toHaveLength(3);
    const [, middle] = [...bench.ratios].sort((a, b) => a - b);
    expect(bench.slowdown).toBeCloseTo((middle ?? Number.NaN) - 1, 12);
    expect(exitCode).toBe(0);
  });

  it('exits 1 above the limit', async () => {
    const { exitCode, stdout } = await runHere(
      temporaryFolder(),
      ...['bench', 'pair', workerBinary, workerBinary, ...clearing],
      ...['--repeats', '1', '--max-slowdown', '-1'],
    );
    expect(stdout).toContain('allowed -100.0 %');
    expect(exitCode).toBe(1);
  });

  it('refuses a worker that does not exist', async () => {
    const args = ['bench', 'pair', workerBinary, 'no/such/worker', ...clearing];
    const { exitCode, stderr } = await runHere(temporaryFolder(), ...args);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('no/such/worker');
  });
});
