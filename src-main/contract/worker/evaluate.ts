// `learn.evaluate` and `log.compare` of the worker: a learned model against the beams of a log, and two logs against
// each other, in the metrics of Browning 2012, section 5.
import { z } from 'zod';
import { learnedKinds } from './learnedModel.ts';

const whole = z.int().nonnegative();
const shareOrNull = z.number().min(0).max(1).nullable();
const metresOrNull = z.number().min(0).nullable();

export const evaluateRequestSchema = z.strictObject({
  model: z.string().describe('file'),
  log: z.string().describe('file'),
  seed: z.int().nonnegative(),
  maxPoints: whole.max(1_000_000).describe('of the log and of the model in the reply, evenly'),
  memoryLimitBytes: whole,
});
export type EvaluateRequest = z.output<typeof evaluateRequestSchema>;

/** Two files of logs, or one, which is then compared with itself. */
export const compareRequestSchema = z.strictObject({
  logs: z.array(z.string()).min(1).max(2).describe('files'),
  memoryLimitBytes: whole,
});
export type CompareRequest = z.output<typeof compareRequestSchema>;

/** Metrics of some beams. */
const pairCounts = {
  beams: whole.describe('with a return, or known to have none'),
  returns: whole,
  misses: whole,
  hitsDetected: shareOrNull.describe("share of the log's returns that the other has, too"),
  missesDetected: shareOrNull.describe('share of its misses; null: it has none'),
  behind: shareOrNull.describe(
    "share of the log's returns that the other has more than 0.5 m farther",
  ),
  cloudM: metresOrNull.describe('D_pp of all returns; null: one has none'),
  negLogL: z.number().nullable().describe('mean −ln likelihood, per millimetre, with its floor'),
  underSampled: shareOrNull.describe('beams that met what fewer than 10 beams observed'),
};

export type PairMetrics = { [K in keyof typeof pairCounts]: z.output<(typeof pairCounts)[K]> };

const groups = {
  classes: z
    .array(
      z.strictObject({
        name: z.string().nullable().describe('of the return in the log; null: beams without one'),
        ...pairCounts,
      }),
    )
    .describe('none where the log has no classes'),
  ranges: z.array(
    z.strictObject({
      fromM: z.number().describe('of the return in the log'),
      toM: z.number().nullable().describe('null: the last'),
      ...pairCounts,
    }),
  ),
};

const counts = z.array(whole);

const histogramsSchema = z.strictObject({
  rangeStepM: z.number().positive(),
  logReturns: counts,
  otherReturns: counts,
  minDecade: z.number().describe('lower edge of the first bin, which holds all below'),
  decadesPerBin: z.number().positive(),
  likelihood: counts.describe('of beams, by log10 of the likelihood'),
});
export type PairHistograms = z.output<typeof histogramsSchema>;

const bhattacharyya = z
  .number()
  .min(0)
  .nullable()
  .describe(
    'of histograms by laser, 0.09° and 2 mm; null: the sensor moved, or they share nothing',
  );

export const evaluateReplySchema = z.strictObject({
  model: z.enum(learnedKinds),
  elements: whole,
  triangles: whole,
  points: whole,
  parameters: whole.describe('numbers that the model has (Browning 2012, table 8)'),
  ...pairCounts,
  sweepM: metresOrNull.describe('D_pp in the mean over sweeps'),
  bhattacharyya,
  ...groups,
  classNames: z.array(z.string()).describe('of the log, by the column log_class'),
  histograms: histogramsSchema,
  seconds: z.number(),
  peakRssBytes: whole,
});
export type EvaluateReply = z.output<typeof evaluateReplySchema>;

export const compareReplySchema = z.strictObject({
  haveSameBeams: z.boolean().describe('metrics are of the same beams in both'),
  ...pairCounts,
  otherBeams: whole,
  otherReturns: whole,
  sweepM: metresOrNull.describe('D_pp in the mean over pairs of sweeps; null: none are near'),
  sweeps: whole.describe('pairs of sweeps'),
  bhattacharyya,
  ...groups,
  seconds: z.number(),
  peakRssBytes: whole,
});
export type CompareReply = z.output<typeof compareReplySchema>;

/** Columns of the reply of `learn.evaluate` for drawings; positions are relative to the log's origin. */
export const evaluationColumns = {
  log_x_m: 'f32',
  log_y_m: 'f32',
  log_z_m: 'f32',
  log_class: 'u16',
  model_x_m: 'f32',
  model_y_m: 'f32',
  model_z_m: 'f32',
  /** 1: drawn on an element; 0: on a triangle or point. */
  model_is_volume: 'u8',
  /** A slice for a stationary sensor: beams of one laser within 5°, NaN without a return. */
  slice_azimuth_rad: 'f32',
  slice_log_range_m: 'f32',
  slice_model_range_m: 'f32',
} as const;

/** By the name that the native reader has for their fields. */
export const evaluateObjects = {
  evaluateRequest: evaluateRequestSchema,
  compareRequest: compareRequestSchema,
} as const;
