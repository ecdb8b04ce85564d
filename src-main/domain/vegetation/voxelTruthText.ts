// The leaf area density of voxels from a text: CSV of `scenario truth` with i, j, k or the middles of voxels, or a voxel
// space of AMAPvox (.vox). Voxels that the text does not have hold no leaves.
import { voxelsBeside, voxelTolerance } from './movedVoxels.ts';
import type { VoxelSpace } from './voxelSpace.ts';

export interface VoxelTruthText {
  /** @returns what is wrong with the line; null: nothing is */
  take(line: string): string | null;
  /** By voxel of the space, k fastest. What is wrong with the whole; null: nothing is. */
  finish(): { density: Float64Array; fault: string | null };
}

/** Names of columns, in lower case, and whether their values are areas of a voxel. */
const densityColumns: Record<string, boolean> = {
  leaf_area_m2: true,
  leafarea: true,
  leaf_area_density: false,
  leaf_area_density_m2_per_m3: false,
  lad: false,
};

interface Columns {
  value: number;
  isArea: boolean;
  place: readonly number[];
  isMiddle: boolean;
}

export function createVoxelTruthText(space: VoxelSpace): VoxelTruthText {
  const [nx, ny, nz] = space.split;
  const density = new Float64Array(nx * ny * nz);
  const head: Record<string, number[]> = {};
  let isVox = false;
  let offset: readonly number[] = [0, 0, 0];
  let columns: Columns | null = null;
  const take = (line: string): string | null => {
    const text = line.trim();
    if (text === '') return null;
    if (text === 'VOXEL SPACE') {
      isVox = true;
      return null;
    }
    if (text.startsWith('#')) {
      const [name = '', values = ''] = text.slice(1).split(':');
      head[name] = values.trim().split(/\s+/).map(Number);
      return null;
    }
    const cells = text.split(isVox ? /\s+/ : ',');
    if (columns === null) {
      const found = columnsOf(cells.map((name) => name.trim().toLowerCase()));
      if (typeof found === 'string') return found;
      columns = found;
      if (!isVox) return null;
      const place = placeOf(head, space);
      offset = place.offset;
      return place.fault;
    }
    return takeRow(
      space,
      columns,
      cells.map((cell) => (cell.trim() === '' ? NaN : Number(cell))),
      offset,
      density,
    );
  };
  return {
    take,
    finish: () => ({
      density,
      fault:
        columns === null
          ? 'expected a line with the names of columns, found the end of the file'
          : null,
    }),
  };
}

function columnsOf(names: string[]): Columns | string {
  const value = names.findIndex((name) => name in densityColumns);
  if (value < 0) {
    return `expected one of the columns ${Object.keys(densityColumns).join(', ')}, found ${names.join(', ')}`;
  }
  const middle = ['x_m', 'y_m', 'z_m'].map((name) => names.indexOf(name));
  const index = ['i', 'j', 'k'].map((name) => names.indexOf(name));
  const isMiddle = middle.every((at) => at >= 0);
  if (!isMiddle && !index.every((at) => at >= 0)) {
    return `expected columns x_m, y_m, z_m or i, j, k, found ${names.join(', ')}`;
  }
  const isArea = densityColumns[names[value] ?? ''] ?? false;
  return { value, isArea, place: isMiddle ? middle : index, isMiddle };
}

/** Where a voxel space lies. */
function placeOf(
  head: Record<string, number[]>,
  space: VoxelSpace,
): ReturnType<typeof voxelsBeside> {
  const [voxelM = NaN] = head['res'] ?? [];
  return voxelsBeside(space, { minM: head['min_corner'] ?? [], voxelM });
}

function takeRow(
  space: VoxelSpace,
  { place, value, isArea, isMiddle }: Columns,
  cells: readonly number[],
  offset: readonly number[],
  density: Float64Array,
): string | null {
  const { minM, voxelM, split } = space;
  const at = place.map((column, axis) => {
    const stated = cells[column] ?? NaN;
    return isMiddle ? (stated - (minM[axis] ?? 0)) / voxelM - 0.5 : stated + (offset[axis] ?? 0);
  });
  const whole = at.map((index) => Math.round(index));
  if (at.some((index, axis) => !(Math.abs(index - (whole[axis] ?? NaN)) < voxelTolerance))) {
    return 'expected a voxel of the grid of the estimate: its edge, and corners that differ by whole voxels';
  }
  const [i = 0, j = 0, k = 0] = whole;
  if ([i, j, k].some((index, axis) => index < 0 || index >= (split[axis] ?? 0))) return null;
  const found = cells[value] ?? NaN;
  if (!(found >= 0)) return `expected a leaf area of at least 0, found ${found}`;
  density[(i * split[1] + j) * split[2] + k] = isArea ? found / voxelM ** 3 : found;
  return null;
}
