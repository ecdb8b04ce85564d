// Hills: octaves of normal random numbers on square lattices, interpolated by cubic B-splines (PHYSICS.md, 2.16).
import { normals, purposes } from '#domain/random/philox.ts';
import { power } from '#domain/shared/numbers.ts';
import type { Steps } from '#domain/shared/steps.ts';
import { forEachPost, type Posts } from './posts.ts';

export interface Relief {
  deviationM: number;
  scaleM: number;
  hurst: number;
}

/** Added to an index of a lattice, which may be negative. */
const indexOffset = 2 ** 25;

/**
 * Adds hills whose mean is 0, whose plane of best fit is level and whose standard deviation over the posts is
 * `deviationM`.
 */
export function* addRelief(posts: Posts, relief: Relief, seed: number): Steps<void> {
  const { deviationM, scaleM, hurst } = relief;
  if (deviationM === 0) return;
  const sum = new Float64Array(posts.heightsM.length);
  const finestM = 2 * Math.max(...posts.stepM);
  let spacingM = scaleM / 2;
  for (let octave = 0; octave === 0 || spacingM >= finestM; octave += 1) {
    yield* addOctave(sum, posts, { octave, spacingM, weight: power(2, -hurst * octave) }, seed);
    spacingM /= 2;
  }
  const plane = yield* planeOf(sum, posts);
  let squares = 0;
  yield* forEachPost(posts, (post, column, row) => {
    const height = (sum[post] ?? 0) - plane(column, row);
    sum[post] = height;
    squares += height * height;
  });
  const deviation = Math.sqrt(squares / sum.length);
  const factor = deviation > 0 ? deviationM / deviation : 0;
  yield* forEachPost(posts, (post) => {
    posts.heightsM[post] = (posts.heightsM[post] ?? 0) + factor * (sum[post] ?? 0);
  });
}

interface Octave {
  octave: number;
  spacingM: number;
  weight: number;
}

/** Weights of four nodes from `first` on; the sum of their squares is 1, so that the variance is the same everywhere. */
interface Taps {
  first: number;
  weights: readonly [number, number, number, number];
}

/** For a place in units of the spacing of nodes. */
function tapsAt(place: number): Taps {
  const cell = Math.floor(place);
  const t = place - cell;
  const s = 1 - t;
  const spline = [
    s * s * s,
    4 - 6 * t * t + 3 * t * t * t,
    4 - 6 * s * s + 3 * s * s * s,
    t * t * t,
  ] as const;
  const norm = Math.sqrt(spline.reduce((sum, w) => sum + w * w, 0));
  const [a, b, c, d] = spline;
  return { first: cell - 1, weights: [a / norm, b / norm, c / norm, d / norm] };
}

function* addOctave(sum: Float64Array, posts: Posts, octave: Octave, seed: number): Steps<void> {
  const { columns, rows, stepM } = posts;
  const { spacingM, weight } = octave;
  // From the centre, so that a larger area has the same lattice.
  const alongX = Array.from({ length: columns }, (_, column) =>
    tapsAt(((column - (columns - 1) / 2) * stepM[0]) / spacingM),
  );
  const known = new Map<number, Float64Array>();
  for (let row = 0; row < rows; row += 1) {
    const { first, weights } = tapsAt(((row - (rows - 1) / 2) * stepM[1]) / spacingM);
    for (const index of known.keys()) if (index < first) known.delete(index);
    for (const [tap, share] of weights.entries()) {
      const line = known.get(first + tap) ?? lineOf(alongX, first + tap, octave.octave, seed);
      known.set(first + tap, line);
      const factor = weight * share;
      const start = row * columns;
      for (let column = 0; column < columns; column += 1) {
        sum[start + column] = (sum[start + column] ?? 0) + factor * (line[column] ?? 0);
      }
    }
    yield 20 * columns;
  }
}

/** A row of the lattice, interpolated along x to every column of posts. */
function lineOf(alongX: readonly Taps[], row: number, octave: number, seed: number): Float64Array {
  const west = alongX[0]?.first ?? 0;
  const nodes = new Float64Array((alongX.at(-1)?.first ?? 0) + 4 - west);
  for (let node = 0; node < nodes.length; node += 1) {
    nodes[node] = nodeOf(seed, octave, row, west + node);
  }
  return Float64Array.from(alongX, ({ first, weights: [a, b, c, d] }) => {
    const at = first - west;
    const near = a * (nodes[at] ?? 0) + b * (nodes[at + 1] ?? 0);
    return near + c * (nodes[at + 2] ?? 0) + d * (nodes[at + 3] ?? 0);
  });
}

/** A standard normal number for each node. */
function nodeOf(seed: number, octave: number, row: number, column: number): number {
  const draw = (row + indexOffset) * 2 ** 26 + column + indexOffset;
  return normals(seed, purposes.terrainRelief, octave, draw)[0];
}

/** The plane of best fit by least squares: its height at a column and row. */
function* planeOf(
  heights: Float64Array,
  posts: Posts,
): Steps<(column: number, row: number) => number> {
  const { columns, rows } = posts;
  const [middleX, middleY] = [(columns - 1) / 2, (rows - 1) / 2];
  let [sum, ofX, ofY] = [0, 0, 0];
  yield* forEachPost(posts, (post, column, row) => {
    const height = heights[post] ?? 0;
    sum += height;
    ofX += (column - middleX) * height;
    ofY += (row - middleY) * height;
  });
  const count = columns * rows;
  const mean = sum / count;
  // The mean square of n whole numbers about their middle is (n² − 1) / 12.
  const alongX = (12 * ofX) / (count * (columns * columns - 1));
  const alongY = (12 * ofY) / (count * (rows * rows - 1));
  return (column, row) => mean + alongX * (column - middleX) + alongY * (row - middleY);
}
