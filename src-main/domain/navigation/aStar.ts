// A* (Hart, Nilsson, Raphael 1968) on a square grid with 8 neighbours. Optimal: the octile distance never
// overestimates, since a step costs at least its length. Buffers are allocated once and used again.

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
  const estimate = new Float64Array(total);
  const parent = new Int32Array(total);
  /** Place in the heap plus one; 0: not seen, -1: settled. */
  const place = new Int32Array(total);
  const heap = new Int32Array(total + 1);
  let heapSize = 0;

  const isBefore = (a: number, b: number): boolean => {
    const difference = (estimate[a] as number) - (estimate[b] as number);
    // Of equal estimates the one farther on: it is nearer to the goal.
    return difference < 0 || (difference === 0 && (costTo[a] as number) > (costTo[b] as number));
  };
  const siftUp = (cell: number, from: number): void => {
    let at = from;
    while (at > 1) {
      const above = heap[at >> 1] as number;
      if (!isBefore(cell, above)) break;
      heap[at] = above;
      place[above] = at;
      at >>= 1;
    }
    heap[at] = cell;
    place[cell] = at;
  };
  const takeFirst = (): number => {
    const first = heap[1] as number;
    place[first] = -1;
    const cell = heap[heapSize] as number;
    heapSize -= 1;
    if (heapSize === 0) return first;
    let at = 1;
    for (let child = 2; child <= heapSize; child = 2 * at) {
      if (child < heapSize && isBefore(heap[child + 1] as number, heap[child] as number))
        child += 1;
      const below = heap[child] as number;
      if (!isBefore(below, cell)) break;
      heap[at] = below;
      place[below] = at;
      at = child;
    }
    heap[at] = cell;
    place[cell] = at;
    return first;
  };

  return {
    plan({ cells: width, cellM, perMetre }, start, goal) {
      if (width > cells) throw new RangeError(`the planner was made for ${cells} cells a side`);
      place.fill(0, 0, width * width);
      heapSize = 0;
      const goalX = goal % width;
      const goalY = Math.floor(goal / width);
      const diagonalM = Math.SQRT2 * cellM;
      const octileM = (cell: number): number => {
        const dx = Math.abs((cell % width) - goalX);
        const dy = Math.abs(Math.floor(cell / width) - goalY);
        return dx > dy
          ? dx * cellM + dy * (diagonalM - cellM)
          : dy * cellM + dx * (diagonalM - cellM);
      };
      const perMetreAt = (cell: number): number => {
        const value = perMetre[cell] as number;
        return cell === start && value === Infinity ? 1 : value;
      };
      const open = (cell: number, from: number, cost: number): void => {
        if (place[cell] === 0) heapSize += 1;
        else if (cost >= (costTo[cell] as number)) return;
        costTo[cell] = cost;
        estimate[cell] = cost + octileM(cell);
        parent[cell] = from;
        siftUp(cell, place[cell] === 0 ? heapSize : (place[cell] as number));
      };
      let nearest = start;
      let nearestSquare = Infinity;
      open(start, -1, 0);
      while (heapSize > 0) {
        const cell = takeFirst();
        const x = cell % width;
        const y = Math.floor(cell / width);
        const square = (x - goalX) ** 2 + (y - goalY) ** 2;
        if (square < nearestSquare) {
          nearest = cell;
          nearestSquare = square;
        }
        if (cell === goal) break;
        const here = perMetreAt(cell);
        for (let dy = -1; dy <= 1; dy += 1) {
          if (y + dy < 0 || y + dy >= width) continue;
          for (let dx = -1; dx <= 1; dx += 1) {
            if (x + dx < 0 || x + dx >= width) continue;
            const next = cell + dy * width + dx;
            if (place[next] === -1) continue;
            const there = perMetreAt(next);
            if (there === Infinity) continue;
            const isDiagonal = dx !== 0 && dy !== 0;
            if (
              isDiagonal &&
              (perMetre[cell + dx] === Infinity || perMetre[cell + dy * width] === Infinity)
            ) {
              continue;
            }
            const lengthM = isDiagonal ? diagonalM : cellM;
            open(next, cell, (costTo[cell] as number) + (lengthM * (here + there)) / 2);
          }
        }
      }
      return trace(nearest, nearest === goal);
    },
  };

  function trace(end: number, isGoalReached: boolean): GridPath {
    const backwards: number[] = [];
    for (let cell = end; cell >= 0; cell = parent[cell] as number) backwards.push(cell);
    const path = Int32Array.from(backwards.reverse());
    return {
      cells: path,
      costs: Float64Array.from(path, (cell) => costTo[cell] as number),
      isGoalReached,
    };
  }
}
