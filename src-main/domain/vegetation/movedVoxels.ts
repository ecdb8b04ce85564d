// Voxels of one grid in another that has the same edge and lies whole voxels beside it.
import type { VoxelSpace } from './voxelSpace.ts';

/** Leaf area of voxels, k fastest. */
interface GivenVoxels {
  minM: readonly number[];
  voxelM: number;
  split: readonly number[];
  leafAreaM2: Float64Array;
}

/** Corners agree this well, in voxels. */
const voxelTolerance = 1e-3;

/** From the corner of a space to another, in voxels; or what does not fit. */
function voxelsBeside(
  space: VoxelSpace,
  { minM, voxelM }: Pick<GivenVoxels, 'minM' | 'voxelM'>,
): { offset: number[]; fault: string | null } {
  const offset = space.minM.map((fromM, axis) => ((minM[axis] ?? NaN) - fromM) / space.voxelM);
  if (!(Math.abs(voxelM - space.voxelM) < 1e-9)) {
    return { offset, fault: `expected voxels of ${space.voxelM} m, found ${voxelM}` };
  }
  const isWhole = offset.every((value) => Math.abs(value - Math.round(value)) < voxelTolerance);
  const fault = `expected a corner that is whole voxels from ${space.minM.join(', ')}, found ${minM.join(', ')}`;
  return { offset: offset.map(Math.round), fault: isWhole ? null : fault };
}

/** Densities by voxel of the space; voxels that are not given hold no leaves. */
export function movedDensities(
  space: VoxelSpace,
  given: GivenVoxels,
): { density: Float64Array; fault: string | null } {
  const [nx, ny, nz] = space.split;
  const density = new Float64Array(nx * ny * nz);
  const { offset, fault } = voxelsBeside(space, given);
  const [gx = 0, gy = 0, gz = 0] = given.split;
  if (fault !== null) return { density, fault };
  if (given.split.length !== 3 || gx * gy * gz !== given.leafAreaM2.length) {
    return {
      density,
      fault: `expected an array of three axes, found the shape (${given.split.join(', ')})`,
    };
  }
  const [di = 0, dj = 0, dk = 0] = offset;
  for (let n = 0; n < given.leafAreaM2.length; n += 1) {
    const i = Math.floor(n / (gy * gz)) + di;
    const j = (Math.floor(n / gz) % gy) + dj;
    const k = (n % gz) + dk;
    if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) continue;
    density[(i * ny + j) * nz + k] = (given.leafAreaM2[n] ?? NaN) / space.voxelM ** 3;
  }
  return { density, fault: null };
}
