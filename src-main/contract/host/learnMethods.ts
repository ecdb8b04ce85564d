// Models learned from logs.
import { z } from 'zod';
import { seedNumber } from '../documents/quantities.ts';
import type { CompareReply, EvaluateReply } from '../worker/evaluate.ts';
import { learnParametersSchema, type LearnReply } from '../worker/learn.ts';
import { learnedKinds } from '../worker/learnedModel.ts';
import { threads } from './requestFields.ts';

/** Sets of parameters as they were published. */
export const learnPresetNames = ['browning-2012', 'deschaud-2012'] as const;
export type LearnPreset = (typeof learnPresetNames)[number];

const parts = learnParametersSchema.shape;

/** Requests about learned models. */
export const learnRequests = {
  'learn.start': z.strictObject({
    logs: z.array(z.string().min(1)).min(1).max(1000).describe('absolute files on the host'),
    model: z.enum(learnedKinds),
    out: z.string().min(1).describe('absolute file on the host, .ply'),
    isReplacing: z.boolean().default(false).describe('false: a file that is there is refused'),
    preset: z.enum(learnPresetNames).default('browning-2012'),
    parameters: z
      .strictObject({
        volume: parts.volume.partial().optional(),
        surface: parts.surface.partial().optional(),
        classifier: parts.classifier.partial().optional(),
      })
      .default({})
      .describe("in place of the preset's"),
    seed: seedNumber.default(1),
    threads,
  }),
  'learn.evaluate': z.strictObject({
    models: z.array(z.string().min(1)).min(1).max(100).describe('absolute files on the host'),
    log: z
      .string()
      .min(1)
      .describe('absolute file on the host: of another drive than the training'),
    floor: z
      .string()
      .min(1)
      .optional()
      .describe('absolute file on the host: a second log of reality; left out: the log itself'),
    seed: seedNumber.default(1).describe('of the ranges that models draw'),
    maxPoints: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe('of the log and of each model, sent in a chunk for each, for drawings'),
    threads,
  }),
} as const satisfies Record<string, z.ZodType>;

/** Difference of reality from itself, in the metrics that need no model. */
export type EvaluationFloor = Pick<
  CompareReply,
  'hitsDetected' | 'missesDetected' | 'sweepM' | 'cloudM' | 'bhattacharyya'
> & {
  /** The second log; null: sweeps of the log against each other. */
  log: string | null;
};

/** Replies to them. */
export interface LearnReplies {
  /** Progress: { phase, done, total }. */
  'learn.start': LearnReply & {
    file: string;
    /** Limits of the model, for a person. */
    notes: string[];
  };
  /**
   * Progress: { phase, done, total }, model by model. Chunks, with maxPoints: one for each model with { model: its index }
   * and the columns of worker/evaluate.ts evaluationColumns.
   */
  'learn.evaluate': {
    log: string;
    models: (EvaluateReply & { file: string })[];
    floor: EvaluationFloor;
  };
}
