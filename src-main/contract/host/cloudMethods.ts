// Clouds that are larger than what a page draws, as octrees (recordings/octree/OCTREE.md): a page opens one, chooses nodes
// by what its camera sees, and reads them.
import { z } from 'zod';
import type { Arrays, ColumnTypes } from '../columns.ts';

/** Most nodes of one request: some ten megabytes. */
const maxNodesOfRequest = 64;

const octreeKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256 of what the octree is made from');

const cloudSource = z.union([
  z.strictObject({ log: z.string().min(1).describe('absolute file of a log') }),
  z.strictObject({ scan: octreeKey.describe('as scene.scan with maxRows called what it saved') }),
  z.strictObject({ file: z.string().min(1).describe('absolute file of points') }),
  z.strictObject({
    run: z.string().min(1).describe('its id, or the start of it; one that has ended'),
    sensor: z.string().min(1).optional().describe('by its name; left out: all sensors'),
  }),
]);
export type CloudSource = z.output<typeof cloudSource>;

/** Distances between clouds are measured up to here. */
export const maxCloudDistanceM = 10;

/** Files of points that are read. */
export const pointFileEndings = ['.las', '.laz', '.ply', '.pcd'] as const;

/** Requests about them. */
export const cloudRequests = {
  'cloud.open': z.strictObject({
    source: cloudSource.describe('whose returns; positions are relative to its origin'),
    distancesTo: cloudSource
      .optional()
      .describe('points have their distances to the nearest point of this cloud'),
    mayBuild: z.boolean().default(true).describe('false: only one that is in the cache'),
  }),
  'cloud.list': z
    .strictObject({
      files: z.array(z.string().min(1)).max(200).default([]).describe('others, absolute'),
    })
    .describe('files of points in the folder clouds of the data folder'),
  'cloud.keep': z
    .strictObject({ upload: z.string().describe('a file that runs.receive has received') })
    .describe('moves a file of points to the folder clouds of the data folder'),
  'cloud.nodes': z.strictObject({
    key: octreeKey,
    nodes: z
      .array(z.int().nonnegative())
      .min(1)
      .max(maxNodesOfRequest)
      .describe('rows of the columns of cloud.open'),
  }),
} as const satisfies Record<string, z.ZodType>;

const whole = z.int().nonnegative();
const vector3 = z.tuple([z.number(), z.number(), z.number()]);

/** The octree of a cloud, as its file states it. */
export const octreeHeadSchema = z.strictObject({
  format: z.literal(1),
  key: octreeKey,
  points: whole,
  originM: vector3.describe('world position that all others are relative to'),
  minM: vector3.describe('lowest corner of the cube of the root'),
  edgeM: z.number().positive().describe('of the cube of the root; halves with each level'),
  spacingM: z.number().positive().describe('of the points of the root; halves with each level'),
  classes: z.array(z.string()),
  hasColour: z.boolean().default(false).describe('its points have colours'),
  distances: z
    .strictObject({
      to: octreeKey.describe('the other cloud'),
      found: whole.describe('points that have one within maxCloudDistanceM'),
      meanM: z.number().nonnegative().describe('of these'),
      rmsM: z.number().nonnegative().describe('of these'),
    })
    .nullable()
    .default(null)
    .describe('of its points to those of another cloud'),
});
export type OctreeHead = z.output<typeof octreeHeadSchema>;

/** Returns of a scan that were saved for its octree, as their file states them. */
export const savedPointsHeadSchema = octreeHeadSchema.pick({
  format: true,
  key: true,
  points: true,
  originM: true,
  classes: true,
});
export type SavedPointsHead = z.output<typeof savedPointsHeadSchema>;

/** A row for each node with points; `x`, `y`, `z` count its cube among those of its level, from the lowest corner. */
export const octreeNodeColumns = {
  level: 'u8',
  x: 'u32',
  y: 'u32',
  z: 'u32',
  points: 'u32',
} as const satisfies ColumnTypes;
export type OctreeNodeColumns = Arrays<typeof octreeNodeColumns>;

/**
 * Columns of the points of a node; `position` and `colour` have three values a row, positions relative to the head's
 * originM, colours red, green and blue. Only clouds with hasColour have `colour`, and those with distances `distance`, in
 * metres, NaN where it is above maxCloudDistanceM.
 */
export interface CloudNodeColumns {
  position: Float32Array;
  intensity: Float32Array;
  distance?: Float32Array;
  class_id: Uint16Array;
  colour?: Uint8Array;
}

/** Body of a chunk of cloud.nodes, whose columns are CloudNodeColumns. */
export interface CloudNodeChunk {
  node: number;
}

export interface ListedCloud {
  /** Absolute. */
  file: string;
  bytes: number;
  modifiedMs: number;
  /** Why it cannot be read; null: it can. */
  problem: string | null;
}

/** Replies to them. */
export interface CloudReplies {
  /**
   * Null: it is not in the cache and was not to be built. Columns: octreeNodeColumns. Progress while it is built:
   * { phase, done, total }. @throws 'not-found' for a scan that left the cache, and for a run in the trash; 'locked' for a
   * run that is under way; 'unsupported' for distances to a cloud that does not fit in memory; as the reader of the source
   */
  'cloud.open': { octree: OctreeHead | null };
  'cloud.list': { folder: string; clouds: ListedCloud[] };
  'cloud.keep': { file: string };
  /** A chunk for each node, in the order of the request. 'not-found': the octree left the cache. */
  'cloud.nodes': { nodes: number };
}
