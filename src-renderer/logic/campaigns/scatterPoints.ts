// The points of a scatter plot on screen: where they are, which is nearest to the pointer, which is next for a key.
import { extent } from '#domain/shared/statistics.ts';
import { numberOf, type ResultValue } from './resultValue.ts';

/** More points than this are drawn fainter and smaller. */
export const denseCount = 2000;

export interface ScatterPoints {
  /** Index in the plan, of each point. */
  index: Int32Array;
  x: Float64Array;
  y: Float64Array;
  /** Colour group of each, 0 where there is one only. */
  group: Int32Array;
  /** Ends of the axes; equal ends are widened. */
  xFrom: number;
  xTo: number;
  yFrom: number;
  yTo: number;
}

/** Rows with both numbers, from left to right. `group`: by row. */
export function scatterPoints(
  index: ArrayLike<number>,
  x: readonly ResultValue[],
  y: readonly ResultValue[],
  group: (row: number) => number = () => 0,
): ScatterPoints {
  const rows: { row: number; x: number; y: number }[] = [];
  for (let row = 0; row < index.length; row += 1) {
    const [left, up] = [numberOf(x[row]), numberOf(y[row])];
    if (left !== null && up !== null) rows.push({ row, x: left, y: up });
  }
  rows.sort((one, other) => one.x - other.x || one.y - other.y || one.row - other.row);
  const [xFrom, xTo] = endsOf(rows.map((one) => one.x));
  const [yFrom, yTo] = endsOf(rows.map((one) => one.y));
  return {
    index: Int32Array.from(rows, ({ row }) => index[row] ?? 0),
    x: Float64Array.from(rows, (one) => one.x),
    y: Float64Array.from(rows, (one) => one.y),
    group: Int32Array.from(rows, ({ row }) => group(row)),
    xFrom,
    xTo,
    yFrom,
    yTo,
  };
}

export interface PlotSize {
  widthPx: number;
  heightPx: number;
}

/** From the left and from above, px. */
export function pointPx(points: ScatterPoints, at: number, size: PlotSize): [number, number] {
  const { x, y, xFrom, xTo, yFrom, yTo } = points;
  const left = (((x[at] ?? 0) - xFrom) / (xTo - xFrom)) * size.widthPx;
  const top = (1 - ((y[at] ?? 0) - yFrom) / (yTo - yFrom)) * size.heightPx;
  return [left, top];
}

/** The point nearest to a place, within so many px; null: none. */
export function pointAt(
  points: ScatterPoints,
  [leftPx, topPx]: readonly [number, number],
  size: PlotSize,
  withinPx = 12,
): number | null {
  let nearest: number | null = null;
  let least = withinPx * withinPx;
  for (let at = 0; at < points.x.length; at += 1) {
    const [left, top] = pointPx(points, at, size);
    const squared = (left - leftPx) ** 2 + (top - topPx) ** 2;
    if (squared > least) continue;
    least = squared;
    nearest = at;
  }
  return nearest;
}

/** `colours`: by group; `other`: where there are none. */
export function paintPoints(
  context: CanvasRenderingContext2D,
  points: ScatterPoints,
  size: PlotSize,
  look: { colours: readonly string[]; other: string; radiusPx: number },
): void {
  context.globalAlpha = points.x.length > denseCount ? 0.45 : 0.75;
  for (let at = 0; at < points.x.length; at += 1) {
    const [left, top] = pointPx(points, at, size);
    context.fillStyle = look.colours[points.group[at] ?? 0] ?? look.other;
    context.beginPath();
    context.arc(left, top, look.radiusPx, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Both ends of an axis, with a margin of 4 %. */
export function endsOf(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = extent(values);
  const margin = high > low ? 0.04 * (high - low) : Math.max(Math.abs(high) * 0.1, 0.5);
  return [low - margin, high + margin];
}
