// A voxel space: its grid over the plants of a scene, and its text as AMAPvox reads it (.vox).
import type { VoxelSummary } from '#contract/host/truthMethods.ts';
import type { VoxelTruthRequest } from '#contract/worker/truth.ts';
import { toScene, type OriginM } from '#contract/worldOrigin.ts';

export type Corner = [number, number, number];
export type VoxelSpace = Pick<VoxelSummary, 'minM' | 'maxM' | 'split' | 'voxelM'>;

/** Whole voxels around a box; of `isSnapped` its corners are multiples of the edge. */
export function voxelSpaceOf(
  [from, to]: readonly [Corner, Corner],
  voxelM: number,
  isSnapped: boolean,
): VoxelSpace {
  const axes = [0, 1, 2] as const;
  const low = axes.map((axis) => {
    return isSnapped ? Math.floor(from[axis] / voxelM) * voxelM : from[axis];
  }) as Corner;
  const split = axes.map((axis) => {
    const voxels = (to[axis] - low[axis]) / voxelM;
    // Parts in the upper planes belong to voxels above them.
    if (isSnapped) return Math.floor(voxels + 1e-6) + 1;
    // A box of whole voxels in decimals is not cut into one more.
    return Math.max(1, Math.ceil(voxels - 1e-6));
  }) as Corner;
  const high = axes.map((axis) => low[axis] + split[axis] * voxelM) as Corner;
  return { minM: low, maxM: high, split, voxelM };
}

/** The request to the worker for the truth of these voxels in a scene. */
export function voxelTruthRequest(
  { minM, maxM, split }: VoxelSpace,
  originM: OriginM,
  memoryLimitBytes: number,
): VoxelTruthRequest {
  const edge = (axis: 0 | 1 | 2): number => (maxM[axis] - minM[axis]) / split[axis];
  const stepM: Corner = [edge(0), edge(1), edge(2)];
  return { minM: toScene(originM, minM), stepM, split, memoryLimitBytes };
}

/** i, j, k of a voxel by its number, k fastest. */
export function voxelAt({ split }: VoxelSpace, number: number): Corner {
  const [, ny, nz] = split;
  return [Math.floor(number / (ny * nz)), Math.floor(number / nz) % ny, number % nz];
}

/** Leaves and half of the wood's surface, by volume: the density that a beam's path is attenuated by. */
export function plantAreaDensity(
  { voxelM }: VoxelSpace,
  leafAreaM2: number,
  woodAreaM2: number,
): number {
  return (leafAreaM2 + 0.5 * woodAreaM2) / voxelM ** 3;
}

/** The lines of a .vox file before its rows. @param columns behind i, j, k and the density */
export function voxHeader(
  { minM, maxM, split, voxelM }: VoxelSpace,
  columns: readonly string[],
): string {
  return `VOXEL SPACE
#min_corner: ${minM.map(decimal).join(' ')}
#max_corner: ${maxM.map(decimal).join(' ')}
#split: ${split.join(' ')}
#res: ${decimal(voxelM)}
i j k PadBVTotal ${columns.join(' ')}
`;
}

/** Rows of voxels from a number on. */
export function voxRows(
  space: VoxelSpace,
  from: number,
  { leaf, wood }: { leaf: ArrayLike<number>; wood: ArrayLike<number> },
): string {
  let text = '';
  for (let row = 0; row < leaf.length; row += 1) {
    const [i, j, k] = voxelAt(space, from + row);
    text += `${i} ${j} ${k} ${valuesText(space, leaf[row] ?? 0, wood[row] ?? 0)}\n`;
  }
  return text;
}

/** Why empty voxels apart: there are many, and numbers as text take time. */
function valuesText(space: VoxelSpace, leafAreaM2: number, woodAreaM2: number): string {
  if (leafAreaM2 + woodAreaM2 === 0) return '0 0 0';
  const density = plantAreaDensity(space, leafAreaM2, woodAreaM2);
  return `${decimal(density)} ${decimal(leafAreaM2)} ${decimal(woodAreaM2)}`;
}

/** Ten digits: sums of a file keep 1e-6 of theirs. */
export function decimal(value: number): number {
  return Number(value.toPrecision(10));
}
