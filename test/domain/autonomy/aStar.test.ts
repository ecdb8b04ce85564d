// A* against Dijkstra on random maps, and its answers where no path leads to the goal.
import { describe, expect, it } from 'vitest';
import { createPlanner, type CostGrid } from '#domain/autonomy/aStar.ts';
import { lineCost, shortcut } from '#domain/autonomy/route.ts';
import { uniforms } from '#domain/random/philox.ts';

const cells = 30;
const planner = createPlanner(cells);

/** A share of blocked cells, the others at 1 to 5 a metre. */
function randomGrid(seed: number, blockedShare: number): CostGrid {
  const perMetre = Float32Array.from({ length: cells * cells }, (_, n) => {
    const [isBlocked, cost] = uniforms(seed, 100, 0, n);
    return isBlocked < blockedShare ? Infinity : 1 + 4 * cost;
  });
  perMetre[0] = 1;
  perMetre[cells * cells - 1] = 1;
  return { cells, cellM: 0.5, perMetre };
}

/** Costs from cell 0 by relaxing all edges until nothing changes (Bellman and Ford): slow and plain. */
function costsFromCorner({ cellM, perMetre }: CostGrid): Float64Array {
  const costs = new Float64Array(cells * cells).fill(Infinity);
  costs[0] = 0;
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= cells || y >= cells ? Infinity : (perMetre[y * cells + x] as number);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (let y = 0; y < cells; y += 1) {
      for (let x = 0; x < cells; x += 1) {
        const here = y * cells + x;
        for (const [dx, dy] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
          [1, 1],
          [1, -1],
          [-1, 1],
          [-1, -1],
        ] as const) {
          if (at(x, y) === Infinity || at(x + dx, y + dy) === Infinity) continue;
          if (dx !== 0 && dy !== 0 && (at(x + dx, y) === Infinity || at(x, y + dy) === Infinity)) {
            continue;
          }
          const length = Math.hypot(dx, dy) * cellM;
          const cost = (costs[here] as number) + (length * (at(x, y) + at(x + dx, y + dy))) / 2;
          const there = here + dy * cells + dx;
          if (cost < (costs[there] as number) - 1e-12) {
            costs[there] = cost;
            isChanged = true;
          }
        }
      }
    }
  }
  return costs;
}

describe('A*', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('is optimal on random map %i', (seed) => {
    const grid = randomGrid(seed, 0.1 + 0.3 * ((seed % 10) / 10));
    const goal = cells * cells - 1;
    const expected = costsFromCorner(grid);
    const path = planner.plan(grid, 0, goal);
    expect(path.isGoalReached).toBe(expected[goal] !== Infinity);
    const end = path.cells.at(-1) as number;
    expect(path.costs.at(-1)).toBeCloseTo(expected[end] as number, 9);
    if (path.isGoalReached) return;
    // The reachable cell nearest to the goal.
    const distance = (cell: number): number =>
      Math.hypot((cell % cells) - (cells - 1), Math.floor(cell / cells) - (cells - 1));
    const nearest = Math.min(
      ...Array.from(expected, (cost, cell) => (cost === Infinity ? Infinity : distance(cell))),
    );
    expect(distance(end)).toBeCloseTo(nearest, 9);
  });

  it('goes straight over an empty map', () => {
    const grid = { cells, cellM: 0.5, perMetre: new Float32Array(cells * cells).fill(1) };
    const path = planner.plan(grid, 0, cells * cells - 1);
    expect(path.cells).toHaveLength(cells);
    expect(path.costs.at(-1)).toBeCloseTo((cells - 1) * 0.5 * Math.SQRT2, 9);
    expect(shortcut(grid, path)).toEqual([0, cells * cells - 1]);
  });

  it('ends before a goal that is walled in, and starts from a blocked cell', () => {
    const perMetre = new Float32Array(cells * cells).fill(1);
    for (let y = 0; y < cells; y += 1) perMetre[y * cells + 20] = Infinity;
    perMetre[0] = Infinity;
    const path = planner.plan({ cells, cellM: 0.5, perMetre }, 0, 5 * cells + 25);
    expect(path.isGoalReached).toBe(false);
    expect(path.cells.at(-1)).toBe(5 * cells + 19);
  });
});

describe('shortcuts', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'never touch a blocked cell and cost little more (map %i)',
    (seed) => {
      const grid = randomGrid(seed, 0.15);
      const path = planner.plan(grid, 0, cells * cells - 1);
      const kept = shortcut(grid, path);
      expect(kept[0]).toBe(0);
      expect(kept.at(-1)).toBe(path.cells.at(-1));
      for (let n = 1; n < kept.length; n += 1) {
        const [from, to] = [kept[n - 1] as number, kept[n] as number];
        expect(lineCost(grid, from, to)).toBeLessThan(Infinity);
        // Sampled independently of the cell walk.
        for (let share = 0; share <= 1; share += 1 / 512) {
          const x = (from % cells) + share * ((to % cells) - (from % cells));
          const fromY = Math.floor(from / cells);
          const y = fromY + share * (Math.floor(to / cells) - fromY);
          expect(grid.perMetre[Math.round(y) * cells + Math.round(x)]).not.toBe(Infinity);
        }
      }
    },
  );

  it('a line costs its length in each cell', () => {
    const perMetre = new Float32Array(cells * cells).fill(1);
    perMetre[2] = 3;
    const grid = { cells, cellM: 0.5, perMetre };
    // From the centre of cell 0 to that of cell 4: 2 m, of which half a metre at three times the price.
    expect(lineCost(grid, 0, 4)).toBeCloseTo(1.5 + 1.5, 9);
    // Along a diagonal, past blocked corners.
    perMetre[cells + 2] = Infinity;
    expect(lineCost(grid, 0, 3 * cells + 3)).toBe(Infinity);
  });
});
