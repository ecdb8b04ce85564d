// A* (Hart, Nilsson, Raphael 1968) on a square grid with 8 neighbours. Optimal: the octile distance never
// overestimates, since a step costs at least its length. Buffers are allocated once and used again.
import { createCellHeap, settled } from './cellHeap.ts';

/** A square grid: what one metre costs in each cell, at least 1; Infinity where nothing may pass. */
export interface CostGrid {
  cells: number;
  cellM: number;
  perMetre: Float32Array;
}

export interface GridPath {
  /** Cells from the start to the end, both included. */
  cells: Int32Array;
  /** Cost from the start to each cell of the path: length times the mean of both cells' cost. */
  costs: Float64Array;
  /** False: the goal cannot be reached, and the path ends at the reachable cell nearest to it. */
  isGoalReached: boolean;
}

export interface Planner {
  /** The cheapest path. The start is taken as passable; diagonal steps cut no blocked corner. */
  plan(grid: CostGrid, start: number, goal: number): GridPath;
}

/** A planner for grids of up to `cells` × `cells`. */
export function createPlanner(cells: number): Planner {
  const total = cells * cells;
  const costTo = new Float64Array(total);
  const parent = new Int32Array(total);
  const open = createCellHeap(total);
  const nearestSquareTo = createReachability(total);

  return {
    plan({ cells: width, cellM, perMetre }, start, goal) {
      if (width > cells) throw new RangeError(`the planner was made for ${cells} cells a side`);
      const goalX = goal % width;
      const goalY = Math.floor(goal / width);
      const endSquare = nearestSquareTo(perMetre, width, start, goal);
      const diagonalM = Math.SQRT2 * cellM;
      const extraM = diagonalM - cellM;
      open.clear(width * width);
      costTo[start] = 0;
      parent[start] = -1;
      open.add(start, 0, 0);
      let end = start;
      while (!open.isEmpty()) {
        const cell = open.removeFirst();
        const x = cell % width;
        const y = (cell - x) / width;
        if ((x - goalX) * (x - goalX) + (y - goalY) * (y - goalY) === endSquare) {
          end = cell;
          break;
        }
        const own = perMetre[cell] as number;
        const here = cell === start && own === Infinity ? 1 : own;
        const soFar = costTo[cell] as number;
        for (let dy = -1; dy <= 1; dy += 1) {
          const nextY = y + dy;
          if (nextY < 0 || nextY >= width) continue;
          const distanceY = Math.abs(nextY - goalY);
          for (let dx = -1; dx <= 1; dx += 1) {
            const nextX = x + dx;
            if (nextX < 0 || nextX >= width) continue;
            const next = nextY * width + nextX;
            const index = open.indices[next] as number;
            if (index === settled) continue;
            const there = perMetre[next] as number;
            if (there === Infinity) continue;
            let lengthM = cellM;
            if (dx !== 0 && dy !== 0) {
              if (perMetre[cell + dx] === Infinity || perMetre[next - dx] === Infinity) continue;
              lengthM = diagonalM;
            }
            const cost = soFar + (lengthM * (here + there)) / 2;
            if (index !== 0 && cost >= (costTo[next] as number)) continue;
            costTo[next] = cost;
            parent[next] = cell;
            const distanceX = Math.abs(nextX - goalX);
            const leftM =
              distanceX > distanceY
                ? distanceX * cellM + distanceY * extraM
                : distanceY * cellM + distanceX * extraM;
            open.add(next, cost + leftM, cost);
          }
        }
      }
      return trace(end, end === goal);
    },
  };

  function trace(end: number, isGoalReached: boolean): GridPath {
    let length = 0;
    for (let cell = end; cell >= 0; cell = parent[cell] as number) length += 1;
    const path = new Int32Array(length);
    const costs = new Float64Array(length);
    for (let cell = end, at = length - 1; cell >= 0; cell = parent[cell] as number, at -= 1) {
      path[at] = cell;
      costs[at] = costTo[cell] as number;
    }
    return { cells: path, costs, isGoalReached };
  }
}

/**
 * The least square distance to the goal, in cells, of what can be reached from the start; 0: the goal
 * itself. The search ends at the first cell at that distance, so that a goal that is walled in does not
 * cost a search of all the rest. Four neighbours suffice: a diagonal step has both of them free. Depth
 * first and towards the goal: without obstacles it is reached at once.
 */
function createReachability(
  total: number,
): (perMetre: Float32Array, width: number, start: number, goal: number) => number {
  const isVisited = new Uint8Array(total);
  const stack = new Int32Array(total);
  return (perMetre, width, start, goal) => {
    const goalX = goal % width;
    const goalY = Math.floor(goal / width);
    isVisited.fill(0, 0, width * width);
    let nearest = Infinity;
    let left = 0;
    const visit = (cell: number): void => {
      if (isVisited[cell] === 1 || (perMetre[cell] === Infinity && cell !== start)) return;
      isVisited[cell] = 1;
      stack[left] = cell;
      left += 1;
    };
    visit(start);
    while (left > 0) {
      left -= 1;
      const cell = stack[left] as number;
      const x = cell % width;
      const y = (cell - x) / width;
      const square = (x - goalX) * (x - goalX) + (y - goalY) * (y - goalY);
      if (square < nearest) nearest = square;
      if (square === 0) break;
      const isWestFirst = x < goalX;
      const isSouthFirst = y < goalY;
      // The cell that is pushed last is popped first.
      if (x > 0 && isWestFirst) visit(cell - 1);
      if (x < width - 1 && !isWestFirst) visit(cell + 1);
      if (y > 0 && isSouthFirst) visit(cell - width);
      if (y < width - 1 && !isSouthFirst) visit(cell + width);
      if (x < width - 1 && isWestFirst) visit(cell + 1);
      if (x > 0 && !isWestFirst) visit(cell - 1);
      if (y < width - 1 && isSouthFirst) visit(cell + width);
      if (y > 0 && !isSouthFirst) visit(cell - width);
    }
    return nearest;
  };
}
