// Single scans, renders and depth maps of a scene that is built for them and gone afterwards.
import { z } from 'zod';
import { columnName, finite, poseDeg, positive, seedNumber } from '../documents/quantities.ts';
import { datasetFormats, endingsText, scanFileFormats } from './exportFormats.ts';
import { trajectoryFormats } from '../documents/trajectoryFile.ts';
import { atS, imageFields, isa, ranks, settings, threads } from './requestFields.ts';
import type { SceneSummary } from '../worker/worker.ts';

const seed = seedNumber.optional();

const trajectoryFile = z
  .strictObject({
    file: z.string().min(1).describe('absolute file on the host'),
    format: z.enum(trajectoryFormats).optional().describe("default: by the file's name"),
    maxGapS: positive.optional().describe('longest time between two poses; default: 2 s'),
  })
  .describe("poses of the sensor over time: each pulse has the sensor's pose at its own time");

/** Requests for scans, renders and depth maps. */
export const scanRequests = {
  'scan.start': z
    .strictObject({
      scenario: z.string(),
      sensor: z
        .string()
        .optional()
        .describe('a sensor file, or the id of a sample; default: the one that the survey names'),
      rateHz: positive
        .optional()
        .describe("turns, sweeps or images per second; default: the sensor's own"),
      mode: z.string().optional().describe("return mode; default: the sensor's own"),
      pose: poseDeg
        .optional()
        .describe(
          "the sensor's own pose; or a trajectory; without both the scenario's survey runs",
        ),
      trajectory: trajectoryFile.optional(),
      fromS: finite.optional().describe('start; default: 0, or the first pose of the trajectory'),
      toS: finite.optional().describe('end, in place of seconds'),
      seconds: positive
        .optional()
        .describe('default: up to the last pose of the trajectory; from a pose: one panorama'),
      part: z
        .strictObject({
          index: z.int().min(1).describe('from 1'),
          of: z.int().min(1).max(1_000_000).describe('parts of equal length in all'),
        })
        .refine(({ index, of }) => index <= of, {
          path: ['index'],
          message: 'expected a part from 1 to the number of parts',
        })
        .optional()
        .describe('one of several equal parts of the whole'),
      seed,
      settings,
      columns: z.array(columnName).min(1).optional().describe('default: those of a CSV file'),
      misses: z.boolean().default(false).describe('a row for every pulse without a return, too'),
      out: z
        .string()
        .min(1)
        .optional()
        .describe(
          `absolute file on the host, one of ${endingsText(scanFileFormats)}: no chunks are sent then`,
        ),
      format: z
        .enum(datasetFormats)
        .optional()
        .describe('layout of a folder `out`; left out: the format of the file'),
      frame: z
        .enum(['world', 'sensor'])
        .optional()
        .describe("of the points in a file; sensor: each at its pulse's own time. Default: world"),
      isReplacing: z
        .boolean()
        .default(false)
        .describe('false: files that are there are refused, those of rays and waveforms too'),
      rays: z
        .string()
        .min(1)
        .optional()
        .describe('absolute file on the host, .csv or .npz: the rays, hit by hit'),
      posesOut: z
        .string()
        .min(1)
        .optional()
        .describe("absolute file on the host, .tum or .csv: the sensor's pose at each pulse time"),
      waveforms: z
        .string()
        .min(1)
        .optional()
        .describe('absolute file on the host, .npz: what the receiver sampled'),
      threads,
      ranks: ranks.optional(),
      isa,
    })
    .refine(({ pose, trajectory }) => pose === undefined || trajectory === undefined, {
      path: ['pose'],
      message: 'expected a pose or a trajectory, not both',
    })
    .refine(({ pose, sensor }) => pose === undefined || sensor !== undefined, {
      path: ['sensor'],
      message: 'expected a sensor, since a pose is given',
    })
    .refine(({ trajectory, sensor }) => trajectory === undefined || sensor !== undefined, {
      path: ['sensor'],
      message: 'expected a sensor, since a trajectory is given',
    })
    .refine(({ seconds, toS }) => seconds === undefined || toS === undefined, {
      path: ['toS'],
      message: 'expected an end or a duration, not both',
    })
    .refine(
      ({ pose, part, fromS, toS, seconds }) => {
        return part === undefined || pose !== undefined || (fromS ?? toS ?? seconds) === undefined;
      },
      {
        path: ['part'],
        message: 'expected a part or an interval, not both',
      },
    )
    .refine(({ frame, out = '' }) => frame === undefined || !out.toLowerCase().endsWith('.mcap'), {
      path: ['frame'],
      message: 'expected no frame with an .mcap file, which has clouds and poses',
    })
    .refine(
      ({ format, frame, columns, out = '' }) =>
        format !== undefined ||
        !out.toLowerCase().endsWith('.log') ||
        (frame ?? columns) === undefined,
      {
        path: ['out'],
        message: 'expected no frame and no columns with a .log file, which has its own',
      },
    )
    .refine(({ format, part }) => format === undefined || part === undefined, {
      path: ['part'],
      message: 'expected no part with a layout of a folder, which has none',
    })
    .refine(
      ({ format, frame, columns }) => format === undefined || (frame ?? columns) === undefined,
      {
        path: ['format'],
        message: 'expected no frame and no columns with a layout of a folder, which says both',
      },
    ),
  'scan.join': z.strictObject({
    parts: z
      .array(z.string().min(1))
      .min(1)
      .max(100_000)
      .describe('absolute files on the host, each with FILE.part.json beside it, in any order'),
    out: z.string().min(1).describe('absolute file on the host, of the format of the parts'),
    isReplacing: z.boolean().default(false).describe('false: a file that is there is refused'),
  }),
  'render.start': z.strictObject({
    scenario: z.string(),
    seed,
    settings,
    ...imageFields,
  }),
  'render.depth': z
    .strictObject({
      scenario: z.string(),
      seed,
      settings,
      atS,
      camera: poseDeg,
      widthPx: z.int().min(1).max(16384).describe('width of the image'),
      heightPx: z.int().min(1).max(16384).describe('height of the image'),
      horizontalFovDeg: positive
        .max(170)
        .default(60)
        .describe('between the outer edges; pixels are square'),
      maxRangeM: positive.default(1000).describe('what lies farther along a ray is not seen'),
      kind: z
        .enum(['planar', 'ray'])
        .default('planar')
        .describe("planar: distance ahead of the camera's plane; ray: from the camera itself"),
      threads,
      isa,
    })
    .refine(({ widthPx, heightPx }) => widthPx * heightPx <= 2 ** 27, {
      path: ['widthPx'],
      message: 'expected at most 2^27 pixels in all (134 million)',
    }),
} as const satisfies Record<string, z.ZodType>;

