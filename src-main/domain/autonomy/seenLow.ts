// Which high cells of a cost map are seen low again: what was in them has moved on.

export interface ClearedCell {
  cell: number;
  /** The highest cost that it was seen with while it was low. */
  highestCost: number;
}

export interface SeenLow {
  /** A point of this tick in a high cell. */
  add(cell: number, pointCost: number, rangeM: number): void;
  /** The cell is never cleared. */
  exclude(cell: number): void;
  /** The cells that have been low for long enough. */
  endTick(): ClearedCell[];
}

/** Returns from farther do not clear a cell: few of them reach it, and a low one says little of what is above. */
const maxRangeM = 20;

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
    add(cell, pointCost, rangeM) {
      if (pointCost < highCost && rangeM > maxRangeM) return;
      seen.set(cell, Math.max(pointCost, seen.get(cell) ?? 0));
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
