// Levels of detail within a budget, over a courtyard of the real one's numbers: ground, 4 walls, 50 trees of
// 317,648 triangles, 19,900 patches of grass of 8,800.
import { Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  createLevelChooser,
  type LodChoice,
  type LodLimits,
  type LodModel,
  type LodView,
  standInLevel,
} from '#renderer/logic/scene/lodBudget.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import { tableOf, type TestInstance } from './sceneTables.ts';

const limits: LodLimits = { triangles: 5_000_000, calls: 300 };
const plain = { triangles: [12], isCover: false };
const tree = { triangles: [200_000, 40_000, 8_000, 1_500, 250, 50], isCover: false };
const grass = { triangles: [8_800, 8_000, 1_500, 250, 50], isCover: true };
const ground = { triangles: [2], isCover: false };
const courtyardModels: LodModel[] = [ground, plain, plain, plain, plain, tree, grass];

/** Places that look random and are the same each time. */
function places(count: number): [number, number][] {
  const golden = 0.618_033_988_75;
  return Array.from({ length: count }, (_, n) => [
    298 * ((n * golden) % 1) - 149,
    298 * ((n * golden * golden * 7.3) % 1) - 149,
  ]);
}

function courtyard(): InstanceTable {
  const wall = (model: number, x: number, y: number): TestInstance => ({
    model,
    positionM: [x, y, 5],
    halfM: [x === 0 ? 150 : 0.25, y === 0 ? 150 : 0.25, 5],
  });
  return tableOf([
    { model: 0, positionM: [0, 0, 0], halfM: [150, 150, 0] },
    ...[wall(1, 0, -150), wall(2, 0, 150), wall(3, -150, 0), wall(4, 150, 0)],
    ...places(50).map(([x, y]): TestInstance => {
      return { model: 5, positionM: [x, y, 4.4], halfM: [3.2, 3.2, 4.4] };
    }),
    ...places(19_900).map(([x, y]): TestInstance => {
      return { model: 6, positionM: [x, y, 0.4], halfM: [0.6, 0.6, 0.4] };
    }),
  ]);
}

function viewFrom(eye: [number, number, number], target: [number, number, number]): LodView {
  const camera = new PerspectiveCamera(50, 1440 / 860, 0.1, 3000);
  camera.up.set(0, 0, 1);
  camera.position.set(...eye);
  camera.lookAt(new Vector3(...target));
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const planes = new Float32Array(24);
  for (const [k, plane] of new Frustum().setFromProjectionMatrix(matrix).planes.entries()) {
    planes.set([...plane.normal.toArray(), plane.constant], 4 * k);
  }
  return { eyeM: eye, planes, pixelsPerRad: 860 / (2 * Math.tan((25 * Math.PI) / 180)) };
}

