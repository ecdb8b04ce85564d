// Distances to the nearest of some points, by a k-d tree in place: the points are sorted, and beside them there is a byte for each.

/** So few points are looked at one by one. */
const leafPoints = 16;
/** Points that were sorted between two reports of progress. */
const reportedPoints = 2 ** 20;

export interface NearestPoints {
  /** Distance to the nearest point that is not farther than `limitM`; NaN: there is none. */
  distanceM(xM: number, yM: number, zM: number, limitM: number): number;
}

/**
 * @param placesM x, y and z of each point, finite; they are sorted, and belong to the result; @param progress is told of points
 * that were sorted
 */
export function nearestPoints(
  placesM: Float32Array,
  progress: (done: number, total: number) => void = () => undefined,
): NearestPoints {
  const count = placesM.length / 3;
  /** The axis that the point in the middle of each part divides. */
  const axes = new Uint8Array(count);
  let unreported = 0;
  let done = 0;
  sort(0, count);

  let [x, y, z, nearest] = [0, 0, 0, 0];
  return {
    distanceM(xM, yM, zM, limitM) {
      [x, y, z] = [xM, yM, zM];
      // Why above the limit: a point at the limit itself is found.
      nearest = limitM ** 2 * (1 + Number.EPSILON);
      const most = nearest;
      search(0, count);
      return nearest < most ? Math.sqrt(nearest) : NaN;
    },
  };

  function sort(from: number, to: number): void {
    if (to - from <= leafPoints) {
      unreported += to - from;
      if (unreported < reportedPoints) return;
      done += unreported;
      unreported = 0;
      progress(done, count);
      return;
    }
    const axis = widestAxis(placesM, from, to);
    const middle = (from + to) >>> 1;
    select(placesM, axis, from, to - 1, middle);
    axes[middle] = axis;
    sort(from, middle);
    sort(middle + 1, to);
  }

  function search(from: number, to: number): void {
    if (to - from <= leafPoints) {
      for (let point = from; point < to; point += 1) judge(point);
      return;
    }
    const middle = (from + to) >>> 1;
    const axis = axes[middle] ?? 0;
    const offM = (axis === 0 ? x : axis === 1 ? y : z) - (placesM[3 * middle + axis] ?? 0);
    judge(middle);
    if (offM < 0) search(from, middle);
    else search(middle + 1, to);
    if (offM * offM >= nearest) return;
    if (offM < 0) search(middle + 1, to);
    else search(from, middle);
  }

  function judge(point: number): void {
    const dx = (placesM[3 * point] ?? 0) - x;
    const dy = (placesM[3 * point + 1] ?? 0) - y;
    const dz = (placesM[3 * point + 2] ?? 0) - z;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared < nearest) nearest = squared;
  }
}

function widestAxis(placesM: Float32Array, from: number, to: number): number {
  let [widest, widthM] = [0, -1];
  for (let axis = 0; axis < 3; axis += 1) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = 3 * from + axis; at < 3 * to; at += 3) {
      const value = placesM[at] ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > widthM) [widest, widthM] = [axis, high - low];
  }
  return widest;
}

/** Hoare's selection: afterwards no point of [first, middle) is above that of `middle`, and none of (middle, last] below it. */
function select(
  placesM: Float32Array,
  axis: number,
  first: number,
  last: number,
  middle: number,
): void {
  const valueOf = (point: number): number => placesM[3 * point + axis] ?? 0;
  while (first < last) {
    const pivot = medianOf(valueOf(first), valueOf((first + last) >>> 1), valueOf(last));
    let low = first;
    let high = last;
    while (low <= high) {
      while (valueOf(low) < pivot) low += 1;
      while (valueOf(high) > pivot) high -= 1;
      if (low > high) break;
      swap(placesM, low, high);
      low += 1;
      high -= 1;
    }
    if (middle <= high) last = high;
    else if (middle >= low) first = low;
    else return;
  }
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(placesM: Float32Array, one: number, other: number): void {
  for (let axis = 0; axis < 3; axis += 1) {
    const held = placesM[3 * one + axis] ?? 0;
    placesM[3 * one + axis] = placesM[3 * other + axis] ?? 0;
    placesM[3 * other + axis] = held;
  }
}
