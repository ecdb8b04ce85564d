// Whole drives through the clearing, in a run process with the real worker and a real recording.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunLocks } from '#catalogue/runLocks.ts';
import type { RunOrder } from '#contract/host/run.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { compileClearing, digestOf, execute, orderFor, readRecording } from './realRun.ts';

// Whole drives, in real time at best.
vi.setConfig({ testTimeout: 900_000 });

let clearing: LoadedScenario;
beforeAll(async () => {
  clearing = await compileClearing();
});

describe('a drive', () => {
  it('reaches the goal without a collision, and everything is recorded', async () => {
    const order = orderFor(clearing, temporaryFolder(), { viewPoints: 1000 });
    const { outcome, seen } = await execute(order, clearing.heights);
    expect(outcome.end).toBe('goal');
    const { metrics } = outcome;
    expect(metrics).toMatchObject({ goalReached: true, collisions: 0, collidedWith: [] });
    expect(metrics.pathLengthM).toBeGreaterThan(metrics.shortestLengthM - 1);
    expect(metrics.pathLengthM).toBeLessThan(2 * metrics.shortestLengthM);
    // Two orders of magnitude below the tree trunks that it must not meet.
    expect(metrics.meanPositionErrorM).toBeLessThan(0.1);
    expect(metrics.ticks).toBe(seen.ticks.length);
    expect(seen.scans.reduce((sum, { returns }) => sum + returns, 0)).toBe(metrics.points);

    const { isComplete, scans, ticks, maps } = await readRecording(order.recordingFile as string);
    expect(isComplete).toBe(true);
    expect(scans).toEqual(seen.scans);
    expect(ticks).toEqual(seen.ticks.map(({ tick }) => tick));
    expect(maps).toBeGreaterThanOrEqual(Math.floor(metrics.simSeconds));

    expect(seen.views.length).toBeGreaterThan(1);
    for (const { columns } of seen.views) expect(columns.x_m?.length).toBeLessThanOrEqual(1000);
    expect(seen.views.at(-1)?.view.tick).toEqual(seen.ticks.at(-1));
  });

  it('is the same, byte for byte, with and without the pipeline, with one thread and two', async () => {
    const variants: Partial<RunOrder>[] = [
      { isPipelined: true },
      { isPipelined: false },
      { threads: 1 },
    ];
    const runs = [];
    for (const change of variants) {
      const order = orderFor(clearing, temporaryFolder(), { seconds: 2.5, ...change });
      const { outcome, seen } = await execute(order, clearing.heights);
      expect(outcome).toMatchObject({ end: 'seconds', metrics: { simSeconds: 2.5 } });
      runs.push({ seen, digest: await digestOf(order.recordingFile as string) });
    }
    const [first, ...others] = runs;
    expect(first?.seen.ticks).toHaveLength(25);
    for (const other of others) expect(other).toEqual(first);
  });

  it('gives the same scans when nothing is recorded', async () => {
    const seconds = 1.5;
    const recorded = await execute(
      orderFor(clearing, temporaryFolder(), { seconds }),
      clearing.heights,
    );
    const bare = await execute(
      orderFor(clearing, temporaryFolder(), { seconds, recordingFile: null, lockFile: null }),
      clearing.heights,
    );
    expect(bare.seen.scans).toEqual(recorded.seen.scans);
  });

  it('does not arrive without a collision when its sensor reaches nothing', async () => {
    // With the whole range it takes 15 s.
    const compiled = {
      ...clearing.compiled,
      sensors: clearing.compiled.sensors.map((sensor) => ({
        ...sensor,
        recipe: { ...sensor.recipe, minRangeM: 0, maxRangeM: 0.01 },
      })),
    };
    const order = orderFor(clearing, temporaryFolder(), { compiled, seconds: 40 });
    const { outcome } = await execute(order, clearing.heights);
    const { goalReached, collisions } = outcome.metrics;
    expect(goalReached && collisions === 0).toBe(false);
  });

  it('ends cleanly when it is cancelled, with metrics and a whole recording', async () => {
    const order = orderFor(clearing, temporaryFolder());
    const controller = new AbortController();
    const { outcome, seen } = await execute(order, clearing.heights, {
      signal: controller.signal,
      onRunEvent: (event) => {
        if (event.kind === 'tick' && event.tick.tick === 12) controller.abort();
      },
    });
    expect(outcome.end).toBe('cancelled');
    expect(outcome.metrics.ticks).toBe(seen.ticks.length);
    const { isComplete, scans } = await readRecording(order.recordingFile as string);
    expect(isComplete).toBe(true);
    expect(scans).toEqual(seen.scans);
  });

  it('is not begun while another process holds its lock', async () => {
    const order = orderFor(clearing, temporaryFolder(), { seconds: 1 });
    const locks = createRunLocks();
    const lock = locks.acquire(order.lockFile as string);
    await expect(execute(order, clearing.heights)).rejects.toMatchObject({ code: 'locked' });
    lock.release();
    // Why not all facts: the last ones may be read when the run has ended already.
    const held: boolean[] = [];
    await execute(order, clearing.heights, {
      onRunEvent: () => void held.push(locks.isHeld(order.lockFile as string)),
    });
    expect(held[0]).toBe(true);
    expect(locks.isHeld(order.lockFile as string)).toBe(false);
  });
});
