// The leaf area of voxels from an archive of scenario.truth, for the grid of an estimate.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import { movedDensities } from '#domain/vegetation/movedVoxels.ts';
import type { NumberArrays } from '#services/ports/numberArrays.ts';

const title = 'the truth cannot be read';
const expected =
  'expected voxels as `understory scenario truth SCENARIO --voxels-out FILE.npz` writes them';
/** Limit of an array: 128 million voxels. */
const maxArrayBytes = 1 << 30;

/** One-sided leaf area by voxel, m² in 1 m³. @throws 'bad-input' with what does not fit; as NumberArrays */
export async function readVoxelTruth(
  arrays: NumberArrays,
  file: string,
  space: VoxelSpace,
): Promise<Float64Array> {
  const { min_m, voxel_m, leaf_area_m2 } = await arraysOf(arrays, file);
  const [voxelM = NaN] = Array.from(voxel_m?.values ?? [], Number);
  const moved = movedDensities(space, {
    voxelM,
    minM: Array.from(min_m?.values ?? [], Number),
    split: leaf_area_m2?.shape ?? [],
    leafAreaM2: Float64Array.from(leaf_area_m2?.values ?? [], Number),
  });
  if (moved.fault !== null) throw badInput('truth', moved.fault, { title });
  return moved.density;
}

async function arraysOf(arrays: NumberArrays, file: string): ReturnType<NumberArrays['read']> {
  if (!/\.npz$/i.test(file)) {
    throw badInput('truth', `${expected}, found '${file}'`, { title });
  }
  try {
    return await arrays.read(file, ['min_m', 'voxel_m', 'leaf_area_m2'], maxArrayBytes);
  } catch (error) {
    if (!(error instanceof UnderstoryError) || error.code !== 'corrupt') throw error;
    throw badInput('truth', `${expected}: ${error.message}`, { title });
  }
}
