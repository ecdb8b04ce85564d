// The file of a trajectory, as a survey or a motion names it.
import { z } from 'zod';
import { form } from './formWords.ts';
import { positive } from './quantities.ts';

/** Formats of trajectories: domain/trajectory/trajectoryText.ts. */
export const trajectoryFormats = ['tum', 'csv', 'kitti'] as const;

/** Fields of a document. */
export const trajectoryFile = {
  file: z
    .string()
    .min(1)
    .describe('TUM, CSV with named columns, or KITTI')
    .meta(form({ hint: 'TUM, CSV or KITTI', isWide: true })),
  format: z
    .enum(trajectoryFormats)
    .optional()
    .describe("default: by the file's name")
    .meta(form({ hint: 'empty: by the file name' })),
  maxGapS: positive
    .optional()
    .describe('longest time between two poses; default: 2')
    .meta(form({ fallback: 2 })),
};
