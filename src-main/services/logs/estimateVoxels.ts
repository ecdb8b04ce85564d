// Leaf area of the voxels of a space from the beams of logs: sums by a worker, estimates from them, voxel by voxel. Equal
// on any number of threads.
import { badInput } from '#contract/errors.ts';
import type { Estimate } from '#contract/documents/estimate.ts';
import { oneLeafM2 } from '#contract/documents/leafDiscs.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { beamSumsOf } from '#domain/vegetation/beamSums.ts';
import {
  createEstimateSums,
  leafAreaRow,
  type EstimateTotals,
  type LeafAreaRow,
} from '#domain/vegetation/leafAreaEstimates.ts';
import { voxelTruthRequest, type VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import type { ScanWorker, WorkerCallOptions } from '#services/ports/workers.ts';

export interface VoxelOrder {
  logs: readonly string[];
  space: VoxelSpace;
  estimate: Pick<Estimate, 'angles' | 'leafSizeM' | 'minBeams'>;
  /** One-sided leaf area by voxel, m² in 1 m³; null: not known. */
  truth: Float64Array | null;
  memoryLimitBytes: number;
}

/**
 * Totals over the voxels, and the number of beams. @param onRows called with the voxels from a number on, in order
 * @throws UnderstoryError 'scene-too-large', 'cancelled', 'corrupt' for logs
 */
export async function estimateVoxels(
  worker: ScanWorker,
  { logs, space, estimate, truth, memoryLimitBytes }: VoxelOrder,
  options: WorkerCallOptions,
  onRows: (from: number, rows: LeafAreaRow[]) => Promise<void>,
): Promise<EstimateTotals & { beams: number }> {
  const { minM, voxelM, split } = space;
  const sums = createEstimateSums(voxelM);
  const total = voxelsOf(space);
  const { body } = await worker.call(
    'log.voxels',
    {
      logs: [...logs],
      minM,
      voxelM,
      split,
      leafAngles: estimate.angles,
      oneLeafM2: oneLeafM2(estimate.leafSizeM),
      memoryLimitBytes,
    },
    {},
    {
      ...options,
      onChunk: async ({ body: { from, rows }, columns }) => {
        const found = Array.from({ length: rows }, (_, row) => {
          const density = truth?.[from + row] ?? NaN;
          return leafAreaRow(beamSumsOf(columns, row), estimate.minBeams, density);
        });
        for (const row of found) sums.add(row);
        await onRows(from, found);
        options.onProgress?.({ phase: 'voxels', done: from + rows, total });
      },
    },
  );
  return { beams: body.beams, ...sums.totals(truth !== null) };
}

/** Bytes of the truth of all voxels. @throws 'bad-input' at voxelM for more than the limit */
export function expectTruthFits(space: VoxelSpace, limitBytes: number): number {
  const voxels = voxelsOf(space);
  const bytes = 8 * voxels;
  if (bytes <= limitBytes) return bytes;
  throw badInput('voxelM', `expected fewer voxels than ${voxels}: they need too much memory`);
}

/** Exact one-sided leaf area of voxels of the scene that the worker has, m² in 1 m³. @throws 'scene-too-large', 'cancelled' */
export async function leafAreaTruth(
  worker: ScanWorker,
  space: VoxelSpace,
  originM: OriginM,
  limitBytes: number,
  options: WorkerCallOptions,
): Promise<Float64Array> {
  const density = new Float64Array(voxelsOf(space));
  await worker.call(
    'truth.voxels',
    voxelTruthRequest(space, originM, limitBytes),
    {},
    {
      ...options,
      onChunk: ({ body: { from }, columns: { leaf_area_m2: areasM2 } }) => {
        for (const [row, areaM2] of areasM2.entries()) {
          density[from + row] = areaM2 / space.voxelM ** 3;
        }
      },
    },
  );
  return density;
}

function voxelsOf({ split }: VoxelSpace): number {
  return split[0] * split[1] * split[2];
}
