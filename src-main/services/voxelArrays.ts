// Voxels as arrays for NumPy, as scenario.truth and log.estimate write them (contract/worker/voxelArrays.ts).
import type { ColumnType } from '#contract/columns.ts';
import type { voxelArrays } from '#contract/worker/voxelArrays.ts';
import type { VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import type { ArraysExporter, Exporters, ExportTarget } from '#services/ports/exporters.ts';

type ArrayName = keyof typeof voxelArrays;

/** The name of what a voxel model takes, in tables and arrays. */
export const plantDensityName = 'plant_area_density_m2_per_m3' satisfies ArrayName;

/** Starts FILE.npz with the place of the voxels, and arrays of a value a voxel that grow. @throws UnderstoryError as Exporters */
export async function openVoxelArrays(
  exporters: Exporters,
  file: string,
  { minM, voxelM, split }: VoxelSpace,
  names: readonly string[],
  target: ExportTarget,
): Promise<ArraysExporter> {
  const arrays = await exporters.createArrays(file, target);
  const type: ColumnType = 'f64';
  const place = { min_m: minM, voxel_m: [voxelM] } satisfies Partial<Record<ArrayName, number[]>>;
  try {
    for (const [name, values] of Object.entries(place)) {
      await arrays.add(name, { type }, Float64Array.from(values));
    }
    for (const name of [...names, plantDensityName]) {
      await arrays.add(name, { type, rowShape: split.slice(1) });
    }
  } catch (error) {
    await arrays.abort();
    throw error;
  }
  return arrays;
}
