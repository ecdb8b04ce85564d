// The planner's worst case: a goal that is walled in, so that every cell that can be reached is searched.
import { createPlanner, type CostGrid } from '#domain/autonomy/aStar.ts';
import type { Clock } from '#services/ports/system.ts';

/** Plans once on each call, with the same planner and grid; the returned function gives milliseconds. */
export function planEnclosedGoal(clock: Clock, cells: number, cellM: number): () => number {
  const grid = enclosedGrid(cells, cellM);
  const planner = createPlanner(cells);
  const margin = Math.floor(cells / 8);
  const start = margin * cells + margin;
  const goal = (cells - 1 - margin) * cells + (cells - 1 - margin);
  return () => {
    const fromS = clock.seconds();
    const { isGoalReached } = planner.plan(grid, start, goal);
    const seconds = clock.seconds() - fromS;
    if (isGoalReached) throw new Error('the goal was to be out of reach');
    return 1000 * seconds;
  };
}

/** Costs as uneven as a meadow's, and a closed ring of obstacles about the goal. */
function enclosedGrid(cells: number, cellM: number): CostGrid {
  const perMetre = new Float32Array(cells * cells);
  let state = 1;
  for (let cell = 0; cell < perMetre.length; cell += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0; // Knuth's generator, as in Numerical Recipes
    perMetre[cell] = 1 + (0.5 * state) / 2 ** 32;
  }
  const at = cells - 1 - Math.floor(cells / 8);
  const reach = Math.max(1, Math.floor(cells / 40));
  for (let offset = -reach; offset <= reach; offset += 1) {
    for (const side of [-reach, reach]) {
      perMetre[(at + side) * cells + at + offset] = Infinity;
      perMetre[(at + offset) * cells + at + side] = Infinity;
    }
  }
  return { cells, cellM, perMetre };
}
