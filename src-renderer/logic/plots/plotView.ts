// The part of a plane that a plot shows: all of its curves, or what was zoomed to; its curves there as paths, and the
// point that the pointer means.
import { clamp } from '#domain/shared/numbers.ts';
import { pathNumber } from './plotLines.ts';

/** Values at the edges. */
export interface PlotView {
  xFrom: number;
  xTo: number;
  yFrom: number;
  yTo: number;
}

/** A place of what is shown: 0 to 1 from left to right and from bottom to top. */
export interface PlotPlace {
  right: number;
  up: number;
}

/** A part of what is shown, by the places of its edges. */
export interface ViewPart {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** One column over another, a row a point. */
export interface XyCurve {
  name: string;
  colour: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

export interface PlotSize {
  widthPx: number;
  heightPx: number;
}

/** A smaller part would be rounding errors. */
const minShare = 1e-6;
/** Beside the outermost points. */
const margin = 0.04;

/** All points of all curves, with room around them; null: there are none. */
export function viewOfAll(curves: readonly XyCurve[]): PlotView | null {
  const x = spanOf(curves.map((curve) => curve.x));
  const y = spanOf(curves.map((curve) => curve.y));
  if (x === null || y === null) return null;
  return { xFrom: x[0], xTo: x[1], yFrom: y[0], yTo: y[1] };
}

/** A part of a view of `all`, as `boundedSpan` limits it; null: all. */
export function viewOfPart(
  view: PlotView,
  { left, right, bottom, top }: ViewPart,
  all: PlotView,
): PlotView | null {
  const [xAll, yAll] = [[all.xFrom, all.xTo] as const, [all.yFrom, all.yTo] as const];
  const x = (share: number): number => view.xFrom + share * (view.xTo - view.xFrom);
  const y = (share: number): number => view.yFrom + share * (view.yTo - view.yFrom);
  const xSpan = boundedSpan([x(left), x(right)], xAll);
  const ySpan = boundedSpan([y(bottom), y(top)], yAll);
  if (xSpan === null && ySpan === null) return null;
  const [[xFrom, xTo], [yFrom, yTo]] = [xSpan ?? xAll, ySpan ?? yAll];
  return { xFrom, xTo, yFrom, yTo };
}

/** Zoomed by a factor about a place of what is shown: below 1 nearer. */
export function partAbout(place: PlotPlace, factor: number, axes: 'x' | 'xy'): ViewPart {
  const low = (at: number): number => at - factor * at;
  const high = (at: number): number => at + factor * (1 - at);
  return {
    left: low(place.right),
    right: high(place.right),
    bottom: axes === 'x' ? 0 : low(place.up),
    top: axes === 'x' ? 1 : high(place.up),
  };
}

/** A span that is zoomed to, within the whole one and no smaller than a millionth of it; null: the whole one. */
export function boundedSpan(
  [from, to]: readonly [number, number],
  [allFrom, allTo]: readonly [number, number],
): readonly [number, number] | null {
  const all = allTo - allFrom;
  const size = Math.max(to - from, minShare * all);
  if (size >= all) return null;
  const start = clamp(from, allFrom, allTo - size);
  return [start, start + size];
}

/** 'M x y L x y …'; points that would fall on the same half pixel are left out, what is no number is a gap. */
export function xyPath({ x, y }: XyCurve, view: PlotView, size: PlotSize): string {
  const place = placing(view, size);
  const parts: string[] = [];
  let last: readonly [number, number] | null = null;
  for (let row = 0; row < x.length; row += 1) {
    const at = place(x[row] ?? NaN, y[row] ?? NaN);
    if (at === null) {
      last = null;
      continue;
    }
    if (last !== null && Math.abs(at[0] - last[0]) < 0.5 && Math.abs(at[1] - last[1]) < 0.5)
      continue;
    parts.push(`${last === null ? 'M' : 'L'}${pathNumber(at[0])} ${pathNumber(at[1])}`);
    last = at;
  }
  return parts.join('');
}

/** The point nearest to a place in pixels from the upper left, within `reachPx`; null: none is. */
export function pointNear(
  curves: readonly XyCurve[],
  view: PlotView,
  size: PlotSize,
  [xPx, yPx]: readonly [number, number],
  reachPx: number,
): { curve: number; row: number } | null {
  const place = placing(view, size);
  let best: { curve: number; row: number } | null = null;
  let bestPx = reachPx;
  for (const [curve, { x, y }] of curves.entries()) {
    for (let row = 0; row < x.length; row += 1) {
      const at = place(x[row] ?? NaN, y[row] ?? NaN);
      if (at === null) continue;
      const awayPx = Math.hypot(at[0] - xPx, at[1] - yPx);
      if (awayPx > bestPx) continue;
      bestPx = awayPx;
      best = { curve, row };
    }
  }
  return best;
}

/** Pixels from the upper left of a point; null: it has no place. */
export function placing(
  { xFrom, xTo, yFrom, yTo }: PlotView,
  { widthPx, heightPx }: PlotSize,
): (x: number, y: number) => readonly [number, number] | null {
  return (x, y) => {
    const at = [
      ((x - xFrom) / (xTo - xFrom)) * widthPx,
      heightPx - ((y - yFrom) / (yTo - yFrom)) * heightPx,
    ] as const;
    return Number.isFinite(at[0]) && Number.isFinite(at[1]) ? at : null;
  };
}

function spanOf(columns: readonly ArrayLike<number>[]): readonly [number, number] | null {
  let [from, to] = [Infinity, -Infinity];
  for (const column of columns) {
    for (let row = 0; row < column.length; row += 1) {
      const value = column[row] ?? NaN;
      if (!Number.isFinite(value)) continue;
      if (value < from) from = value;
      if (value > to) to = value;
    }
  }
  if (from > to) return null;
  const room = from === to ? Math.max(Math.abs(from), 1) / 2 : margin * (to - from);
  return [from - room, to + room];
}
