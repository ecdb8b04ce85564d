// Distances to the nearest of some points, by a k-d tree: the points are sorted in place, and each part has a box around its points.
// Why boxes: far above level ground planes that divide parts are near, and the parts themselves are not.

/** So few points are compared one by one. */
const leafPoints = 32;
/** Points that are sorted between two reports of progress. */
const reportedPoints = 2 ** 20;
/** Numbers of a box: the lowest x, y and z, then the highest ones. */
const boxNumbers = 6;

/** Memory of a point, with the points themselves. */
export const nearestPointBytes = 15;

export interface NearestPoints {
  /** Distance to the nearest point that is not farther than `limitM`; NaN: there is none. */
  distanceM(xM: number, yM: number, zM: number, limitM: number): number;
}

/**
 * @param placesM x, y and z of each point, finite; they are sorted, and belong to the result
 * @param progress is called with the number of points that were sorted
 */
export function nearestPoints(
  placesM: Float32Array,
  progress: (done: number, total: number) => void = () => undefined,
): NearestPoints {
  const count = placesM.length / 3;
  /** A box for each part: 0 is all of them, 2 n + 1 and 2 n + 2 are the halves of part n. */
  const boxes = new Float32Array(boxNumbers * partsOf(count));
  let unreported = 0;
  let done = 0;
  sort(0, 0, count);

  let [x, y, z, nearest] = [0, 0, 0, 0];
  return {
    distanceM(xM, yM, zM, limitM) {
      [x, y, z] = [xM, yM, zM];
      // Why above the limit: a point at the limit itself is found.
      const maxSquaredM2 = limitM ** 2 * (1 + Number.EPSILON);
      nearest = maxSquaredM2;
      if (count > 0) search(0, 0, count);
      return nearest < maxSquaredM2 ? Math.sqrt(nearest) : NaN;
    },
  };

  function sort(part: number, from: number, to: number): void {
    const axis = enclose(part, from, to);
    if (to - from <= leafPoints) {
      unreported += to - from;
      if (unreported < reportedPoints) return;
      done += unreported;
      unreported = 0;
      progress(done, count);
      return;
    }
    const middle = (from + to) >>> 1;
    select(placesM, axis, from, to - 1, middle);
    sort(2 * part + 1, from, middle);
    sort(2 * part + 2, middle, to);
  }

  /** Sets the box of a part. Returns the axis along which it is widest. */
  function enclose(part: number, from: number, to: number): number {
    let [widest, widthM] = [0, -1];
    for (let axis = 0; axis < 3; axis += 1) {
      let [low, high] = [Infinity, -Infinity];
      for (let at = 3 * from + axis; at < 3 * to; at += 3) {
        const value = placesM[at] ?? 0;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      boxes[boxNumbers * part + axis] = low;
      boxes[boxNumbers * part + 3 + axis] = high;
      if (high - low > widthM) [widest, widthM] = [axis, high - low];
    }
    return widest;
  }

  function search(part: number, from: number, to: number): void {
    if (to - from <= leafPoints) {
      for (let point = from; point < to; point += 1) compare(point);
      return;
    }
    const middle = (from + to) >>> 1;
    const [lower, upper] = [2 * part + 1, 2 * part + 2];
    const [toLower, toUpper] = [squaredToBox(lower), squaredToBox(upper)];
    if (toLower <= toUpper) {
      if (toLower < nearest) search(lower, from, middle);
      if (toUpper < nearest) search(upper, middle, to);
    } else {
      if (toUpper < nearest) search(upper, middle, to);
      if (toLower < nearest) search(lower, from, middle);
    }
  }

  function squaredToBox(part: number): number {
    const at = boxNumbers * part;
    const dx = Math.max((boxes[at] ?? 0) - x, x - (boxes[at + 3] ?? 0), 0);
    const dy = Math.max((boxes[at + 1] ?? 0) - y, y - (boxes[at + 4] ?? 0), 0);
    const dz = Math.max((boxes[at + 2] ?? 0) - z, z - (boxes[at + 5] ?? 0), 0);
    return dx * dx + dy * dy + dz * dz;
  }

  function compare(point: number): void {
    const dx = (placesM[3 * point] ?? 0) - x;
    const dy = (placesM[3 * point + 1] ?? 0) - y;
    const dz = (placesM[3 * point + 2] ?? 0) - z;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared < nearest) nearest = squared;
  }
}

/** Parts of so many points: halves differ by one point, so that all leaves are at one of two levels. */
function partsOf(count: number): number {
  let levels = 1;
  for (let largest = count; largest > leafPoints; largest = (largest + 1) >>> 1) levels += 1;
  return 2 ** levels - 1;
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
