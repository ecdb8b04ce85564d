// Distances between measured points: of each leg and in all.
import { withMinus } from '#domain/shared/formats.ts';

export type PointM = readonly [number, number, number];

export interface Leg {
  distanceM: number;
  horizontalM: number;
  /** Upwards positive. */
  verticalM: number;
  middleM: PointM;
}

/** One leg fewer than there are points. */
export function legsOf(points: readonly PointM[]): Leg[] {
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    return {
      distanceM: Math.hypot(x, y, z),
      horizontalM: Math.hypot(x, y),
      verticalM: z,
      middleM: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2],
    };
  });
}

/** Millimetres below a metre, centimetres below a hundred, decimetres beyond: '0.123 m', '−12.35 m'. */
export function lengthText(metres: number): string {
  const size = Math.abs(metres);
  const digits = size < 1 ? 3 : size < 100 ? 2 : 1;
  const rounded = Number(metres.toFixed(digits));
  // Why + 0: no digit of a small drop is shown, and then no minus either.
  return `${withMinus((rounded + 0).toFixed(digits))} m`;
}