/** Replies to them. */
export interface ScanReplies {
  /**
   * Chunks: { rows }, of a survey with { leg }, with the columns asked for. Reply: classes gives the names of class_id.
   * With `out`, files lists what was written and leftOut the columns that the format cannot hold.
   */
  'scan.start': {
    files: string[];
    leftOut: string[];
    /** Fields of the scenario that have no effect on this sensor. */
    notes: string[];
    pulses: number;
    rays: number;
    hits: number;
    returns: number;
    rows: number;
    /** Those of a survey with pulses in the interval, in order; `leg` counts from 1. */
    legs: { leg: number; name: string; pulses: number; returns: number }[];
    /** Rows of the file of rays, where one was asked for. */
    rayRows: number | null;
    /** Pulses of the file of waveforms, where one was asked for. */
    waveforms: number | null;
    /** As ScanReply.hash; empty with several legs and with .mcap, which keeps one hash for each of its scans. */
    hash: string;
    classes: string[];
    summary: SceneSummary;
  };
  /** Counts are those of all parts; `fromS` and `toS` are the whole scan's. */
  'scan.join': { files: string[]; parts: number; rows: number; fromS: number; toS: number };
  /** Column rgb u8. */
  'render.start': { widthPx: number; heightPx: number };
  /** Column depth_m f32: metres, row by row from the top left, NaN where nothing was met. */
  'render.depth': {
    widthPx: number;
    heightPx: number;
    /** Pixels that met something. */
    pixelsMet: number;
    /** Least and greatest depth; null where nothing was met. */
    nearestM: number | null;
    farthestM: number | null;
  };
}
