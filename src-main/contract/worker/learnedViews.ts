// Views of logs and learned models, thinned by the worker to what can be shown: `log.cloud`, `learn.elements`,
// `learn.sample`, `learn.place`. Positions are single precision, relative to the originM of the reply.
import { z } from 'zod';
import { learnedKinds } from './learnedModel.ts';

const whole = z.int().nonnegative();
const number = z.number();
const vector3 = z.tuple([number, number, number]);
const file = z.string().min(1);
const shared = { memoryLimitBytes: whole.describe("more are refused with 'scene-too-large'") };

/** Most points of a view: what a page can show. */
export const maxViewPoints = 2_000_000;
/** Most elements, and most triangles, of a view. */
export const maxViewElements = 1_000_000;
/** Rows of a chunk of a view. */
export const viewChunkRows = 32_768;

const points = z.int().min(0).max(maxViewPoints);
const elements = z.int().min(0).max(maxViewElements);
const seed = z.int().nonnegative();

export const cloudRequestSchema = z.strictObject({
  log: file,
  maxPoints: points,
  ...shared,
});
export type CloudRequest = z.output<typeof cloudRequestSchema>;

export const elementsRequestSchema = z.strictObject({
  model: file,
  maxElements: elements.describe('those that look largest from the eye and are best observed'),
  maxTriangles: elements.describe('of coarser cells where there are more'),
  maxPoints: points.describe('evenly chosen'),
  eyeM: vector3.exactOptional().describe('place of the camera in the world; left out: far away'),
  ...shared,
});
export type ElementsRequest = z.output<typeof elementsRequestSchema>;

export const sampleRequestSchema = z.strictObject({
  model: file,
  log: file,
  maxPoints: points.describe('the beams are those of a cloud with this number of points'),
  seed: seed.describe('draws of a beam are those of learn.evaluate'),
  ...shared,
});
export type SampleRequest = z.output<typeof sampleRequestSchema>;

/** Fields of a place that is looked into, for host and worker alike. */
export const placeFields = {
  placeM: vector3.describe('in the world'),
  radiusM: z.number().min(0.001).max(10).describe('beams pass nearer than this'),
  windowM: z.number().min(0.01).max(100).describe('ranges so far before and behind the place'),
  bins: z.int().min(2).max(1000).describe('of the window'),
  draws: z.int().min(1).max(10_000_000).describe('of a model in all, for the beams in turn'),
} as const;

export const placeRequestSchema = z.strictObject({
  models: z.array(file).max(8),
  log: file,
  ...placeFields,
  seed,
  ...shared,
});
export type PlaceRequest = z.output<typeof placeRequestSchema>;

export const cloudReplySchema = z.strictObject({
  originM: vector3,
  beams: whole.describe('of the log'),
  returns: whole,
  misses: whole.describe('stated and inferred'),
  sent: whole,
  share: number.describe('of the beams that were chosen'),
  firstM: vector3.nullable().describe('where the sensor was at first; null: no beams'),
  lastM: vector3.nullable(),
  classes: z.array(z.string()),
  hash: z.string(),
  peakRssBytes: whole,
});
export type CloudReply = z.output<typeof cloudReplySchema>;

export const elementsReplySchema = z.strictObject({
  kind: z.enum(learnedKinds),
  originM: vector3,
  elements: whole,
  triangles: whole,
  points: whole,
  sentElements: whole,
  sentTriangles: whole,
  sentPoints: whole,
  cellM: number.describe('corners of triangles were gathered in cells of this edge; 0: none were'),
  mahalanobisLimit: number.describe('τ: distance at which an element ends'),
  classes: z.array(z.string()),
  peakRssBytes: whole,
});
export type ElementsReply = z.output<typeof elementsReplySchema>;

/** The parts of a learned model, as chunks name them. */
export const viewParts = ['elements', 'triangles', 'points'] as const;

export const elementsChunkSchema = z.strictObject({ part: z.enum(viewParts), rows: whole });
export type ElementsChunk = z.output<typeof elementsChunkSchema>;

export const sampleReplySchema = z.strictObject({
  originM: vector3,
  beams: whole.describe('that were drawn'),
  returns: whole.describe('of them in the log'),
  sent: whole.describe('of them in the model'),
  peakRssBytes: whole,
});
export type SampleReply = z.output<typeof sampleReplySchema>;

/** Numbers of beams past a place, by where they end. */
const outcomesSchema = z.strictObject({
  before: whole.describe('returns more than the window before the place'),
  within: whole,
  behind: whole,
  missed: whole.describe('without a return'),
});
export type Outcomes = z.output<typeof outcomesSchema>;

/** With the column `counts`: returns by bin, those of the log first, then those of each model. */
export const placeReplySchema = z.strictObject({
  beams: whole.describe('of the log that pass the place and are known to have been fired'),
  share: number.describe('of the beams of the log that were looked at'),
  sensorM: number.nullable().describe('mean distance of the sensor from the place; null: no beams'),
  nearestM: number.nullable(),
  farthestM: number.nullable(),
  outcomes: z.array(outcomesSchema).describe('of the log first, then of each model'),
  peakRssBytes: whole,
});
export type PlaceReply = z.output<typeof placeReplySchema>;

/** Columns of all views; a row has 3 values in `position` and `mean`, 6 in `factor`, 9 in `corners`. */
export const viewColumns = {
  /** Ends of returns, or points of a model. */
  position: 'f32',
  intensity: 'f32',
  class_id: 'u16',
  /** The beam met what fewer than 10 beams observed: 1. */
  under_sampled: 'u8',
  mean: 'f32',
  /** xx, yx, yy, zx, zy, zz of the lower triangle L of L·Lᵀ = Σ: L times a unit sphere is the ellipsoid of one σ. */
  factor: 'f32',
  corners: 'f32',
  permeability: 'f32',
  reflectance: 'f32',
  support: 'u32',
  counts: 'u32',
} as const;

const { position, intensity, class_id, under_sampled, counts, ...ofModel } = viewColumns;
export const cloudColumns = { position, intensity, class_id };
export const sampleColumns = { position, under_sampled };
export const placeColumns = { counts };
export const elementsColumns = { position, class_id, ...ofModel };

/** By the name that the native reader has for their fields. */
export const learnedViewObjects = {
  cloudRequest: cloudRequestSchema,
  elementsRequest: elementsRequestSchema,
  sampleRequest: sampleRequestSchema,
  placeRequest: placeRequestSchema,
} as const;
