// Curves over time as SVG paths: at most two points for each column of pixels, so that an hour of ticks
// draws as fast as a minute, and no peak is lost.

/** A curve over time, with times of its own or those of its plot. */
export interface Curve {
  name: string;
  colour: string;
  values: ArrayLike<number>;
  timeS?: Float64Array;
}

/** Curves that share an axis. */
export interface Plot {
  title: string;
  /** '' for a pure number. */
  unit: string;
  curves: readonly Curve[];
}

export interface PlotArea {
  widthPx: number;
  heightPx: number;
  /** Times at the left and the right edge. */
  fromS: number;
  toS: number;
  /** Values at the lower and the upper edge. */
  low: number;
  high: number;
}

/** 'M x y L x y …' of a curve; times ascend. Values that are no numbers leave a gap. */
export function linePath(
  timeS: ArrayLike<number>,
  values: ArrayLike<number>,
  area: PlotArea,
): string {
  const { widthPx, heightPx, fromS, toS, low, high } = area;
  const spanS = Math.max(toS - fromS, 1e-9);
  const xOf = (time: number): number => ((time - fromS) / spanS) * widthPx;
  const yOf = (value: number): number =>
    heightPx - ((value - low) / Math.max(high - low, 1e-12)) * heightPx;
  const parts: string[] = [];
  let isDown = false;
  const draw = (row: number): void => {
    const value = values[row] ?? NaN;
    if (!Number.isFinite(value)) {
      isDown = false;
      return;
    }
    const point = `${pathNumber(xOf(timeS[row] ?? 0))} ${pathNumber(yOf(value))}`;
    parts.push(`${isDown ? 'L' : 'M'}${point}`);
    isDown = true;
  };
  for (let row = 0; row < timeS.length;) {
    const column = Math.floor(xOf(timeS[row] ?? 0));
    let [least, most, end] = [row, row, row];
    while (end < timeS.length && Math.floor(xOf(timeS[end] ?? 0)) === column) {
      if ((values[end] ?? 0) < (values[least] ?? 0)) least = end;
      if ((values[end] ?? 0) > (values[most] ?? 0)) most = end;
      end += 1;
    }
    const [first, second] = least <= most ? [least, most] : [most, least];
    draw(first);
    if (second !== first) draw(second);
    row = end;
  }
  return parts.join('');
}

/** A round number at or above the largest value, for the upper edge of a plot that starts at zero. */
export function niceTop(values: ArrayLike<number>): number {
  let most = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (value > most && Number.isFinite(value)) most = value;
  }
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= most) ?? 10);
}

/** Index of the last time at or before `at`; 0 where there is none. Times ascend. */
export function rowAt(timeS: ArrayLike<number>, at: number): number {
  let [low, high] = [0, timeS.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // Why the tenth of a millisecond: sums of tenths do not meet their multiples.
    if ((timeS[middle] ?? 0) <= at + 1e-4) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** A coordinate in a path: to a tenth of a pixel. */
export function pathNumber(value: number): number {
  return Math.round(10 * value) / 10;
}
