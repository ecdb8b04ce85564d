// log.*: logs of real and simulated sensors, made from runs and from files of other programs.
import { z } from 'zod';
import { finite, lengthUnits, positive, timeUnits } from '../documents/quantities.ts';
import { allLogReturns, type DerivedValue, type LogCounts, type LogSource } from '../log/log.ts';
import type { CompareReply } from '../worker/evaluate.ts';
import { estimateRequests, type EstimateReplies } from './estimateMethods.ts';
import { threads } from './requestFields.ts';
import { exportFormats } from './exportFormats.ts';

const file = z.string().min(1);
const position = z.tuple([finite, finite, finite]);

/** Requests of `log.*`. */
export const logRequests = {
  'log.import': z.strictObject({
    source: file.describe('id of a run, or an absolute file or folder'),
    out: file.describe('the log to write, absolute; ends in .log'),
    isReplacing: z.boolean().default(false).describe('false: an existing file is refused'),
    sensor: z.string().min(1).optional().describe('of a run with several'),
    cloud: z
      .string()
      .min(1)
      .optional()
      .describe('topic of the clouds, or sender of packets; default: the only one'),
    poses: z.string().min(1).optional().describe('topic of the poses; default: detected'),
    trajectory: file
      .optional()
      .describe('absolute file of poses, for files of clouds and captures of packets'),
    calibration: z
      .string()
      .min(1)
      .optional()
      .describe(
        'of a capture of packets: sensor file or id of a sample; default: that of its model',
      ),
    pose: z
      .union([position, z.tuple([finite, finite, finite, finite, finite, finite, finite])])
      .refine((values) => values.length === 3 || Math.hypot(...values.slice(3)) > 0, {
        message: 'expected a rotation, found (0, 0, 0, 0)',
      })
      .optional()
      .describe('of a sensor at rest in the world, in place of poses: x, y, z[, qx, qy, qz, qw]'),
    maxGapS: positive.optional().describe('longest time between two poses; default: 2 s'),
    timeField: z
      .string()
      .min(1)
      .optional()
      .describe('of points: their times; none: those of the clouds alone; default: by its name'),
    timeUnit: z.enum(timeUnits).optional().describe("of that field; default: by the field's name"),
    frame: z.string().min(1).optional().describe('of the log; default: the uppermost'),
    isInverse: z.boolean().default(false).describe('the poses are sensorFromWorld'),
    infersMisses: z.boolean().default(true).describe('where the source leaves them out'),
    returns: z
      .enum(allLogReturns)
      .default('strongest')
      .describe('of a pulse with several; all: for log.estimate'),
    azimuthDeg: z.tuple([finite, finite]).optional().describe('sector that is kept'),
    rangeM: z
      .tuple([finite, finite])
      .optional()
      .describe('returns outside are left out; a beam that ends behind it has passed it'),
    body: z
      .union([z.literal('vehicle'), z.tuple([position, position])])
      .optional()
      .describe("returns in the vehicle's body, of a run, or in a box of its frame, are left out"),
    fromS: finite.optional().describe('of the source, from its first beam'),
    toS: finite.optional(),
    crs: z.string().min(1).max(100_000).optional().describe('EPSG:n or WKT of the world'),
    unit: z
      .enum(lengthUnits)
      .optional()
      .describe('of positions in the world; default: as the source states, else metres'),
    maxM: positive.optional().describe("the sensor's longest range, where the source lacks it"),
    intensityOfWhite: positive
      .optional()
      .describe('intensity of a white diffuse wall, where the source lacks it'),
  }),
  'log.show': z.strictObject({
    log: file.describe('absolute'),
    maxPoints: z.int().min(0).max(4_000_000).default(0).describe('sent in chunks, evenly chosen'),
  }),
  'log.export': z.strictObject({
    log: file.describe('absolute'),
    out: file.describe('absolute'),
    isReplacing: z.boolean().default(false),
    format: z.enum(exportFormats).optional().describe("default: by the file's name"),
    misses: z.boolean().default(false).describe('also beams without a return'),
  }),
  'log.compare': z.strictObject({
    one: file.describe('id of a run, or an absolute file: a log or any source of log.import'),
    other: file.describe('likewise; the metrics are of the first against it'),
    threads,
  }),
  ...estimateRequests,
} as const satisfies Record<string, z.ZodType>;

/** Statistics of a log. */
export interface LogStatistics extends LogCounts {
  /** Box of the returns and of the sensor's places, in the world; null without beams. */
  extentM: { minM: [number, number, number]; maxM: [number, number, number] } | null;
  /** From the first beam to the last. */
  seconds: number;
  /** Lasers that occur, or that the sensor is known to have; 0: unknown. */
  lasers: number;
  /** SHA-256 of the contents. */
  hash: string;
  source: LogSource;
  derived: DerivedValue[];
  /** How beams without a return are known. */
  missesAre: 'recorded' | 'inferred' | 'unknown';
  sensor: string | null;
  crs: string | null;
  /** Bytes of the file. */
  chunks: number;
}

/** Replies of `log.*`. */
export interface LogReplies extends EstimateReplies {
  'log.import': LogStatistics & { file: string; notes: string[] };
  /** Chunks: x_m, y_m, z_m and origin_x_m … (f32, relative to the origin of the reply), intensity. */
  'log.show': LogStatistics & { originM: [number, number, number] };
  'log.export': { files: string[]; points: number; leftOut: string[] };
  'log.compare': CompareReply & { one: string; other: string; notes: string[] };
}