function chooseAll(
  table: InstanceTable,
  view: LodView,
  models: readonly LodModel[],
  within: LodLimits,
): LodChoice {
  const steps = createLevelChooser(table).choose(view, models, within);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Cost of the levels, counted again. */
function costOf(
  table: InstanceTable,
  { levels }: LodChoice,
  models: readonly LodModel[],
): LodLimits {
  const pairs = new Set<string>();
  let triangles = 0;
  for (const [row, level] of levels.entries()) {
    if (level < 0) continue;
    const model = table.modelId[row] ?? 0;
    triangles += models[model]?.triangles[level] ?? 0;
    pairs.add(`${model}/${level}`);
  }
  return { triangles, calls: pairs.size };
}

const views = {
  'from above, all of it': viewFrom([0, -1, 330], [0, 0, 0]),
  'across the whole yard': viewFrom([-148, -148, 6], [140, 140, 0]),
  'in the middle, level': viewFrom([-60, -60, 1.7], [0, 0, 1.7]),
  'within a crown': viewFrom([-149 + 298 * 0.618, 0, 5], [100, 0, 0]),
  'close to the grass': viewFrom([10, 10, 0.6], [12, 12, 0.2]),
  'away from everything': viewFrom([0, 0, 50], [0, 0, 500]),
};

describe('stand-ins', () => {
  const near = tableOf([
    { model: 0, positionM: [0, 0, 4], halfM: [3, 3, 4] },
    { model: 0, positionM: [0, 600, 4], halfM: [3, 3, 4] },
  ]);
  const view = viewFrom([0, -15, 4], [0, 0, 4]);
  const come = (triangles: number[]): LodModel => ({
    triangles,
    isCover: false,
    standInTriangles: 400,
  });

  it('are drawn for what is too large on screen for the levels that have come', () => {
    const choice = chooseAll(near, view, [come([0, 0, 0, 0, 250, 50])], limits);
    expect([...choice.levels]).toEqual([standInLevel, 4]);
    expect(choice).toMatchObject({ standIns: 1, triangles: 650, calls: 2, drawn: 2 });
  });

  it('are not drawn once a level is fine enough, nor where no finer one will come', () => {
    const fine = chooseAll(near, view, [come([0, 40_000, 8_000, 1_500, 250, 50])], limits);
    expect(fine.standIns).toBe(0);
    const coarse: LodModel = { triangles: [250, 50], isCover: false };
    expect(chooseAll(near, view, [coarse], limits).standIns).toBe(0);
  });

  it('are not drawn for want of budget', () => {
    const within = { ...limits, triangles: 1_000 };
    const choice = chooseAll(near, view, [come([0, 40_000, 8_000, 1_500, 250, 50])], within);
    expect(choice.standIns).toBe(0);
  });

  it('leave the calls that there are to levels where models are many', () => {
    const choice = chooseAll(near, view, [come([0, 0, 0, 0, 250, 50])], { ...limits, calls: 1 });
    expect(choice).toMatchObject({ standIns: 0, calls: 1 });
  });
});

describe('levels of detail of the courtyard', () => {
  const table = courtyard();

  it.each(Object.entries(views))('keeps within the budget: %s', (_, view) => {
    for (const triangles of [5_000_000, 1_000_000, 150_000]) {
      const choice = chooseAll(table, view, courtyardModels, { ...limits, triangles });
      const cost = costOf(table, choice, courtyardModels);
      expect(choice.triangles).toBe(cost.triangles);
      expect(choice.calls).toBe(cost.calls);
      expect(cost.triangles).toBeLessThanOrEqual(triangles);
      expect(cost.calls).toBeLessThanOrEqual(limits.calls);
    }
  });

  it('uses most of the budget where there is enough to show', () => {
    const choice = chooseAll(table, views['across the whole yard'], courtyardModels, limits);
    expect(choice.triangles).toBeGreaterThan(0.6 * limits.triangles);
    expect(choice.drawn).toBeGreaterThan(0.5 * choice.inSight);
  });

  it('draws nothing that is out of sight, and everything else that is no ground cover', () => {
    const away = chooseAll(table, views['away from everything'], courtyardModels, limits);
    expect(away.drawn).toBe(0);
    const all = chooseAll(table, views['from above, all of it'], courtyardModels, limits);
    expect([...all.levels.subarray(0, 55)].every((level) => level >= 0)).toBe(true);
  });

  it('gives what is nearer a level at least as fine', () => {
    const view = views['in the middle, level'];
    const choice = chooseAll(table, view, courtyardModels, limits);
    const trees = [...choice.levels.subarray(5, 55).entries()]
      .filter(([, level]) => level >= 0)
      .map(([k, level]) => {
        const row = 5 + k;
        const away = Math.hypot(
          (table.spheresM[4 * row] ?? 0) - view.eyeM[0],
          (table.spheresM[4 * row + 1] ?? 0) - view.eyeM[1],
        );
        return { away, level };
      })
      .sort((a, b) => a.away - b.away);
    expect(trees.length).toBeGreaterThan(5);
    for (const [k, { level }] of trees.entries()) {
      expect(level).toBeGreaterThanOrEqual(trees[k - 1]?.level ?? 0);
    }
  });

  it('thins ground cover out with the distance, the same copies each time', () => {
    const tight = { triangles: 300_000, calls: 300 };
    const view = views['across the whole yard'];
    const first = chooseAll(table, view, courtyardModels, tight).levels.slice();
    expect(chooseAll(table, view, courtyardModels, tight).levels).toEqual(first);
    const share = (fromM: number, toM: number): number => {
      let shown = 0;
      let all = 0;
      for (let row = 55; row < table.count; row += 1) {
        const [x, y] = [table.spheresM[4 * row] ?? 0, table.spheresM[4 * row + 1] ?? 0];
        const away = Math.hypot(x + 148, y + 148);
        // Only what surely is in sight: along the diagonal.
        if (away < fromM || away > toM || Math.abs(x - y) > 0.3 * away) continue;
        all += 1;
        if ((first[row] ?? -1) >= 0) shown += 1;
      }
      return shown / all;
    };
    expect(share(10, 30)).toBeGreaterThan(2 * share(150, 250));
  });

  it('draws with what has come: no level yet, nothing drawn', () => {
    const none = courtyardModels.map((model) => ({
      ...model,
      triangles: model.triangles.map(() => 0),
    }));
    const view = views['in the middle, level'];
    expect(chooseAll(table, view, none, limits).drawn).toBe(0);
    const coarse = courtyardModels.map((model, index) =>
      index === 5 ? { ...model, triangles: [0, 0, 0, 1_500, 250, 50] } : model,
    );
    const choice = chooseAll(table, view, coarse, limits);
    expect([...choice.levels.subarray(5, 55)].every((level) => level < 0 || level >= 3)).toBe(true);
  });
});

describe('draw calls', () => {
  /** 400 models of five levels, six copies each, at all distances. */
  const models: LodModel[] = Array.from({ length: 400 }, () => ({
    triangles: [20_000, 4_000, 800, 200, 50],
    isCover: false,
  }));
  const table = tableOf(
    places(2_400).map(([x, y], n): TestInstance => {
      return { model: n % 400, positionM: [x, y, 1], halfM: [1, 1, 1] };
    }),
  );

  it.each([300, 500, 900])('of many models stay within %i', (calls) => {
    const view = views['from above, all of it'];
    const choice = chooseAll(table, view, models, { triangles: 5_000_000, calls });
    const cost = costOf(table, choice, models);
    expect(cost.calls).toBeLessThanOrEqual(calls);
    expect(choice.drawn).toBeGreaterThan(0.7 * Math.min(1, calls / 400) * table.count);
  });
});
