// Distances from the cells of a map to its nearest obstacle. Guarantee: exact within the limit, whatever the order of the
// obstacles.
import type { MapGeometry } from '#contract/host/run.ts';

/** Clearances are known up to this distance; farther is as good. */
export const clearanceLimitM = 3;

export interface Clearances {
  /** For each cell the distance from its centre to the square of the nearest obstacle's cell; to be read only. */
  readonly clearanceM: Float32Array;
  /** Lowers the clearances about a new obstacle. */
  add(cell: number): void;
  /** Raises the clearances about cells that are free again to those of the obstacles that are left. */
  remove(freed: readonly { cell: number }[], isObstacle: (cell: number) => boolean): void;
}

/** A map without obstacles. */
export function createClearances({ cells, cellM }: MapGeometry): Clearances {
  const clearanceM = new Float32Array(cells * cells).fill(clearanceLimitM);
  const reach = Math.ceil(clearanceLimitM / cellM);
  const side = 2 * reach + 1;
  const gapM = (offset: number): number => Math.max(0, Math.abs(offset) - 0.5) * cellM;
  const distances = Float32Array.from({ length: side * side }, (_, n) =>
    Math.hypot(gapM((n % side) - reach), gapM(Math.floor(n / side) - reach)),
  );
  /** Calls `visit` for the cells of a square about a cell. */
  const around = (
    cell: number,
    within: number,
    visit: (at: number, dx: number, dy: number) => void,
  ): void => {
    const column = cell % cells;
    const row = Math.floor(cell / cells);
    for (let dy = -within; dy <= within; dy += 1) {
      const y = row + dy;
      if (y < 0 || y >= cells) continue;
      for (let dx = -within; dx <= within; dx += 1) {
        const x = column + dx;
        if (x >= 0 && x < cells) visit(y * cells + x, dx, dy);
      }
    }
  };
  const add = (cell: number): void =>
    around(cell, reach, (at, dx, dy) => {
      const distanceM = distances[(dy + reach) * side + dx + reach] as number;
      if (distanceM < (clearanceM[at] as number)) clearanceM[at] = distanceM;
    });
  return {
    clearanceM,
    add,
    remove(freed, isObstacle) {
      const left = new Set<number>();
      for (const { cell } of freed) {
        around(cell, reach, (at) => (clearanceM[at] = clearanceLimitM));
        around(cell, 2 * reach, (at) => isObstacle(at) && left.add(at));
      }
      for (const cell of left) add(cell);
    },
  };
}
