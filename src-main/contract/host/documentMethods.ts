// Documents as they are edited on screen: read, changed by edits that keep everything else of the text as it
// is, and saved. The text is the truth; what is checked follows from it.
import { z } from 'zod';
import type { Campaign } from '../documents/campaign.ts';
import type { FormatReference } from '../documents/formatReference.ts';
import type { Problem } from '../documents/problems.ts';
import { documentKinds } from '../documents/publishedSchemas.ts';
import { documentText } from '../documents/quantities.ts';
import type { Scenario } from '../documents/scenario.ts';
import type { Sensor } from '../documents/sensor.ts';
import type { DocumentFormat } from '../documents/versions.ts';

const kind = z.enum(['scenario', 'sensor', 'campaign']);
const file = z.string().min(1);

const editSchema = z.strictObject({
  path: z
    .array(z.union([z.string(), z.int().nonnegative()]))
    .min(1)
    .describe('from the document to the value: keys of mappings, indices of lists'),
  op: z
    .enum(['set', 'remove', 'insert', 'rename'])
    .describe(
      "set: replaces, or adds to a mapping; missing parents are created. insert: into a list before the index, or a mapping's new key. rename: another key, in its place",
    ),
  value: z.unknown().optional().describe('for rename: the new key'),
});

/** One change of a document. */
export type DocumentEdit = z.output<typeof editSchema>;
export type DocumentKind = z.output<typeof kind>;

/** Requests of `document.*`. */
export const documentRequests = {
  'document.read': z.strictObject({
    kind,
    document: z.string().min(1).describe('id of a sample, or a file'),
  }),
  'document.edit': z.strictObject({
    kind,
    text: documentText,
    file: file
      .optional()
      .describe('where the text is from: files that it names are looked for there'),
    edits: z.array(editSchema).max(10_000).default([]).describe('none: the text is checked only'),
  }),
  'document.save': z.strictObject({
    kind,
    file: file.describe('absolute; its folder is made where only that is missing'),
    text: documentText,
    isReplacing: z.boolean().describe('false: an existing file is refused'),
    knownHash: z
      .string()
      .optional()
      .describe('of the file as it was read: one that was changed since is refused'),
    from: file
      .optional()
      .describe(
        'where the text was read: what it names beside that file is found from the new one',
      ),
  }),
  'document.upgrade': z.strictObject({
    file: file.describe('a scenario, sensor, plant or campaign; absolute'),
    isDryRun: z.boolean().default(false).describe('true: nothing is written'),
  }),
  'document.mesh': z.strictObject({
    file: file.describe('OBJ, PLY or STL, as a scenario names it'),
    from: file.describe("the scenario's own file: relative names are seen from its folder"),
  }),
  'document.reference': z.strictObject({ kind: z.enum(documentKinds) }),
  'document.folder': z.strictObject({
    folder: file
      .optional()
      .describe('absolute: one of a document that was opened here, or below; default: the last'),
  }),
} as const satisfies Record<string, z.ZodType>;

/** Why a save was refused: details.reason of its 'bad-input'. */
export type SaveRefusal = 'sample' | 'exists' | 'changed-on-disk' | 'not-yaml' | 'relative';

/** Replies of `document.*`. */
export interface DocumentReplies {
  'document.read': {
    /** Absolute. */
    file: string;
    text: string;
    /** Comes with Understory: it can be saved under another name only. */
    isSample: boolean;
    /** SHA-256 of the file, hex. */
    hash: string;
  };
  'document.edit': {
    /** With every edit, or as it was where one was refused: then a problem says why. */
    text: string;
    /** The checked document, defaults filled in; null where the text itself has problems. */
    value: Scenario | Sensor | Campaign | null;
    /** The text as plain data, as it is written; null where it is not YAML. */
    data: unknown;
    /** For scenarios with `file`, including the problems of the files that it names. */
    problems: Problem[];
  };
  /** text: as it was saved, other than what was sent where `from` lies in another folder. */
  'document.save': { file: string; text: string; hash: string };
  /** Versions before and after; equal where there was nothing to do. */
  /** `notes`: what the present version cannot say and was left out. */
  'document.upgrade': { format: DocumentFormat; from: number; to: number; notes: Problem[] };
  /**
   * For an OBJ: the names of materials that its faces use, in the order of the file; colours of its libraries,
   * '#rrggbb' by those names; and the bounds of its vertices in the file's unit and axes. Nothing for PLY and STL.
   */
  'document.mesh': {
    materials: string[];
    colours: Record<string, string>;
    bounds: { min: [number, number, number]; max: [number, number, number] } | null;
  };
  /** Generated from the schema. */
  'document.reference': FormatReference;
  /** Names, sorted, hidden ones left out. */
  'document.folder': {
    /** Absolute; null: no document was opened yet. */
    folder: string | null;
    /** Null: it cannot be listed. */
    parent: string | null;
    folders: string[];
    files: string[];
    /** Folders of documents that were opened, absolute, the last first. */
    known: string[];
  };
}
