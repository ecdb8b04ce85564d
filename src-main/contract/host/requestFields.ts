// Fields that requests of several methods have in common.
import { z } from 'zod';
import { finite, poseDeg, positive } from '../documents/quantities.ts';
import { isas } from '../worker/worker.ts';

/** Instruction set of the worker's kernels. */
export const isa = z.enum(isas).optional();
export const threads = z.int().min(1).max(1024).optional();
/** Processes of an MPI program that trace one scan together. */
export const ranks = z
  .int()
  .min(1)
  .max(1024)
  .describe('MPI ranks with `threads` each, by default one; left out: one process without MPI');
/** Fields of documents with other values than in their files. */
export const settings = z
  .array(z.string().min(1).max(10_000))
  .max(1000)
  .optional()
  .describe('path=value, as in sensor.noise.rangeSigmaM=0: domain/scenario/settings.ts');
export const runId = z.string().min(1).describe('id of a run, or a prefix that only one run has');

/** Whose poses, and when. */
export const poseInterval = {
  objects: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('names, or patterns with *; default: all'),
  fromS: finite
    .nonnegative()
    .optional()
    .describe('beginning of the interval, simulated time; left out: that of the run'),
  toS: finite.nonnegative().optional().describe('included'),
  stepS: positive
    .min(1e-9)
    .optional()
    .describe(
      'poses at these steps, as pulses had them; left out: one per tick, or one for a scenario',
    ),
};

export const atS = finite
  .default(0)
  .describe('simulated time of the scene: what moves is where it is then');

/** An image of a scene at a time. */
export const imageFields = {
  atS,
  camera: poseDeg,
  widthPx: z.int().min(8).max(8192).default(1280).describe('width of the image'),
  heightPx: z.int().min(8).max(8192).default(720).describe('height of the image'),
  verticalFovDeg: positive
    .max(170)
    .default(50)
    .describe('vertical field of view of the perspective camera'),
  samplesPerPixel: z.int().min(1).max(256).default(4).describe('rays per pixel'),
  orthographicHeightM: positive
    .optional()
    .describe('height of the view of an orthographic camera; left out: perspective'),
};
