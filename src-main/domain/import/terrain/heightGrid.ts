// Heights on a grid, as terrain files have them, and the ground of a scenario that they become: a 16-bit picture of
// heights whose posts are the centres of the cells. Cells without a height are cropped at the edges and filled inside.
import type { Parsed } from '#contract/documents/problems.ts';
import type { ImportCount } from '#contract/host/importMethods.ts';
import { emptyScene, tidy, type ImportedScene } from '../importedScene.ts';
import { assumedMaterial } from '../materials.ts';
import { refused } from '../table.ts';
import { cellThatFits, type GridFrame } from './gridCut.ts';
import { heightPicture } from './heightPicture.ts';

export interface HeightGrid extends GridFrame {
  /** Metres by row from the north, NaN where there is none. */
  heights: Float32Array;
}

/** Posts of a grid at most: 256 MiB as single precision. */
const maxPosts = 2 ** 26;
const maxSide = 16_384;

/** The problem of the size of a grid, before memory is taken for it; null: nothing. */
export function gridSizeProblem(grid: GridFrame): string | null {
  const { columns, rows } = grid;
  const isWhole = Number.isSafeInteger(columns) && Number.isSafeInteger(rows);
  if (!isWhole || columns < 2 || rows < 2) {
    return `expected at least 2 × 2 heights, found ${columns} × ${rows}`;
  }
  if (columns <= maxSide && rows <= maxSide && columns * rows <= maxPosts) return null;
  const most = `expected at most ${maxSide} × ${maxSide} and ${maxPosts} heights`;
  const cellM = cellThatFits(grid, { side: maxSide, posts: maxPosts });
  return `${most}, found ${columns} × ${rows}: cut it (--area x,y,x,y), or take means of cells (--cell ${cellM})`;
}

/** The part of a file that was asked for. */
export interface TerrainPart {
  grid: HeightGrid;
  /** Parts of the file that are left out, and notes. */
  ignored: ImportCount[];
  notes: string[];
}

/** @param name of the picture beside the scenario, with its ending */
export async function terrainScene(
  { grid: whole, ignored, notes }: TerrainPart,
  name: string,
): Promise<Parsed<ImportedScene>> {
  const grid = cropped(whole);
  if (grid === null) return refused('(file)', 'expected heights, found nodata only');
  const sizeProblem = gridSizeProblem(grid);
  if (sizeProblem !== null) return refused('(file)', `${sizeProblem} (without nodata)`);
  const { columns, rows, westM, northM, stepM, heights } = grid;
  const posts = columns * rows;
  const filled = fillGaps(grid);
  const { low, high } = spanOf(heights);
  const scene = { ...emptyScene(), ignored: [...ignored], notes: [...notes] };
  const sizeM: [number, number] = [(columns - 1) * stepM[0], (rows - 1) * stepM[1]];
  scene.ground = {
    kind: 'height-field',
    file: name,
    sizeM: [tidy(sizeM[0], 6), tidy(sizeM[1], 6)],
    centreM: [tidy(westM + sizeM[0] / 2, 6), tidy(northM - sizeM[1] / 2, 6)],
    zM: [low, high],
    material: 'ground',
  };
  scene.materials['ground'] = assumedMaterial('ground');
  scene.files.push({ name, content: await picture(grid, low, high) });
  scene.imported.push({ what: `heights (${columns} × ${rows})`, count: posts });
  const removed = whole.columns * whole.rows - posts;
  if (removed > 0)
    scene.ignored.push({ what: 'heights outside (nodata at edges)', count: removed });
  if (filled > 0) {
    const share = Number(((100 * filled) / posts).toPrecision(2));
    scene.notes.push(`${filled} heights without data (${share} %) took that of the nearest cell`);
  }
  const quantum = ((high - low) / 65535) * 1000;
  scene.notes.push(
    `heights ${low.toFixed(2)} to ${high.toFixed(2)} m, rounded to ${quantum.toPrecision(2)} mm`,
  );
  scene.crs = grid.crs;
  return { value: scene, problems: [] };
}

/** The grid without rows and columns at its edges that hold no height; null: there are no heights. */
function cropped(grid: HeightGrid): HeightGrid | null {
  const { columns, rows, heights } = grid;
  let [west, east, north, south] = [columns, -1, rows, -1];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (Number.isNaN(heights[row * columns + column])) continue;
      west = Math.min(west, column);
      east = Math.max(east, column);
      north = Math.min(north, row);
      south = row;
    }
  }
  if (east < 0) return null;
  const kept = { columns: east - west + 1, rows: south - north + 1 };
  if (kept.columns === columns && kept.rows === rows) return grid;
  const part = new Float32Array(kept.columns * kept.rows);
  for (let row = 0; row < kept.rows; row += 1) {
    const first = (north + row) * columns + west;
    part.set(heights.subarray(first, first + kept.columns), row * kept.columns);
  }
  const westM = grid.westM + west * grid.stepM[0];
  const northM = grid.northM - north * grid.stepM[1];
  return { ...grid, ...kept, westM, northM, heights: part };
}

/** Gives each gap the height of the cell that is fewest steps away (in four directions). Returns how many. */
function fillGaps({ columns, rows, heights }: HeightGrid): number {
  let gaps = 0;
  for (const height of heights) if (Number.isNaN(height)) gaps += 1;
  if (gaps === 0) return 0;
  const queue = new Int32Array(gaps);
  let end = 0;
  const fill = (gap: number, height: number): void => {
    if (!Number.isNaN(heights[gap])) return;
    heights[gap] = height;
    queue[end] = gap;
    end += 1;
  };
  const fillAround = (post: number): void => {
    const height = heights[post] ?? 0;
    const column = post % columns;
    if (column > 0) fill(post - 1, height);
    if (column < columns - 1) fill(post + 1, height);
    if (post >= columns) fill(post - columns, height);
    if (post < columns * (rows - 1)) fill(post + columns, height);
  };
  // Why in two passes: what was just filled is no source of the first one.
  const isGap = new Uint8Array(heights.length);
  for (let post = 0; post < heights.length; post += 1) {
    if (Number.isNaN(heights[post])) isGap[post] = 1;
  }
  for (let post = 0; post < heights.length; post += 1) if (isGap[post] === 0) fillAround(post);
  for (let at = 0; at < end; at += 1) fillAround(queue[at] ?? 0);
  return gaps;
}

function spanOf(heights: Float32Array): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const height of heights) {
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  return { low, high };
}

function picture(grid: HeightGrid, low: number, high: number): Promise<Uint8Array> {
  const { columns, rows, heights } = grid;
  const scale = high > low ? 65535 / (high - low) : 0;
  return heightPicture(columns, rows, (post) => Math.round(((heights[post] ?? 0) - low) * scale));
}
