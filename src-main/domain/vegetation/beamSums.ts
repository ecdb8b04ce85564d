// Sums over the beams of voxels, as the worker sends them (contract/worker/voxelBeams.ts).
import type { WorkerChunk } from '#contract/worker/workerMethods.ts';

export interface BeamSums {
  beams: number;
  lines: number;
  hits: number;
  pathM: number;
  lineM: number;
  freeM: number;
  effectiveM: number;
  hitEffectiveM: number;
  potentialM: number;
}

/** The sums of a row of a chunk. */
export function beamSumsOf(columns: WorkerChunk<'log.voxels'>['columns'], row: number): BeamSums {
  const of = (name: keyof typeof columns): number => columns[name][row] ?? NaN;
  return {
    beams: of('beams'),
    lines: of('lines'),
    hits: of('hits'),
    pathM: of('path_m'),
    lineM: of('line_m'),
    freeM: of('free_m'),
    effectiveM: of('effective_m'),
    hitEffectiveM: of('hit_effective_m'),
    potentialM: of('potential_m'),
  };
}
