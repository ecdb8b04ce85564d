// How well clouds that were merged by their poses agree: the number of cells in which they have points. Surfaces that
// several clouds see fill few cells with right poses, and more with poses that move or turn them the wrong way.

/** Points of several clouds in one frame. */
export interface MergedPoints {
  xM: readonly number[];
  yM: readonly number[];
  zM: readonly number[];
}

/**
 * Edge of a cell. Why not less: neighbouring points of one scan line would seldom share a cell, and cells would be as
 * many as points with any poses.
 */
export const cellM = 0.3;

/** Indices of one axis that a key holds: beyond them cells share keys. */
const indices = 2 ** 17;

/** Cells with at least one point. */
export function occupiedCells({ xM, yM, zM }: MergedPoints): number {
  const cells = new Set<number>();
  for (let point = 0; point < xM.length; point++) {
    const x = indexOf(xM[point]);
    const y = indexOf(yM[point]);
    const z = indexOf(zM[point]);
    cells.add((z * indices + y) * indices + x);
  }
  return cells.size;
}

/** In [0, indices). */
function indexOf(m = NaN): number {
  const index = Math.floor(m / cellM) % indices;
  return index < 0 ? index + indices : index;
}
