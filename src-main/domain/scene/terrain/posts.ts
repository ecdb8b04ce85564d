// Posts of a terrain while it is made: heights row by row from the south, x fastest, and lines over them.
import { clamp } from '#domain/shared/numbers.ts';
import type { Steps } from '#domain/shared/steps.ts';

export type Point = readonly [xM: number, yM: number];

export interface Posts {
  columns: number;
  rows: number;
  /** The first post. */
  originM: Point;
  stepM: Point;
  heightsM: Float64Array;
}

/** Calls `visit` with every post, its column and its row. */
export function* forEachPost(
  { columns, rows }: Posts,
  visit: (post: number, column: number, row: number) => void,
): Steps<void> {
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) visit(row * columns + column, column, row);
    yield 5 * columns;
  }
}

/** Bilinear between the posts; outside that of the nearest edge. */
export function heightAt({ columns, rows, originM, stepM, heightsM }: Posts, at: Point): number {
  const x = clamp((at[0] - originM[0]) / stepM[0], 0, columns - 1);
  const y = clamp((at[1] - originM[1]) / stepM[1], 0, rows - 1);
  const column = Math.min(columns - 2, Math.floor(x));
  const row = Math.min(rows - 2, Math.floor(y));
  const [u, v] = [x - column, y - row];
  const post = row * columns + column;
  const south = (1 - u) * (heightsM[post] ?? 0) + u * (heightsM[post + 1] ?? 0);
  const north = (1 - u) * (heightsM[post + columns] ?? 0) + u * (heightsM[post + columns + 1] ?? 0);
  return (1 - v) * south + v * north;
}

export function isOver({ columns, rows, originM, stepM }: Posts, [xM, yM]: Point): boolean {
  const [east, north] = [xM - originM[0], yM - originM[1]];
  const isInX = east >= 0 && east <= (columns - 1) * stepM[0];
  return isInX && north >= 0 && north <= (rows - 1) * stepM[1];
}

/**
 * Calls `visit` with every post that is within `reachM` of the segment, its distance, and the share of the segment at
 * which it is nearest. Returns how many posts were tested.
 */
export function forEachNear(
  { columns, rows, originM, stepM }: Posts,
  [from, to]: readonly [Point, Point],
  reachM: number,
  visit: (post: number, distanceM: number, share: number) => void,
): number {
  const firstOf = (axis: 0 | 1): number => {
    const m = Math.min(from[axis], to[axis]) - reachM;
    return Math.max(0, Math.ceil((m - originM[axis]) / stepM[axis]));
  };
  const lastOf = (axis: 0 | 1, count: number): number => {
    const m = Math.max(from[axis], to[axis]) + reachM;
    return Math.min(count - 1, Math.floor((m - originM[axis]) / stepM[axis]));
  };
  const [west, east] = [firstOf(0), lastOf(0, columns)];
  const [south, north] = [firstOf(1), lastOf(1, rows)];
  const [alongX, alongY] = [to[0] - from[0], to[1] - from[1]];
  const length2 = alongX * alongX + alongY * alongY;
  for (let row = south; row <= north; row += 1) {
    const y = originM[1] + row * stepM[1] - from[1];
    for (let column = west; column <= east; column += 1) {
      const x = originM[0] + column * stepM[0] - from[0];
      const share = length2 === 0 ? 0 : clamp((x * alongX + y * alongY) / length2, 0, 1);
      const [awayX, awayY] = [x - share * alongX, y - share * alongY];
      const distanceM = Math.sqrt(awayX * awayX + awayY * awayY);
      if (distanceM <= reachM) visit(row * columns + column, distanceM, share);
    }
  }
  return Math.max(0, east - west + 1) * Math.max(0, north - south + 1);
}
