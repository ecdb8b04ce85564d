// The header of a learned model's file: what the model is, what it was learned from, and how. The file is a PLY
// (native-workers/core/learned/learnedFile.h); this object is in its comments.
import { z } from 'zod';
import { detectionRecipeSchema } from './sensorRecipe.ts';

/** The models of Browning 2012, table 1. */
export const learnedKinds = [
  'nearest-neighbors',
  'surface',
  'permeable-surface',
  'voxel',
  'top-down',
  'hybrid',
] as const;
export type LearnedKind = (typeof learnedKinds)[number];

/** Which elements a beam counts for (PHYSICS.md, 2.5): those that its end was fitted with, or all that hold its end. */
export const countingRules = ['owner', 'ellipsoid'] as const;

const notNegative = z.number().min(0);
const positive = z.number().positive();
const count = z.int().min(0).max(4294967294);

const learnedSensorSchema = z.strictObject({
  id: z.string(),
  minRangeM: notNegative,
  maxRangeM: notNegative,
  detection: detectionRecipeSchema.exactOptional().describe('left out: not known'),
});

const learnedHeaderSchema = z.strictObject({
  version: z
    .int()
    .min(1)
    .max(2)
    .describe('1: corners of faces count vertices of the surface; 2: rows of the vertices'),
  kind: z.enum(learnedKinds),
  elements: count.describe('the first so many vertices of the file'),
  surfaceVertices: count.describe('those after them'),
  points: count.describe('and those after these'),
  originM: z
    .tuple([z.number(), z.number(), z.number()])
    .describe('world position that the coordinates of the file are relative to'),
  crs: z
    .string()
    .min(1)
    .exactOptional()
    .describe('coordinate reference system of the world, as scene.crs; left out: not known'),
  counting: z.enum(countingRules),
  mahalanobisLimit: positive.max(100).describe('τ: distance at which an element ends'),
  surfaceSigmaM: notNegative.describe('σ0: range noise of surfaces and points, head on'),
  incidenceSigmaM: notNegative.describe('σa: its part that grows with sin θ/cos² θ'),
  pointRadiusM: positive.describe('d_max: a beam meets points nearer than this to its axis'),
  sensor: learnedSensorSchema.exactOptional().describe('the sensor of the logs; left out: several'),
  reflectanceScale: z.string().describe("what the logs' intensities were taken for"),
  classes: z.array(z.string()).min(1).max(65535),
  logHashes: z.array(z.string()),
  seed: z.int().nonnegative(),
  engine: z.string().describe('WorkerHello.learner'),
  parameters: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
});
export type LearnedHeader = z.output<typeof learnedHeaderSchema>;

/** By the name that the native reader has for their fields. */
export const learnedObjects = {
  learnedHeader: learnedHeaderSchema,
  learnedSensor: learnedSensorSchema,
} as const;
