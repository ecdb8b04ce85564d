// The part of a terrain file that an import takes, and the means of its cells: posts on the area that is asked for, at the
// distance that is asked for. Guarantees: at the distance of the file, heights are those of the file; at a larger one, each
// is the mean of the file's heights by the area that their cells share with that of the post. No more than some rows of
// sums are in memory beside the result.

/** A grid of heights without them. */
export interface GridFrame {
  columns: number;
  rows: number;
  /** World coordinates of the first post: that of the north-western cell's centre. */
  westM: number;
  northM: number;
  /** Distance of posts along x and y, both positive. */
  stepM: [number, number];
  /** EPSG:n or WKT; null: the file has none. */
  crs: string | null;
}

/** As scenario.import states it. */
export interface TerrainCut {
  /** Opposite corners in world coordinates; left out: the whole file. */
  areaM?: readonly [readonly [number, number], readonly [number, number]] | undefined;
  /** Distance of posts; left out, or below that of the file: as in the file. */
  cellM?: number | undefined;
}

export interface GridCut {
  /** The result without heights. */
  frame: GridFrame;
  /** Cells of the file that it is made of: from the first to before the last. */
  columns: readonly [from: number, to: number];
  rows: readonly [from: number, to: number];
  axes: { x: CutAxis; y: CutAxis };
}

/** Posts along x from the west, or along y from the north, in cells of the file. */
interface CutAxis {
  /** Where the first post's cell begins. */
  start: number;
  /** Cells of the file between two posts. */
  ratio: number;
  posts: number;
}

/** Shares below this are rounding errors. */
const tiny = 1e-6;

/** The cut of a file, or what is wrong with it. Its size is not checked. */
export function gridCut(frame: GridFrame, { areaM, cellM = 0 }: TerrainCut): GridCut | string {
  const [stepX, stepY] = frame.stepM;
  const corners = areaM ?? [];
  const x = axisOf(
    frame.columns,
    cellM / stepX,
    corners.map(([east]) => (east - frame.westM) / stepX + 0.5),
  );
  const y = axisOf(
    frame.rows,
    cellM / stepY,
    corners.map(([, north]) => (frame.northM - north) / stepY + 0.5),
  );
  if (x === null || y === null) return `expected an area that meets ${extentText(frame)}`;
  return {
    frame: {
      columns: x.posts,
      rows: y.posts,
      westM: frame.westM + (x.start + x.ratio / 2 - 0.5) * stepX,
      northM: frame.northM - (y.start + y.ratio / 2 - 0.5) * stepY,
      stepM: [stepX * x.ratio, stepY * y.ratio],
      crs: frame.crs,
    },
    columns: cellsOf(x, frame.columns),
    rows: cellsOf(y, frame.rows),
    axes: { x, y },
  };
}

/** The smallest `cellM` of two digits with which so many columns and rows become at most so many. */
export function cellThatFits(
  { columns, rows, stepM: [stepX, stepY] }: GridFrame,
  most: { side: number; posts: number },
): number {
  const [eastM, southM] = [columns * stepX, rows * stepY];
  const ofAllM = Math.sqrt((eastM * southM) / most.posts);
  const smallestM = Math.max(eastM / most.side, southM / most.side, ofAllM);
  const digit = 10 ** (Math.floor(Math.log10(smallestM)) - 1);
  return Number((Math.ceil(smallestM / digit - tiny) * digit).toPrecision(2));
}

/** Notes on a cut for its user; `file` is the grid that it is taken from, which may be an overview of the file. */
export function cutNotes(file: GridFrame, { frame }: GridCut, { areaM }: TerrainCut): string[] {
  const notes: string[] = [];
  const text = ([x, y]: readonly [number, number]): string =>
    `${Number(x.toPrecision(6))} × ${Number(y.toPrecision(6))} m`;
  if (frame.stepM.some((stepM, axis) => stepM !== file.stepM[axis])) {
    notes.push(`heights ${text(frame.stepM)} apart are means of cells of ${text(file.stepM)}`);
  }
  const [a, b] = areaM ?? [];
  if (a === undefined || b === undefined) return notes;
  const sizeM = [(frame.columns - 1) * frame.stepM[0], (frame.rows - 1) * frame.stepM[1]] as const;
  const askedM = [Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])] as const;
  if (askedM.some((asked, axis) => asked > (sizeM[axis] ?? 0) * (1 + tiny))) {
    notes.push(`the file covers ${text(sizeM)} of the area of ${text(askedM)}`);
  }
  return notes;
}

/** Bounds of the posts of a file. */
function extentText({ columns, rows, westM, northM, stepM }: GridFrame): string {
  const east = westM + (columns - 1) * stepM[0];
  const south = northM - (rows - 1) * stepM[1];
  return `the file's (${westM},${south},${east},${northM})`;
}

/**
 * @param cells of the file
 * @param ratio that is asked for
 * @param ends of the area, in cells of the file from its edge, in any order; none: the whole file
 * @returns null: no post of the file is in the area
 */
