// Which high cells of a cost map are seen low again: what was in them has moved on.

export interface ClearedCell {
  cell: number;
  /** The highest cost that it was seen with while it was low. */
  highestCost: number;
}

export interface SeenLow {
  /** The highest cost of this tick's points in a high cell, those that may clear it. */
  add(cell: number, cost: number): void;
  /** The cell is never cleared. */
  exclude(cell: number): void;
  /** The cells that have been low for long enough. */
  endTick(): ClearedCell[];
}

/**
 * @param highCost a cell is low in a tick whose points all cost less
 * @param ticks in which a cell must have been seen low, one after another
 */
export function createSeenLow(cells: number, highCost: number, ticks: number): SeenLow {
  const lowTicks = new Uint8Array(cells);
  const highestLow = new Uint8Array(cells);
  const excluded = new Set<number>();
  /** Highest cost of this tick's points, by cell. */
  const seen = new Map<number, number>();
  return {
    add(cell, cost) {
      seen.set(cell, cost);
    },
    exclude(cell) {
      excluded.add(cell);
    },
    endTick() {
      const cleared: ClearedCell[] = [];
      for (const [cell, highest] of seen) {
        const isLow = highest < highCost && !excluded.has(cell);
        lowTicks[cell] = isLow ? (lowTicks[cell] as number) + 1 : 0;
        highestLow[cell] = isLow ? Math.max(highest, highestLow[cell] as number) : 0;
        if (lowTicks[cell] !== ticks) continue;
        cleared.push({ cell, highestCost: highestLow[cell] });
        lowTicks[cell] = 0;
        highestLow[cell] = 0;
      }
      seen.clear();
      return cleared;
    },
  };
}
