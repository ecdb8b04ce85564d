// The place of a name where a view is clipped: above the part of its object that is drawn.
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import type { BoundsM } from '../cloud/cloudBounds.ts';
import type { PointM } from './measuring.ts';

type Corner = readonly [number, number];

/** Above the middle of the part of an object's box that is in the clip box, as far above it as asked; null: none is. */
export function clippedPlace(
  { minM, maxM }: BoundsM,
  { centreM, yawRad, sizeM }: UprightBox,
  aboveM: number,
): PointM | null {
  const topM = Math.min(maxM[2], centreM[2] + sizeM[2] / 2);
  if (Math.max(minM[2], centreM[2] - sizeM[2] / 2) > topM) return null;
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  let cornersM: Corner[] = [
    [minM[0], minM[1]],
    [maxM[0], minM[1]],
    [maxM[0], maxM[1]],
    [minM[0], maxM[1]],
  ].map(([x = 0, y = 0]) => {
    const [dx, dy] = [x - centreM[0], y - centreM[1]];
    return [cos * dx + sin * dy, cos * dy - sin * dx];
  });
  for (const axis of [0, 1] as const) {
    for (const side of [-1, 1] as const) {
      cornersM = cutAt(cornersM, ([x, y]) => sizeM[axis] / 2 - side * (axis === 0 ? x : y));
    }
  }
  if (cornersM.length === 0) return null;
  const middle = (axis: 0 | 1): number => {
    const values = cornersM.map((corner) => corner[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const [x, y] = [middle(0), middle(1)];
  return [centreM[0] + cos * x - sin * y, centreM[1] + sin * x + cos * y, topM + aboveM];
}

/** The part of a polygon where a linear function is not negative (Sutherland and Hodgman). */
function cutAt(cornersM: readonly Corner[], within: (corner: Corner) => number): Corner[] {
  return cornersM.flatMap((to, index): Corner[] => {
    const from = cornersM.at(index - 1) ?? to;
    const [before, now] = [within(from), within(to)];
    const inside: Corner[] = now >= 0 ? [to] : [];
    if (before >= 0 === now >= 0) return inside;
    const share = before / (before - now);
    const crossing = [0, 1].map((axis) => {
      const [a = 0, b = 0] = [from[axis], to[axis]];
      return a + share * (b - a);
    });
    return [[crossing[0] ?? 0, crossing[1] ?? 0], ...inside];
  });
}
