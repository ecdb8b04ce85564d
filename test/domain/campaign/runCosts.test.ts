// Predicted costs of runs, and how long processes take that share out runs by scene, against worked examples.
import { describe, expect, it } from 'vitest';
import {
  costModel,
  executionS,
  isCovered,
  type CostPoint,
  type CostTerms,
} from '#domain/campaign/runCosts.ts';
import { nextOfScenes, sceneTextOf } from '#domain/campaign/sceneAffinity.ts';

const run = (density: number, more: Partial<CostTerms> = {}): CostTerms => ({
  scenario: 'clearing',
  sensor: 'near',
  seed: 1,
  settings: [`scene.grass=${density}`],
  ...more,
});
const point = (of: CostTerms, runS: number, buildS: number | null = null): CostPoint => {
  return { run: of, runS, buildS, bytes: 100 * runS };
};

describe('costModel', () => {
  it('takes the mean of runs with the same settings, and of near ones elsewhere', () => {
    const points = [point(run(0), 1), point(run(0), 3), point(run(10), 12, 5)];
    const costOf = costModel(points, [run(0), run(5)]);
    expect(costOf(run(0))).toEqual({ runS: 2, buildS: 5, bytes: 200 });
    // Halfway: each of the three has the same weight.
    expect(costOf(run(5)).runS).toBeCloseTo((1 + 3 + 12) / 3, 12);
    // At 8 of 10: the distances 0.8, 0.8 and 0.2 give weights 1.25, 1.25 and 5.
    const expected = (1.25 * 1 + 1.25 * 3 + 5 * 12) / 7.5;
    expect(costModel(points, [])(run(8)).runS).toBeCloseTo(expected, 12);
  });

  it('knows runs of another sensor by their own kind, and falls back to any', () => {
    const far = { sensor: 'far' };
    const points = [point(run(0), 1), point(run(10, far), 50)];
    const costOf = costModel(points, []);
    expect(costOf(run(9)).runS).toBe(1);
    expect(costOf(run(0, far)).runS).toBe(50);
    expect(costOf(run(0, { sensor: 'new' })).runS).toBeGreaterThan(0);
    expect(costModel([], [])(run(0))).toEqual({ runS: 0, buildS: 0, bytes: 0 });
  });
});

describe('isCovered', () => {
  it('is no for a new kind, and for settings beyond those that were measured', () => {
    const points = [point(run(0), 1), point(run(10), 1)];
    expect(isCovered(points, [run(4), run(10)])).toBe(true);
    expect(isCovered(points, [run(11)])).toBe(false);
    expect(isCovered(points, [run(4, { sensor: 'far' })])).toBe(false);
    const fog = run(4, { settings: ['scene.grass=4', 'scene.fog="light"'] });
    expect(isCovered(points, [fog])).toBe(false);
    expect(isCovered([], [run(4)])).toBe(false);
  });
});

describe('executionS', () => {
  const cost = { runS: 1, buildS: 10, bytes: 0 };

  it('builds a scene once where processes stay with theirs', () => {
    // Two scenes in turns: each process has one, builds it once and executes four runs.
    const runs = Array.from({ length: 8 }, (_, index) => run(index % 2));
    expect(executionS(runs, () => cost, 2)).toBe(10 + 4);
    // One process builds each once, since it has all of a scene before it takes the other.
    expect(executionS(runs, () => cost, 1)).toBe(2 * 10 + 8);
    // Runs that differ in the sensor alone share a scene: both build it.
    const sensors = Array.from({ length: 8 }, (_, index) => run(1, { sensor: String(index) }));
    expect(executionS(sensors, () => cost, 2)).toBe(10 + 4);
    expect(executionS([], () => cost, 2)).toBe(0);
  });
});

describe('nextOfScenes', () => {
  it('stays, else takes a scene that no other has, else the first', () => {
    expect(nextOfScenes(['a', 'b', 'c'], 'b', new Set(['a']))).toBe(1);
    expect(nextOfScenes(['a', 'b', 'c'], null, new Set(['a']))).toBe(1);
    expect(nextOfScenes(['a', 'a'], 'b', new Set(['a']))).toBe(0);
    expect(nextOfScenes([], 'b', new Set())).toBe(-1);
  });

  it('sees scenes in the settings of a plan', () => {
    const text = (...settings: string[]): string =>
      sceneTextOf({ scenario: 'clearing', seed: 1, settings });
    expect(text('sensors[0].mount.pitchDeg=3', 'scene.grass=1')).toBe(text('scene.grass=1'));
    expect(text('mission.timeoutS=3', 'sensor.noise.rangeSigmaM=1')).toBe(text());
    expect(text('scene.grass=2')).not.toBe(text('scene.grass=1'));
  });
});
