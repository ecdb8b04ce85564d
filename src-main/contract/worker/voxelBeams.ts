// `log.voxels` of the worker: beams of logs through a grid of voxels, as sums from which estimators of leaf area density
// are made (PHYSICS.md, 2.14).
import { z } from 'zod';
import { leafAngleNames } from '../documents/plant.ts';
import { voxelSplit } from './voxelSplit.ts';

const whole = z.int().nonnegative();
const number = z.number();

export const voxelBeamsRequestSchema = z.strictObject({
  logs: z.array(z.string()).min(1).max(1000).describe('files; each with its own sensor'),
  minM: z.tuple([number, number, number]).describe('corner of the grid in the world'),
  voxelM: z.number().positive().max(1e6).describe('edge of a voxel'),
  split: voxelSplit,
  leafAngles: z.enum(leafAngleNames).describe('law of the angles of leaves to the vertical'),
  oneLeafM2: z.number().min(0).max(1e6).describe('area of a leaf; 0: leaves are small'),
  memoryLimitBytes: whole.describe("more are refused with 'scene-too-large'"),
});
export type VoxelBeamsRequest = z.output<typeof voxelBeamsRequestSchema>;

/** Voxels from `from` on, k (z) fastest, then j, then i. */
export const voxelBeamsChunkSchema = z.strictObject({ from: whole, rows: whole });

/**
 * Sums over beams, each times its share of a pulse. `beams`: 1 for each that entered; `lines`: for each whose line
 * crosses the voxel, also where it ended before; `hits`: for each that met an element; `path_m`: z, its length up to its
 * end; `line_m`: of the lines of all beams, also of those that ended before; `free_m`: G·z; `effective_m`: G·zₑ; `hit_effective_m`: G·zₑ of those that met an element; `potential_m`: G·L of the
 * lines of those that entered.
 */
export const voxelBeamsColumns = {
  beams: 'f64',
  lines: 'f64',
  hits: 'f64',
  path_m: 'f64',
  line_m: 'f64',
  free_m: 'f64',
  effective_m: 'f64',
  hit_effective_m: 'f64',
  potential_m: 'f64',
} as const;

export const voxelBeamsReplySchema = z.strictObject({ beams: whole, peakRssBytes: whole });

/** By the name that the native reader has for their fields. */
export const voxelBeamsObjects = { voxelBeamsRequest: voxelBeamsRequestSchema } as const;
