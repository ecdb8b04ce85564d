// Runs side by side: who waits for whom, in what documents differ, and by how much metrics differ.
import { describe, expect, it } from 'vitest';
import type { RunMetrics } from '#contract/host/run.ts';
import { comparedMetrics } from '#renderer/logic/compare/comparedMetrics.ts';
import { documentDifferences } from '#renderer/logic/compare/documentDifferences.ts';
import { createLockstep } from '#renderer/logic/compare/lockstep.ts';

describe('players in lockstep', () => {
  /** The instants shown so far, in turn. */
  function players(count: number) {
    const shown: string[] = [];
    const lockstep = createLockstep(count);
    const arrive = async (member: number, timeS: number): Promise<void> => {
      await lockstep.arrive(member, timeS);
      shown.push(`${member}@${timeS}`);
    };
    const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
    return { shown, lockstep, arrive, settle };
  }

  it('hold back who is ahead until the others have got as far', async () => {
    const { shown, arrive, settle } = players(3);
    void arrive(0, 5);
    void arrive(1, 4);
    await settle();
    expect(shown).toEqual([]);
    void arrive(2, 4.5);
    await settle();
    expect(shown).toEqual(['1@4']);
    void arrive(1, 6);
    await settle();
    expect(shown).toEqual(['1@4', '2@4.5']);
    void arrive(2, 7);
    await settle();
    expect(shown).toEqual(['1@4', '2@4.5', '0@5']);
  });

  it('wait for no member that has left, and continue after a restart', async () => {
    const { shown, lockstep, arrive, settle } = players(2);
    void arrive(0, 5);
    lockstep.leave(1);
    await settle();
    expect(shown).toEqual(['0@5']);
    void arrive(0, 9);
    await settle();
    expect(shown).toEqual(['0@5', '0@9']);
    lockstep.restart();
    void arrive(0, 1);
    await settle();
    expect(shown).toHaveLength(2);
    lockstep.restart();
    await settle();
    expect(shown).toEqual(['0@5', '0@9', '0@1']);
  });
});

describe('documents', () => {
  it('differ at the paths that say something else, entries found by their names', () => {
    const one = {
      seed: 1,
      mission: { startM: [0, 0], goalM: [9, 9] },
      sensors: [
        { name: 'front', sensor: 'vlp-16' },
        { name: 'rear', sensor: 'lms-291' },
      ],
    };
    const other = {
      seed: 2,
      mission: { startM: [0, 0], goalM: [9, 8], timeoutS: 60 },
      sensors: [
        { name: 'rear', sensor: 'lms-291' },
        { name: 'front', sensor: 'hdl-64e' },
      ],
    };
    expect(documentDifferences([one, other])).toEqual([
      { path: 'seed', values: ['1', '2'] },
      { path: 'mission.goalM', values: ['9, 9', '9, 8'] },
      { path: 'sensors[front].sensor', values: ['vlp-16', 'hdl-64e'] },
      { path: 'mission.timeoutS', values: [null, '60'] },
    ]);
    expect(documentDifferences([one, structuredClone(one), one])).toEqual([]);
  });
});

describe('metrics', () => {
  it('say by how much they differ from the first, and whether that is better', () => {
    const metrics: RunMetrics = {
      simSeconds: 10,
      wallSeconds: 9,
      realTimeFactor: 1.1,
      buildSeconds: 1,
      ticks: 100,
      pulses: 1,
      points: 1,
      goalReached: false,
      distanceToGoalM: 8,
      collisions: 0,
      collidedWith: [],
      pathLengthM: 20,
      shortestLengthM: 18,
      energyJ: 2e4,
      groundCoverLengthM: 0,
      meanPositionErrorM: 0.05,
      peakRssMB: 100,
      coreSeconds: null,
      plans: 10,
      planMedianMs: 1,
      planP95Ms: 2,
      planMostMs: 3,
    };
    const rows = comparedMetrics([
      metrics,
      { ...metrics, simSeconds: 12.5, collisions: 2, distanceToGoalM: 6 },
      null,
    ]);
    const row = (name: string) => rows.find((one) => one.name === name)?.cells;
    expect(row('Simulated time')).toEqual([
      { text: '10.0', difference: '', isBetter: null },
      { text: '12.5', difference: '+2.5 (+25\u00a0%)', isBetter: null },
      { text: '–', difference: '', isBetter: null },
    ]);
    expect(row('Collisions')?.[1]).toEqual({ text: '2', difference: '+2', isBetter: false });
    expect(row('Distance to goal')?.[1]).toEqual({
      text: '6.0',
      difference: '−2.0 (−25\u00a0%)',
      isBetter: true,
    });
    expect(row('Energy')?.[1]).toEqual({ text: '20.0', difference: '=', isBetter: null });
  });
});
