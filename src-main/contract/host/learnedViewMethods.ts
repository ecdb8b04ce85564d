// Logs and learned models on a page: those in the data folder, and views of them that the worker has
// thinned to what can be drawn (contract/worker/learnedViews.ts has the columns of chunks).
import { z } from 'zod';
import { finite, seedNumber } from '../documents/quantities.ts';
import type { LearnedHeader } from '../worker/learnedModel.ts';
import {
  maxViewElements,
  maxViewPoints,
  placeFields,
  type CloudReply,
  type ElementsReply,
  type PlaceReply,
  type SampleReply,
} from '../worker/learnedViews.ts';
import type { LogStatistics } from './logMethods.ts';

const file = z.string().min(1);
const files = z.array(file).max(200).default([]).describe('others, absolute, wherever they are');
const maxPoints = z.int().min(0).max(maxViewPoints).default(maxViewPoints);
const maxElements = z.int().min(0).max(maxViewElements);

/** Requests about them. */
export const learnedViewRequests = {
  'learn.models': z.strictObject({ files }),
  'learn.elements': z.strictObject({
    model: file.describe('absolute'),
    maxElements: maxElements.default(200_000),
    maxTriangles: maxElements.default(400_000),
    maxPoints,
    eyeM: z.tuple([finite, finite, finite]).optional().describe('of the camera, in the world'),
  }),
  'learn.sample': z.strictObject({
    model: file.describe('absolute'),
    log: file.describe('absolute: its beams are drawn in the model'),
    maxPoints,
    seed: seedNumber.default(1),
  }),
  'learn.place': z.strictObject({
    models: z.array(file).max(8).default([]).describe('absolute'),
    log: file.describe('absolute'),
    ...placeFields,
    radiusM: placeFields.radiusM.default(0.1),
    windowM: placeFields.windowM.default(1),
    bins: placeFields.bins.default(50),
    draws: placeFields.draws.default(150_000).describe('Deschaud 2012, figure 1: 150,000'),
    seed: seedNumber.default(1),
  }),
  'log.list': z.strictObject({ files }),
  'log.cloud': z.strictObject({ log: file.describe('absolute'), maxPoints }),
} as const satisfies Record<string, z.ZodType>;

/** A file of the data folder, or one that was asked for. */
interface ListedFile {
  /** Absolute. */
  file: string;
  bytes: number;
  modifiedMs: number;
  /** Why it cannot be used; null: it can. */
  problem: string | null;
}

export interface ListedModel extends ListedFile {
  /** Null where it cannot be used. */
  header: (LearnedHeader & { triangles: number }) | null;
  /** The coordinate reference system of the header, where a scenario may state it; otherwise null. */
  sceneCrs: string | null;
}

export interface ListedLog extends ListedFile {
  /** Null where it cannot be used. */
  statistics: LogStatistics | null;
}

/** Replies to them. Views report progress: { phase, done, total }. */
export interface LearnedViewReplies {
  /** folder: where models of the data folder are; it need not exist. The newest first. */
  'learn.models': { folder: string; models: ListedModel[] };
  /** Chunks: body { part, rows }, columns of elementsColumns. */
  'learn.elements': ElementsReply;
  /** Chunks: columns of sampleColumns. */
  'learn.sample': SampleReply;
  /** Column `counts`: `bins` for the log, then for each model. */
  'learn.place': PlaceReply;
  'log.list': { folder: string; logs: ListedLog[] };
  /** Chunks: columns of cloudColumns. */
  'log.cloud': CloudReply;
}
