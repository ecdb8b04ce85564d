// The open cells of a search, as a binary heap. It holds the keys itself, so that sifting reads no other memory;
// buffers are allocated once and used again.

export interface CellHeap {
  /** By cell: its index in the heap, from 1; 0: it has not been in it, `settled`: it was removed. */
  readonly indices: Int32Array;
  /** Why a method: as a getter it makes a plan a third slower (V8 of Node 24). */
  isEmpty(): boolean;
  /** Empties it for a grid of `cells` cells. */
  clear(cells: number): void;
  /** Adds a cell, or moves one that is in the heap, whose keys must not have grown. */
  add(cell: number, estimate: number, cost: number): void;
  /** Removes the cell of the smallest estimate, of equal ones that of the largest cost. Not for an empty heap. */
  removeFirst(): number;
}

/** In `indices`: removed from the heap. */
export const settled = -1;

/** For cells 0 … maxCells - 1. */
export function createCellHeap(maxCells: number): CellHeap {
  const indices = new Int32Array(maxCells);
  const cells = new Int32Array(maxCells + 1);
  /** Estimated cost of the whole path through cells[n], and its cost so far. */
  const estimates = new Float64Array(maxCells + 1);
  const costs = new Float64Array(maxCells + 1);
  let size = 0;

  const set = (index: number, cell: number, estimate: number, cost: number): void => {
    cells[index] = cell;
    estimates[index] = estimate;
    costs[index] = cost;
    indices[cell] = index;
  };

  return {
    indices,
    isEmpty() {
      return size === 0;
    },
    clear(cellCount) {
      indices.fill(0, 0, cellCount);
      size = 0;
    },
    add(cell, estimate, cost) {
      let index = indices[cell] as number;
      if (index === 0) {
        size += 1;
        index = size;
      }
      while (index > 1) {
        const above = index >> 1;
        const aboveEstimate = estimates[above] as number;
        const aboveCost = costs[above] as number;
        if (!comesFirst(estimate, cost, aboveEstimate, aboveCost)) break;
        set(index, cells[above] as number, aboveEstimate, aboveCost);
        index = above;
      }
      set(index, cell, estimate, cost);
    },
    removeFirst() {
      const first = cells[1] as number;
      indices[first] = settled;
      const cell = cells[size] as number;
      const estimate = estimates[size] as number;
      const cost = costs[size] as number;
      size -= 1;
      if (size === 0) return first;
      let index = 1;
      for (let child = 2; child <= size; child = 2 * index) {
        let childEstimate = estimates[child] as number;
        let childCost = costs[child] as number;
        if (child < size) {
          const otherEstimate = estimates[child + 1] as number;
          const otherCost = costs[child + 1] as number;
          if (comesFirst(otherEstimate, otherCost, childEstimate, childCost)) {
            child += 1;
            childEstimate = otherEstimate;
            childCost = otherCost;
          }
        }
        if (!comesFirst(childEstimate, childCost, estimate, cost)) break;
        set(index, cells[child] as number, childEstimate, childCost);
        index = child;
      }
      set(index, cell, estimate, cost);
      return first;
    },
  };
}

/** Among equal estimates the larger cost comes first: that cell is nearer to the goal. */
function comesFirst(
  estimate: number,
  cost: number,
  otherEstimate: number,
  otherCost: number,
): boolean {
  return estimate < otherEstimate || (estimate === otherEstimate && cost > otherCost);
}
