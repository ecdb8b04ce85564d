// scenario.truth: measures of plants, voxels and a plot of a scenario.
import { z } from 'zod';
import { finite, positive, seedNumber } from '../documents/quantities.ts';
import { settings, threads } from './requestFields.ts';

const file = z.string().min(1);
const corner = z.tuple([finite, finite, finite]);

/** Requests of `scenario.truth`. Files are absolute. */
export const truthRequests = {
  'scenario.truth': z.strictObject({
    scenario: z.string(),
    seed: seedNumber.optional(),
    settings,
    threads,
    out: file.optional().describe('CSV: a row a plant'),
    voxelsOut: file.optional().describe('.vox, .csv or .npz: leaf and wood area of each voxel'),
    plotOut: file
      .optional()
      .describe('.npz or .json: gap fractions, leaf area index, heights of canopy and terrain'),
    canopyOut: file.optional().describe('.tif: heights of the canopy above the ground'),
    terrainOut: file.optional().describe('.tif: heights of the ground'),
    voxelM: positive.max(1000).default(0.5).describe('edge of a voxel, and of a cell of a plot'),
    boxM: z
      .tuple([corner, corner])
      .optional()
      .describe(
        'two corners in the world, also of the feet of plants; default: the box of all plants, in whole voxels',
      ),
    rays: z.int().min(1000).max(1_000_000_000).default(1_000_000).describe('through a plot'),
    isReplacing: z.boolean().default(false).describe('false: existing files are refused'),
  }),
} as const satisfies Record<string, z.ZodType>;

/** Leaf and wood area of a box. */
export interface VoxelSummary {
  minM: [number, number, number];
  maxM: [number, number, number];
  split: [number, number, number];
  voxelM: number;
  leafAreaM2: number;
  woodAreaM2: number;
}

/** A plot by zenith angle and as a whole (PHYSICS.md, 2.13). Null: too few rays pass to say. */
export interface PlotSummary {
  groundAreaM2: number;
  raysPerZenith: number;
  leafAreaIndex: number;
  /** Leaves, and half of the wood's surface. */
  plantAreaIndex: number;
  effectiveLeafAreaIndex: number;
  effectivePlantAreaIndex: number;
  zeniths: {
    zenithDeg: number;
    gapFraction: number;
    leafGapFraction: number;
    clumping: number | null;
    leafClumping: number | null;
  }[];
}

/** Replies of `scenario.truth`. */
export interface TruthReplies {
  'scenario.truth': {
    plants: number;
    /** Sums of all plants; the leaf area is one-sided. */
    leafAreaM2: number;
    woodAreaM2: number;
    woodVolumeM3: number;
    voxels: VoxelSummary | null;
    plot: PlotSummary | null;
    files: string[];
  };
}