function axisOf(cells: number, ratio: number, ends: readonly number[]): CutAxis | null {
  const isWhole = ends.length === 0;
  if (ratio <= 1 + tiny) {
    // Posts of the file: those of the area and the next ones outside it.
    const from = isWhole ? 0 : Math.max(0, Math.floor(Math.min(...ends) - 0.5 + tiny));
    const to = isWhole ? cells : Math.min(cells, 1 + Math.ceil(Math.max(...ends) - 0.5 - tiny));
    return from < to ? { start: from, ratio: 1, posts: to - from } : null;
  }
  // Posts whose cells are within the file, from the area's edge to its other one or the next post outside it.
  const first = isWhole ? ratio / 2 : Math.max(ratio / 2, Math.min(...ends));
  const room = Math.floor((cells - ratio / 2 - first) / ratio + tiny);
  const asked = isWhole ? room : Math.ceil((Math.max(...ends) - first) / ratio - tiny);
  const posts = 1 + Math.min(room, asked);
  return posts > 0 ? { start: first - ratio / 2, ratio, posts } : null;
}

function cellsOf({ start, ratio, posts }: CutAxis, cells: number): [from: number, to: number] {
  const end = start + posts * ratio;
  return [Math.max(0, Math.floor(start + tiny)), Math.min(cells, Math.ceil(end - tiny))];
}

/** Takes the heights of a file by rows from the north and gives those of its cut. */
export interface CutHeights {
  /**
   * Heights of a row of the file from a column on: `count` of `values`, from the index `at` on, `stride` apart. Rows above
   * those that `isDone` was called for come no more.
   */
  addRow(row: number, column: number, values: ArrayLike<number>, part: RowPart): void;
  /** All rows above this one have been added. */
  isDone(row: number): void;
  /** NaN where there is none. To be called at the end. */
  finish(): Float32Array;
}

export interface RowPart {
  at: number;
  stride: number;
  count: number;
}

/** @param isNone heights that are none, besides those that are no number of metres */
export function cutHeights(
  { frame, columns: [west, east], rows: [north, south], axes }: GridCut,
  isNone: (height: number) => boolean,
): CutHeights {
  const heights = new Float32Array(frame.columns * frame.rows).fill(NaN);
  const across = sharesOf(axes.x, west, east);
  const down = sharesOf(axes.y, north, south);
  const isCopied = axes.x.ratio === 1 && axes.y.ratio === 1;
  const open = new Map<number, PostRow>();

  function addTo(
    post: number,
    weight: number,
    column: number,
    values: ArrayLike<number>,
    part: RowPart,
  ): void {
    if (weight === 0 || post < 0 || post >= frame.rows) return;
    let row = open.get(post);
    if (row === undefined) open.set(post, (row = postRow(frame.columns)));
    const { sums, weights } = row;
    const from = Math.max(west, column);
    const to = Math.min(east, column + part.count);
    for (let cell = from; cell < to; cell += 1) {
      const height = values[part.at + (cell - column) * part.stride] ?? NaN;
      if (!(Math.abs(height) <= maxHeightM) || isNone(height)) continue;
      // The first of the two posts that a cell can share; the row has a margin of one on each side.
      const at = (across.posts[cell - west] ?? 0) + 1;
      const share = across.shares[cell - west] ?? 0;
      sums[at] = (sums[at] ?? 0) + share * weight * height;
      weights[at] = (weights[at] ?? 0) + share * weight;
      if (share === 1) continue;
      sums[at + 1] = (sums[at + 1] ?? 0) + (1 - share) * weight * height;
      weights[at + 1] = (weights[at + 1] ?? 0) + (1 - share) * weight;
    }
  }

  function copyRow(row: number, column: number, values: ArrayLike<number>, part: RowPart): void {
    const from = Math.max(west, column);
    const to = Math.min(east, column + part.count);
    const first = (row - north) * frame.columns - west;
    for (let cell = from; cell < to; cell += 1) {
      const height = values[part.at + (cell - column) * part.stride] ?? NaN;
      if (Math.abs(height) <= maxHeightM && !isNone(height)) heights[first + cell] = height;
    }
  }

  function close(post: number, { sums, weights }: PostRow): void {
    for (let column = 0; column < frame.columns; column += 1) {
      const weight = weights[column + 1] ?? 0;
      if (weight > tiny) heights[post * frame.columns + column] = (sums[column + 1] ?? 0) / weight;
    }
    open.delete(post);
  }

  return {
    addRow: (row, column, values, part) => {
      if (row < north || row >= south) return;
      if (isCopied) return copyRow(row, column, values, part);
      const post = down.posts[row - north] ?? 0;
      const share = down.shares[row - north] ?? 0;
      addTo(post, share, column, values, part);
      addTo(post + 1, 1 - share, column, values, part);
    },
    isDone: (row) => {
      const post = (row - axes.y.start) / axes.y.ratio - 1 + tiny;
      for (const [number, sums] of open) if (number <= post) close(number, sums);
    },
    finish: () => {
      for (const [number, sums] of open) close(number, sums);
      return heights;
    },
  };
}

/** Why 1e9 m: some programs write their nodata as -3.4e38, whatever the file says. */
const maxHeightM = 1e9;

interface PostRow {
  sums: Float64Array;
  weights: Float64Array;
}

function postRow(posts: number): PostRow {
  return { sums: new Float64Array(posts + 2), weights: new Float64Array(posts + 2) };
}

/** For each cell of the file the first post that it shares, and its share in that; the rest is the next post's. */
function sharesOf(
  { start, ratio }: CutAxis,
  from: number,
  to: number,
): { posts: Int32Array; shares: Float64Array } {
  const posts = new Int32Array(to - from);
  const shares = new Float64Array(to - from);
  for (let cell = from; cell < to; cell += 1) {
    const post = Math.floor((cell - start) / ratio + tiny);
    const share = start + (post + 1) * ratio - cell;
    posts[cell - from] = post;
    shares[cell - from] = share > 1 - tiny ? 1 : share;
  }
  return { posts, shares };
}
