// A homogeneous slab of foliage from 8 to 11 m, with nothing or a wall behind it: its log, and the optical depth of the model
// that is learned from the log.
import type { LearnedKind } from '#contract/worker/learnedModel.ts';
import { normals, purposes, uniforms } from '#domain/random/philox.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import type { LearnChanges, ValidationBench } from '../bench.ts';
import { writeBeams, type PlainBeam } from './logs.ts';

export interface SlabCase {
  /** G·LAD·L */
  depth: number;
  /** Noise of the wall behind it; null: there is none. */
  wallM: number | null;
  model: LearnedKind;
  volume: NonNullable<LearnChanges['volume']>;
}

export function slabText({ depth, wallM, model, volume: { voxelM } }: SlabCase): string {
  const of = voxelM === undefined ? model : `voxels of ${voxelM} m`;
  const wall = wallM === null ? '' : ` before a wall with ${1000 * wallM} mm of noise`;
  return `optical depth of a slab of ${depth}: ${of}${wall}`;
}

const [fromM, toM, wallAtM] = [8, 11, 15.1];

/** Beams that a model learns from, and beams that it is tried with. */
export interface SlabBeams {
  training: number;
  test: number;
}

/** Optical depth of a learned model. Its own deviation is √((eᵈ − 1) / test), where d is the depth. */
export async function learnedDepth(
  bench: ValidationBench,
  fileOf: (name: string) => string,
  { depth, wallM, model, volume }: SlabCase,
  beams: SlabBeams,
): Promise<number> {
  const [log, inner, out] = [fileOf('depth.log'), fileOf('depth-inner.log'), fileOf('depth.ply')];
  const training = Array.from({ length: beams.training }, (_, n) => slabBeam(depth, wallM, n, 2));
  // All end at the back of the slab: what the model has farther, or nowhere, has passed it.
  const test = Array.from({ length: beams.test }, (_, n): PlainBeam => {
    const { originM, direction } = slabBeam(depth, wallM, n + beams.training, 0.6);
    return { originM, direction, rangeM: toM * Math.hypot(...direction) };
  });
  await writeBeams(bench, log, training);
  await writeBeams(bench, inner, test);
  await bench.learn({ logs: [log], out, model, seed: 1, volume });
  const { behind, histograms } = await bench.evaluate(out, inner, 1);
  const returned = histograms.otherReturns.reduce((sum, count) => sum + count, 0);
  const passed = wallM === null ? 1 - returned / beams.test : (behind ?? NaN);
  return -Math.log(passed);
}

function slabBeam(depth: number, wallM: number | null, n: number, sideM: number): PlainBeam {
  const [y = 0.5, z = 0.5, path = 0.5, tilt = 0.5] = uniforms(1, purposes.learnedForms, 24, n);
  const [other = 0.5] = uniforms(1, purposes.learnedForms, 25, n);
  const direction: Vector3 = [1, 0.1 * (tilt - 0.5), 0.1 * (other - 0.5)];
  const slant = Math.hypot(...direction);
  const endM = fromM * slant - (Math.log(1 - path) * (toM - fromM)) / depth;
  const behind =
    wallM === null ? NaN : wallAtM * slant + wallM * normals(2, purposes.learnedForms, 26, n)[0];
  const originM: Vector3 = [0, sideM * (y - 0.5), sideM * (z - 0.5)];
  return { originM, direction, rangeM: endM < toM * slant ? endM : behind };
}
