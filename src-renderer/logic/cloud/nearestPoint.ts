// The point of a cloud that a click means: the nearest of those within a few pixels of the ray through it.

export interface PointOnRay {
  row: number;
  /** Along the ray. */
  distanceM: number;
}

/** `direction` has length 1; `angleRad` is what a click may be off by. `isShown`: rows that can be clicked; left out: all. */
export function nearestPoint(
  placesM: Float32Array,
  origin: readonly [number, number, number],
  direction: readonly [number, number, number],
  angleRad: number,
  isShown: (row: number) => boolean = () => true,
): PointOnRay | null {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  const most = angleRad ** 2;
  let best: PointOnRay | null = null;
  let bestScore = Infinity;
  for (let at = 0; at + 2 < placesM.length; at += 3) {
    const x = (placesM[at] ?? 0) - ox;
    const y = (placesM[at + 1] ?? 0) - oy;
    const z = (placesM[at + 2] ?? 0) - oz;
    const along = x * dx + y * dy + z * dz;
    if (along <= 0) continue;
    const off = (x * x + y * y + z * z - along * along) / (along * along);
    if (off > most) continue;
    // Why both: of points behind one another the front one, of neighbours the one under the pointer.
    const score = along * (1 + 2 * (off / most));
    if (score >= bestScore || !isShown(at / 3)) continue;
    bestScore = score;
    best = { row: at / 3, distanceM: along };
  }
  return best;
}
