// scenario.import: files of other programs become a scenario. The reply is an account of what came over and what did
// not.
import { z } from 'zod';
import { finite, lengthUnits } from '../documents/quantities.ts';

/** Formats of files that can be imported. `importFormatOf` (domain/import/formats.ts) finds one by a file's name. */
export const importFormats = [
  'tree-list',
  'ascii-grid',
  'geotiff',
  'gltf',
  'mavs',
  'helios',
] as const;

const file = z.string().min(1);
const place = z.tuple([z.number(), z.number()]);

/** Requests of `scenario.import`. */
export const importRequests = {
  'scenario.import': z.strictObject({
    files: z.array(file).min(1).max(16).describe('absolute; their contents make one scenario'),
    out: file.describe('the scenario to write, absolute; other files are written beside it'),
    format: z.enum(importFormats).optional().describe("of every file; default: by the file's name"),
    isReplacing: z.boolean().default(false).describe('false: existing files are refused'),
    crs: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .describe("coordinate reference system, EPSG:n or WKT; default: the files'"),
    unit: z.enum(lengthUnits).default('m').describe('of columns of a tree list that state none'),
    columns: z
      .record(z.string(), z.string())
      .default({})
      .describe('of a tree list: titles by field (x, y, dbh …), with a unit after a colon: DIA:in'),
    plotCentreM: z
      .tuple([finite, finite])
      .default([0, 0])
      .describe('of a tree list: zero of distances and azimuths'),
    skipsBadRows: z
      .boolean()
      .default(false)
      .describe('of a tree list: lines that are no trees are left out and counted'),
    meshes: z
      .array(file)
      .max(16)
      .default([])
      .describe('absolute folders in which the files that a scene names are looked for first'),
    areaM: z
      .tuple([place, place])
      .optional()
      .describe(
        'opposite corners of the part of a terrain that is imported, in its coordinates; default: all of it',
      ),
    cellM: z
      .number()
      .positive()
      .optional()
      .describe(
        "distance of heights of a terrain: means of the file's, or of an overview in it; default, and at least: that of the file",
      ),
    species: z
      .record(z.string(), z.string())
      .default({})
      .describe('plant (id or absolute file) by the name of a species; * for all others'),
  }),
} as const satisfies Record<string, z.ZodType>;

export type ImportFormat = (typeof importFormats)[number];

/** So many of one kind; `what` is a phrase such as 'trees' or 'animations (scenes do not move)'. */
export interface ImportCount {
  what: string;
  count: number;
}

/** Replies of `scenario.import`. */
export interface ImportReplies {
  'scenario.import': {
    /** Absolute: the scenario, and what was written beside it. */
    scenario: string;
    files: string[];
    /** One for each file of the request, in its order. */
    sources: {
      file: string;
      format: ImportFormat;
      imported: ImportCount[];
      ignored: ImportCount[];
      notes: string[];
    }[];
    /** Oddities of meshes that do not stop the scenario, as of scenario.check. */
    notices: { path: string; message: string }[];
  };
}
