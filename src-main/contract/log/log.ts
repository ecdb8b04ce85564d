// Logs: the beams of a real or simulated sensor in time order, each with its own pose. The head of a file, its columns,
// its summary; recordings/log/LOG.md has the bytes. The native reader has the same names (contract.h).
import { z } from 'zod';
import type { ColumnArrays, ColumnType } from '../columns.ts';
import { logSources } from './logSources.ts';

/** Version of the file format. */
export const logFormatVersion = 1;

/** Methods of the frames in a file. */
export const logFrames = { head: 'log.head', beams: 'log.beams', summary: 'log.summary' } as const;

/** Most beams of a chunk. Why: some 3 MB of columns, so that reader and writer need little memory. */
export const maxLogChunkBeams = 65_536;

/** Ranges of returns are below it. */
export const maxLogRangeM = 1e6;

/** Whether a return may have this range, also in single precision. */
export function isLogRange(rangeM: number): boolean {
  return Math.fround(rangeM) > 0 && Math.fround(rangeM) < maxLogRangeM;
}

/** Whether sources write this range where there is no return. */
export function isMissRange(rangeM: number): boolean {
  return rangeM === 0 || rangeM === -1 || !Number.isFinite(rangeM);
}

/** Values of the column `state`. */
export const beamStates = { unknown: 0, returned: 1, miss: 2, missInferred: 3 } as const;
/** Values of the column `label`. */
export const beamLabels = { unknown: 0, surface: 1, volume: 2 } as const;
/** Value of the column `laser` where the source names none. */
export const unknownLaser = 0xffff;

/** A column of a log. */
export interface LogColumn {
  type: ColumnType;
  /** SI unit, or '1' for a pure number, id or count. */
  unit: string;
  meaning: string;
  /** True: a file may lack it. */
  isOptional: boolean;
}

/** Every column, in the order of the file. One row is one beam: one pulse of one laser. */
export const logColumns = {
  time_ns: col('i64', 'ns', 'time at which the pulse left the sensor'),
  sweep: col('u32', '1', 'number of the scan, message or frame that the beam came in'),
  laser: col('u16', '1', 'laser, counted from 0 at the lowest elevation; 65535: unknown'),
  state: col('u8', '1', '0 unknown, 1 return, 2 miss, 3 inferred miss'),
  range_m: col('f32', 'm', 'distance from the origin of the beam; NaN without a return'),
  intensity: col('f32', '1', 'as the sensor reports it; NaN without a return or where unknown'),
  azimuth_rad: col('f32', 'rad', "azimuth in the sensor's frame, counter-clockwise from x"),
  origin_x_m: col('f32', 'm', "origin of the beam relative to the chunk's originM, x"),
  origin_y_m: col('f32', 'm', "origin of the beam relative to the chunk's originM, y"),
  origin_z_m: col('f32', 'm', "origin of the beam relative to the chunk's originM, z"),
  direction_x: col('f32', '1', 'direction in the world frame, length 1, x'),
  direction_y: col('f32', '1', 'direction in the world frame, length 1, y'),
  direction_z: col('f32', '1', 'direction in the world frame, length 1, z'),
  label: optional('u8', '1', '0 unknown, 1 surface, 2 volume (ground truth, classes of LAS)'),
  class_id: optional('u16', '1', "class: index in the head's classes; 0 without a return"),
  object_id: optional('u32', '1', 'id of the instance that was hit; 0 without a return'),
  true_range_m: optional('f32', 'm', 'distance to the hit itself; NaN without a return'),
  beam_share: optional(
    'f32',
    '1',
    'share of its pulse that the beam is; without it beams are pulses',
  ),
} as const satisfies Record<string, LogColumn>;

export type LogColumnName = keyof typeof logColumns;
/** All names, in the table's order. */
const logColumnNames = Object.keys(logColumns) as LogColumnName[];
/** Columns that every file has. */
export const requiredLogColumns = logColumnNames.filter((name) => !logColumns[name].isOptional);

/** Columns that a log may lack. */
export const optionalLogColumns = [
  'label',
  'class_id',
  'object_id',
  'true_range_m',
  'beam_share',
] as const satisfies LogColumnName[];
export type OptionalLogColumn = (typeof optionalLogColumns)[number];
type ArrayOf<N extends LogColumnName> = ColumnArrays[(typeof logColumns)[N]['type']];

type OriginName = 'origin_x_m' | 'origin_y_m' | 'origin_z_m';

/** Beams in memory: arrays of one length. Origins are double precision and relative to the head's originM. */
export type LogTable = {
  [N in Exclude<LogColumnName, OptionalLogColumn | OriginName>]: ArrayOf<N>;
} & {
  [N in OriginName]: Float64Array;
} & { [N in OptionalLogColumn]?: ArrayOf<N> };

/** The axes of origins. */
export const logOriginColumns = [
  'origin_x_m',
  'origin_y_m',
  'origin_z_m',
] as const satisfies OriginName[];

