// The leaf area of voxels from a file of scenario.truth, or of another program, for the grid of an estimate.
import { badInput } from '#contract/errors.ts';
import { createTextLines } from '#domain/shared/textLines.ts';
import type { VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import { movedDensities } from '#domain/vegetation/movedVoxels.ts';
import { createVoxelTruthText } from '#domain/vegetation/voxelTruthText.ts';
import type { Files } from '#services/ports/files.ts';
import type { NumberArrays } from '#services/ports/numberArrays.ts';

export interface VoxelTruthPorts {
  files: Pick<Files, 'textPieces'>;
  arrays: NumberArrays;
}

const title = 'the truth cannot be read';
/** Limit of an array: 128 million voxels. */
const maxArrayBytes = 1 << 30;

/** One-sided leaf area by voxel, m² in 1 m³. @throws 'bad-input' with what does not fit; as Files and NumberArrays */
export async function readVoxelTruth(
  ports: VoxelTruthPorts,
  file: string,
  space: VoxelSpace,
  signal: AbortSignal,
): Promise<Float64Array> {
  if (/\.npz$/i.test(file)) return fromArrays(ports.arrays, file, space);
  if (/\.(csv|vox)$/i.test(file)) return fromText(ports.files, file, space, signal);
  const message = `expected a file that ends in .csv, .npz or .vox, found '${file}'`;
  throw badInput('truth', message, { title });
}

async function fromArrays(
  arrays: NumberArrays,
  file: string,
  space: VoxelSpace,
): Promise<Float64Array> {
  const names = ['min_m', 'voxel_m', 'leaf_area_m2'];
  const { min_m, voxel_m, leaf_area_m2 } = await arrays.read(file, names, maxArrayBytes);
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

async function fromText(
  files: Pick<Files, 'textPieces'>,
  file: string,
  space: VoxelSpace,
  signal: AbortSignal,
): Promise<Float64Array> {
  const truth = createVoxelTruthText(space);
  const lines = createTextLines();
  let line = 0;
  const take = (texts: readonly string[]): void => {
    for (const text of texts) {
      line += 1;
      const fault = truth.take(text);
      if (fault !== null) throw badInput('truth', `line ${line}: ${fault}`, { title });
    }
  };
  await files.textPieces(file, (text) => take(lines.take(text)), signal);
  take(lines.end());
  const { density, fault } = truth.finish();
  if (fault !== null) throw badInput('truth', fault, { title });
  return density;
}
