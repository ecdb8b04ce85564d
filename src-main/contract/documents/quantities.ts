// Small schemas shared by the documents a person writes: lengths, angles, vectors, names.
import { z } from 'zod';
import { form } from './formWords.ts';
import { type ReturnColumnName, returnColumnNames } from '../columns.ts';

// Why: the compiled parsers of zod need eval, which the renderer's content policy forbids. Here, because every
// schema of an object builds on this file, and it is while they are built that zod tries eval.
z.config({ jitless: true });

/**
 * The largest number there is: rays are single precision, times 64-bit nanoseconds. Beyond it squares
 * overflow, the tracer's assertions fail and clocks wrap.
 */
const largest = 1e9;

/** A number that is neither NaN nor infinite, nor beyond what can be traced. */
export const finite = z.number().min(-largest).max(largest);
export const positive = finite.positive();
export const notNegative = finite.nonnegative();
/** A side or radius of a shape: a micrometre at least. Shorter ones are mistakes, and their triangles have no area. */
export const shapeLength = finite.min(1e-6);
/** Units of lengths in files of other programs. `metresPerUnit` (domain/shared/lengths.ts) converts them. */
export const lengthUnits = ['m', 'cm', 'mm', 'in', 'ft', 'us-ft'] as const;
export type LengthUnit = (typeof lengthUnits)[number];
/** Units of times there. */
export const timeUnits = ['s', 'ms', 'us', 'ns'] as const;
export type TimeUnit = (typeof timeUnits)[number];
/** A share, 0 to 1. */
export const fraction = finite.min(0).max(1);
/** A whole number from 1. */
export const count = z.int().positive();

/** A random seed: 32 bits, as every generator takes them. */
export const seedNumber = z
  .int()
  .nonnegative()
  .max(2 ** 32 - 1);

/** x, y in metres. */
export const vector2 = z.tuple([finite, finite]).meta(form({ parts: ['x', 'y'] }));
/** x, y, z in metres. */
export const vector3 = z
  .tuple([finite, finite, finite])
  .meta(form({ parts: ['x', 'y', 'z'], isWide: true }));

/** Discs of an area without instances. */
export const exclusionZones = z
  .array(
    z.strictObject({
      centreM: vector2.describe('centre of a disc without instances'),
      radiusM: positive.describe('radius of the disc'),
    }),
  )
  .default([])
  .describe('discs without instances')
  .meta(
    form({
      label: 'Exclusion zones',
      unit: 'm',
      control: 'circles',
      hint: 'one x, y, radius per line',
    }),
  );

/** An inclusive range from the smaller to the larger value. */
export const span = z
  .tuple([finite, finite])
  .refine(([from, to]) => from <= to, 'expected [from, to] with from no larger than to')
  .meta(form({ parts: ['from', 'to'] }));

/** Names that also serve in file names and on the command line. */
export const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]*$/i, 'expected letters, digits, dot, underscore and hyphen')
  .max(80);

/** Title of something: one line, shown in lists and messages. Blanks at its ends are no part of it. */
export const title = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(
    /^[^\u0000-\u001f\u007f-\u009f]*$/,
    'expected one line of text without control characters',
  );

/** A SHA-256 as text. */
export const sha256Hex = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hexadecimal digits');

/** '#rrggbb', used for pictures only. */
export const colourHex = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "expected a colour like '#3a7d2c'")
  .meta(form({ control: 'colour' }));

/** Position and orientation in requests: z up, yaw counter-clockwise from x, pitch down. */
export const poseDeg = z.strictObject({
  positionM: vector3,
  yawDeg: finite,
  pitchDeg: finite.default(0),
});

/** Text of a document, e.g. in place of its file's. A frame's header has room for it. */
export const documentText = z.string().max(8 * 1024 * 1024);

/** A column of the returns. */
export const columnName = z.enum(returnColumnNames as [ReturnColumnName, ...ReturnColumnName[]]);