/** Columns of the summary: one row a chunk, boxes relative to the head's originM. */
export const logChunkColumns = {
  /** Offset of the chunk's section from the start of the file. */
  offset: 'u64',
  beams: 'u32',
  from_ns: 'i64',
  to_ns: 'i64',
  /** Box of the origins and of the ends of returns. */
  min_x_m: 'f64',
  min_y_m: 'f64',
  min_z_m: 'f64',
  max_x_m: 'f64',
  max_y_m: 'f64',
  max_z_m: 'f64',
} as const satisfies Record<string, ColumnType>;

const finite = z.number();
const positionM = z.tuple([finite, finite, finite]);
const interval = z.tuple([finite, finite]);

/** A part of the beams, as an import keeps it. */
const logCutsSchema = z.strictObject({
  /** Azimuths in the sensor's frame from the first counter-clockwise to the second, degrees. */
  azimuthDeg: interval.nullable(),
  /** Beams that end before it are left out; those that end behind it stay, without a return. */
  rangeM: interval.nullable(),
  /** Returns in this box of the vehicle's frame are left out: its lower and its upper corner. */
  bodyM: z.tuple([positionM, positionM]).nullable(),
});
export type LogCuts = z.output<typeof logCutsSchema>;

/** Origin of a log: an import, or a scan that wrote it. */
export type LogSource = keyof typeof logSources | 'scan';
// Why the cast: Object.keys loses the names.
const logSourceNames = ['scan', ...Object.keys(logSources)] as LogSource[];

/** Values that the import derives where a source does not state them. */
const derivedValues = ['time', 'laser', 'azimuth', 'origin', 'pose'] as const;
export type DerivedValue = (typeof derivedValues)[number];

/** How the beams without a return are known. */
const missKinds = ['recorded', 'inferred', 'unknown'] as const;
export type MissKind = (typeof missKinds)[number];

/** Which return a row is, where a pulse has several. */
export const logReturns = ['strongest', 'first', 'last'] as const;
export type LogReturn = (typeof logReturns)[number];
/** All: beams are parts of pulses, with the rest of each that did not return. */
export const allLogReturns = [...logReturns, 'all'] as const;
export type LogReturns = (typeof allLogReturns)[number];

/** The sensor, as far as it is known. */
const logSensorSchema = z.strictObject({
  name: z.string().max(200).nullable(),
  /** Number of lasers; 0: unknown. */
  lasers: z.int().min(0).max(65_535),
  /** Elevations by laser; empty: unknown. */
  elevationsRad: z.array(finite).max(65_535),
  minM: finite.nullable(),
  maxM: finite.nullable(),
  rangeStepM: finite.nullable(),
  azimuthStepRad: finite.nullable(),
  /** The firing pattern by which misses were inferred: firings of all lasers in one turn. */
  firingsPerTurn: finite.nullable(),
  turnsPerS: finite.nullable(),
  /** Recipe of a simulated sensor, with noise and detection (contract/worker/recipe.ts). */
  recipe: z.record(z.string(), z.unknown()).nullable(),
});
export type LogSensor = z.output<typeof logSensorSchema>;

/** The head of a log. */
export const logHeadSchema = z.strictObject({
  format: z.literal(logFormatVersion),
  understoryVersion: z.string().max(100),
  source: z.enum(logSourceNames),
  derived: z.array(z.enum(derivedValues)),
  /** World position that all others are relative to; axes x east, y north, z up. */
  originM: positionM,
  /** Coordinate system of the world: as scene.crs. */
  crs: z.string().nullable(),
  columns: z
    .array(z.enum(logColumnNames as [LogColumnName, ...LogColumnName[]]))
    .refine((names) => new Set(names).size === names.length, 'expected each column once'),
  /** Names by class_id. */
  classes: z.array(z.string()).max(65_536),
  sensor: logSensorSchema,
  /** Intensity of a white diffuse wall that faces the sensor; null: unknown. */
  intensityOfWhite: finite.nullable(),
  misses: z.enum(missKinds),
  /** Which return the rows are. */
  returns: z.enum(allLogReturns),
  cuts: logCutsSchema,
});
export type LogHead = z.output<typeof logHeadSchema>;

/** Body of the summary: counts of beams. `returns + misses + missesInferred + unknown = beams`. */
export const logCountsSchema = z.strictObject({
  beams: z.int().min(0),
  returns: z.int().min(0),
  misses: z.int().min(0),
  missesInferred: z.int().min(0),
  unknown: z.int().min(0),
});
export type LogCounts = z.output<typeof logCountsSchema>;

function col<T extends ColumnType>(type: T, unit: string, meaning: string): Col<T, false> {
  return { type, unit, meaning, isOptional: false };
}

function optional<T extends ColumnType>(type: T, unit: string, meaning: string): Col<T, true> {
  return { type, unit, meaning, isOptional: true };
}

type Col<T extends ColumnType, O extends boolean> = LogColumn & { type: T; isOptional: O };
