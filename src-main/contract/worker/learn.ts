// `learn.model` of the worker: files of logs in, the file of a learned model out. Parameters have the defaults and, in
// their descriptions, the symbols of Browning 2012, table 12.
import { z } from 'zod';
import { countingRules, learnedKinds } from './learnedModel.ts';

const length = z.number().min(0.001).max(100);
const count = z.int().min(1).max(1_000_000);

/** Gaussians: voxels and clusters. */
const volumeParametersSchema = z.strictObject({
  counting: z.enum(countingRules).describe('which elements and triangles a beam counts for'),
  voxelM: length.describe('s: edge of a voxel'),
  choosesVoxel: z.boolean().describe('the edge by held-out likelihood; voxelM is not used then'),
  minPoints: count.describe('N_v: returns that an element needs'),
  mahalanobisLimit: z.number().min(0.5).max(10).describe('τ: distance at which an element ends'),
  minSigmaM: z.number().min(1e-5).max(1).describe('least standard deviation along any axis'),
  means: z.int().min(2).max(200).describe('K: clusters of a split'),
  stopPoints: count.describe('N_p: clusters with fewer returns are not split'),
  restarts: z.int().min(1).max(100).describe('starts of k-means; the best is used'),
});

const surfaceParametersSchema = z.strictObject({
  gridM: length.describe('s: edge of a cube of the grid'),
  kernelM: length.describe('K_s: radius of the kernel, also of normals'),
  hitOffsetM: length.describe(
    'Δ_r: a return so near to a triangle is a hit of it; within four times as much by the rule owner',
  ),
  pointRadiusM: length.describe('d_max: a beam meets points nearer than this to its axis'),
});

const classifierParametersSchema = z.strictObject({
  isLearned: z.boolean().describe('the seven below from labels, where the logs have them'),
  radiusM: length.describe('d: neighbourhood whose shape is judged'),
  defaultSphericity: z.number().min(0).max(1).describe('s_d: where there are too few neighbours'),
  minNeighbours: count.describe('N_min'),
  filterNeighbours: z.int().min(1).max(64).describe('N_f'),
  filterRadiusM: length.describe('d_f'),
  distanceWeight: z.number().min(0).max(1000).describe('α_d'),
  scoreWeight: z.number().min(0).max(1000).describe('α_s'),
  volumeSphericity: z.number().min(0).max(1).describe('s_vol: above it lies a volume'),
});

export const learnParametersSchema = z.strictObject({
  volume: volumeParametersSchema,
  surface: surfaceParametersSchema,
  classifier: classifierParametersSchema,
});
export type LearnParameters = z.output<typeof learnParametersSchema>;

/** The parameters as JSON Schema, for forms. */
export function learnParametersJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(learnParametersSchema);
}

export const learnRequestSchema = z.strictObject({
  logs: z.array(z.string()).describe('files'),
  out: z
    .string()
    .describe('file that is written, in a folder that is there; one that is there is replaced'),
  model: z.enum(learnedKinds),
  parameters: learnParametersSchema,
  seed: z.int().nonnegative(),
  memoryLimitBytes: z.int().nonnegative().describe("more are refused with 'scene-too-large'"),
});
export type LearnRequest = z.output<typeof learnRequestSchema>;

const whole = z.int().nonnegative();

export const learnReplySchema = z.strictObject({
  elements: whole,
  triangles: whole,
  points: whole,
  beams: whole,
  returns: whole,
  misses: whole.describe('stated and inferred'),
  knowsMisses: z.boolean().describe('every log has the beams of its source without a return'),
  crs: z
    .string()
    .nullable()
    .describe("coordinate reference system of the logs' world; null: not known"),
  parameters: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  surfaceSigmaM: z.number().describe('σ0'),
  incidenceSigmaM: z.number().describe('σa'),
  hash: z.string().describe('xxh3 of the file, hex'),
  seconds: z.number(),
  peakRssBytes: whole,
});
export type LearnReply = z.output<typeof learnReplySchema>;

/** By the name that the native reader has for their fields. */
export const learnObjects = {
  learnRequest: learnRequestSchema,
  learnParameters: learnParametersSchema,
  volumeParameters: volumeParametersSchema,
  surfaceParameters: surfaceParametersSchema,
  classifierParameters: classifierParametersSchema,
} as const;
