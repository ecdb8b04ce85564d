// `truth.*` of the worker: measures of the plants of the built scene (PHYSICS.md, 2.13). Plants are the instances of
// plant models, and of meshes with materials that are leaves or wood. Swaying plants are at rest, moving ones where they
// are at time 0.
import { z } from 'zod';
import { voxelSplit } from './voxelSplit.ts';

const whole = z.int().nonnegative();
const number = z.number();
const vector3 = z.tuple([number, number, number]);
const edge = z.number().positive().max(1e6);

/** Most rows of a chunk of `truth.*`. */
export const truthChunkRows = 65536;

/** `truth.plants`: of the whole scene, or of the plants whose foot lies in a box, its borders included. */
export const plantTruthRequestSchema = z.strictObject({
  minM: vector3.exactOptional().describe('in the world; left out, as maxM: no bound'),
  maxM: vector3.exactOptional(),
});

/** The end of `truth.plants`: areas and volumes of all rows that have them. */
export const plantTruthReplySchema = z.strictObject({
  plants: whole,
  leafAreaM2: number.describe('one-sided'),
  woodAreaM2: number,
  woodVolumeM3: number,
  minM: vector3.describe('of the box of these plants in the world; 0 without any'),
  maxM: vector3,
});
export type PlantTruthReply = z.output<typeof plantTruthReplySchema>;

/**
 * Chunks of `truth.plants`: a row a plant, in order of id; NaN: it has none, or it is not known. x_m, y_m, z_m: the foot;
 * dbh_m: diameter of the trunk at 1.3 m above it.
 */
export const plantTruthColumns = {
  instance_id: 'u32',
  model_id: 'u16',
  class_id: 'u16',
  x_m: 'f64',
  y_m: 'f64',
  z_m: 'f64',
  scale: 'f64',
  dbh_m: 'f64',
  height_m: 'f64',
  crown_base_m: 'f64',
  crown_width_m: 'f64',
  crown_volume_m3: 'f64',
  leaf_area_m2: 'f64',
  wood_area_m2: 'f64',
  wood_volume_m3: 'f64',
} as const;

/** `truth.voxels`: the parts of all plants in a grid of voxels; progress 'voxels' in triangles. */
export const voxelTruthRequestSchema = z.strictObject({
  minM: vector3.describe('corner of the grid'),
  stepM: z.tuple([edge, edge, edge]).describe('edges of a voxel'),
  split: voxelSplit,
  memoryLimitBytes: whole.describe("the worker refuses with 'scene-too-large' above it"),
});
export type VoxelTruthRequest = z.output<typeof voxelTruthRequestSchema>;

/** Chunks of `truth.voxels`: voxels from `from` on, k (z) fastest, then j, then i. */
export const voxelChunkSchema = z.strictObject({ from: whole, rows: whole });
export const voxelTruthColumns = { leaf_area_m2: 'f64', wood_area_m2: 'f64' } as const;

/** Zenith angles of beams in `truth.voxels` and `truth.gaps`: the middles of as many equal parts of a right angle. */
export const zenithSteps = 18;

export const voxelTruthReplySchema = z.strictObject({
  leafAreaM2: number.describe('one-sided, in the grid'),
  woodAreaM2: number,
  peakRssBytes: whole,
});

/**
 * `top_m`: world height of the highest part of a plant in each column of voxels, j fastest, NaN without one; `ground_m`:
 * of the ground in its middle. `leaf_shown_m2`, `wood_shown_m2`: Σ area · |cos of normal and beam| for a beam of each
 * zenith angle, in the mean over its azimuths.
 */
export const voxelReplyColumns = {
  top_m: 'f64',
  ground_m: 'f64',
  leaf_shown_m2: 'f64',
  wood_shown_m2: 'f64',
} as const;

/**
 * `truth.gaps`: rays from the ground up through the plants in a box, which repeats itself on all sides; progress 'gaps'
 * in rays.
 */
export const gapTruthRequestSchema = z.strictObject({
  minM: vector3,
  maxM: vector3,
  rays: z.int().min(zenithSteps).max(1_000_000_000).describe('of all zenith angles together'),
  seed: whole,
});
export type GapTruthRequest = z.output<typeof gapTruthRequestSchema>;

export const gapTruthReplySchema = z.strictObject({ raysPerZenith: whole });

/** By zenith angle: share of the rays that meet no part of a plant, and that meet no leaf. */
export const gapTruthColumns = { gap_fraction: 'f64', leaf_gap_fraction: 'f64' } as const;

/** Objects of the requests by the name that the native reader has for their fields. */
export const truthObjects = {
  plantTruthRequest: plantTruthRequestSchema,
  voxelTruthRequest: voxelTruthRequestSchema,
  gapTruthRequest: gapTruthRequestSchema,
} as const;
