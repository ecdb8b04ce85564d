// log.estimate: leaf area density of voxels from the beams of logs.
import { z } from 'zod';
import { estimateFields, voxelBox } from '../documents/estimate.ts';
import { threads } from './requestFields.ts';

const file = z.string().min(1);

/** Request of `log.estimate`. Files are absolute. */
export const estimateRequests = {
  'log.estimate': z.strictObject({
    logs: z.array(file).min(1).max(1000).describe('of one site, each with its own sensor'),
    out: file.describe('.csv, .npz or .vox'),
    isReplacing: z.boolean().default(false).describe('false: an existing file is refused'),
    ...estimateFields,
    boxM: voxelBox.describe(
      'two corners in the world; default: around sensors and returns, in whole voxels',
    ),
    truth: file.optional().describe('.npz of scenario.truth with the same voxels'),
    threads,
  }),
} as const satisfies Record<string, z.ZodType>;

/** Errors of an estimator over the voxels that it knows. Null: there is none. */
export interface EstimatorErrors {
  voxels: number;
  /** Σ estimated over Σ true, less 1. */
  relativeBias: number | null;
  /** Root of the mean squared difference, m² in 1 m³. */
  rmse: number | null;
  /** The same over the mean truth. */
  relativeRmse: number | null;
}

export const estimatorNames = ['contact', 'likelihood', 'beerLambert'] as const;
export type EstimatorName = (typeof estimatorNames)[number];

export interface EstimateReplies {
  /** Progress: { phase, done, total }. */
  'log.estimate': {
    file: string;
    beams: number;
    minM: [number, number, number];
    maxM: [number, number, number];
    split: [number, number, number];
    voxelM: number;
    voxels: {
      /** With enough beams. */
      known: number;
      /** With fewer. */
      fewBeams: number;
      /** Beams end before they reach it. */
      occluded: number;
      /** No line of a beam crosses it. */
      unseen: number;
    };
    /** Share of the volume that lines of beams cross, by length, which no beam reaches. */
    occludedShare: number | null;
    /** One-sided leaf area of the voxels that the estimator knows, m². */
    leafAreaM2: Record<EstimatorName, number>;
    errors: Record<EstimatorName, EstimatorErrors> | null;
    /** Limits of the estimates, for a person. */
    notes: string[];
  };
}
