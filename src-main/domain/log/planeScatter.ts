// How well clouds that were merged by their poses agree: the thickness of the surfaces in them. With poses that are the
// inverse of what they claim to be, surfaces come out thick.

/** Points of several clouds in one frame. */
export interface MergedPoints {
  xM: readonly number[];
  yM: readonly number[];
  zM: readonly number[];
  /** Number of the cloud that each point is of. */
  cloud: readonly number[];
}

/** Edges of the cells in which thickness is measured. */
const cellM = 0.5;
/** Cells with fewer points say nothing. */
const minPoints = 8;
/** Fewer cells than this, seen from several clouds, give no verdict. */
const minCells = 20;

/** Share of the cells that are thinner than the result. Why not half: most cells may be floor, which no turn thickens. */
const quantile = 0.75;

/** Points of one cell: sums of coordinates about the cell's corner and of their products. */
interface Cell {
  points: number;
  clouds: Set<number>;
  sums: number[];
}

/**
 * Standard deviation across the surface in cells that at least two clouds share, exceeded by a quarter of them. Null:
 * too few of them.
 */
export function mergedThicknessM({ xM, yM, zM, cloud }: MergedPoints): number | null {
  const cells = new Map<string, Cell>();
  for (let point = 0; point < xM.length; point++) {
    const [x, y, z] = [xM[point] ?? NaN, yM[point] ?? NaN, zM[point] ?? NaN];
    const corner = [x, y, z].map((m) => Math.floor(m / cellM));
    const key = corner.join(' ');
    const cell = cells.get(key) ?? {
      points: 0,
      clouds: new Set<number>(),
      sums: Array<number>(9).fill(0),
    };
    const [dx = 0, dy = 0, dz = 0] = [x, y, z].map((m, axis) => m - (corner[axis] ?? 0) * cellM);
    const terms = [dx, dy, dz, dx * dx, dy * dy, dz * dz, dx * dy, dx * dz, dy * dz];
    for (const [at, term] of terms.entries()) cell.sums[at] = (cell.sums[at] ?? 0) + term;
    cell.points += 1;
    cell.clouds.add(cloud[point] ?? 0);
    cells.set(key, cell);
  }
  const thicknesses = [...cells.values()]
    .filter(({ points, clouds }) => points >= minPoints && clouds.size > 1)
    .map(thicknessOf)
    .sort((a, b) => a - b);
  if (thicknesses.length < minCells) return null;
  return thicknesses[Math.floor(quantile * thicknesses.length)] ?? null;
}

/** Root of the least eigenvalue of the covariance. */
function thicknessOf({ points, sums }: Cell): number {
  const [sx = 0, sy = 0, sz = 0, sxx = 0, syy = 0, szz = 0, sxy = 0, sxz = 0, syz = 0] = sums.map(
    (sum) => sum / points,
  );
  const [xx, yy, zz] = [sxx - sx * sx, syy - sy * sy, szz - sz * sz];
  const [xy, xz, yz] = [sxy - sx * sy, sxz - sx * sz, syz - sy * sz];
  return Math.sqrt(Math.max(0, minEigenvalue(xx, yy, zz, xy, xz, yz)));
}

/** Of a symmetric matrix, in closed form (Smith 1961). */
function minEigenvalue(
  xx: number,
  yy: number,
  zz: number,
  xy: number,
  xz: number,
  yz: number,
): number {
  const mean = (xx + yy + zz) / 3;
  const off = xy * xy + xz * xz + yz * yz;
  const spread = (xx - mean) ** 2 + (yy - mean) ** 2 + (zz - mean) ** 2 + 2 * off;
  if (spread === 0) return mean;
  const p = Math.sqrt(spread / 6);
  const [a, b, c] = [(xx - mean) / p, (yy - mean) / p, (zz - mean) / p];
  const [d, e, f] = [xy / p, xz / p, yz / p];
  const half = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2;
  const angle = Math.acos(Math.max(-1, Math.min(1, half))) / 3;
  return mean + 2 * p * Math.cos(angle + (2 * Math.PI) / 3);
}
