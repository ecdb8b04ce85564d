// The columns of a return: one table of names, types, units and meanings, used by every reader and
// writer: the worker's protocol, recordings, exporters, the catalogue and the screen.
// A row is one return, or, where misses were asked for, one pulse without an echo
// (return_no 0, n_returns 0, measured values NaN, ids 0).
import { UnderstoryError } from './errors.ts';

/** Element types of a column, as named on the wire and on disk; all little-endian. */
export const columnTypes = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  u64: BigUint64Array,
  i64: BigInt64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

export type ColumnType = keyof typeof columnTypes;

/** The typed array of each column type, over any buffer. */
export interface ColumnArrays {
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  i32: Int32Array;
  u64: BigUint64Array;
  i64: BigInt64Array;
  f32: Float32Array;
  f64: Float64Array;
}
export type ColumnArray = ColumnArrays[ColumnType];

/** Names of columns with their types, as a method takes or gives them. */
export type ColumnTypes = Record<string, ColumnType>;
/** The arrays of such columns. */
export type Arrays<T extends ColumnTypes> = { [N in keyof T]: ColumnArrays[T[N]] };

export interface ReturnColumn {
  type: ColumnType;
  /** SI unit, or '1' for a pure number, id or count. */
  unit: string;
  meaning: string;
  /** 'sensor': what a real sensor would report; 'truth': known only to the simulator. */
  kind: 'sensor' | 'truth';
  /** Whether rows of pulses without an echo have the number, too; left out: those of kind 'sensor' do. */
  isOfMisses?: boolean;
}

/** Every column a scan can return, in the order in which files list them. */
export const returnColumns = {
  time_ns: col('i64', 'ns', 'sensor', 'simulated time at which the pulse left the sensor'),
  pulse: col('u64', '1', 'sensor', 'absolute number of the pulse since t = 0'),
  ring: col('u16', '1', 'sensor', 'laser, counted from 0 at the lowest elevation'),
  azimuth_rad: col('f32', 'rad', 'sensor', 'azimuth of the pulse axis, counter-clockwise from x'),
  elevation_rad: col('f32', 'rad', 'sensor', 'elevation of the pulse axis above the xy plane'),
  return_no: col('u8', '1', 'sensor', 'number of this return in its pulse, from 1; 0: no echo'),
  n_returns: col('u8', '1', 'sensor', 'number of returns of this pulse'),
  range_m: col('f32', 'm', 'sensor', 'range as reported, noise included'),
  intensity: col(
    'f32',
    '1',
    'sensor',
    'intensity of the return; relative, or on the scale of the sensor',
  ),
  beam_share: col('f32', '1', 'truth', 'share of the beam behind the return, sum of ray weights'),
  x_m: col('f32', 'm', 'sensor', 'reported point in the world frame, x'),
  y_m: col('f32', 'm', 'sensor', 'reported point in the world frame, y'),
  z_m: col('f32', 'm', 'sensor', 'reported point in the world frame, z'),
  object_id: col('u32', '1', 'truth', 'id of the instance that was hit'),
  class_id: col('u16', '1', 'truth', "class of the instance: index in the scene's class list"),
  incidence_rad: col(
    'f32',
    'rad',
    'truth',
    'angle between the ray and the facet normal, 0 to pi/2',
  ),
  range_clean_m: col('f32', 'm', 'truth', 'range as it would be reported without noise'),
  true_range_m: col('f32', 'm', 'truth', "distance to the hit itself, along the hit's own ray"),
  x_sensor_m: col('f32', 'm', 'sensor', "reported point in the sensor's frame at its time, x"),
  y_sensor_m: col('f32', 'm', 'sensor', "reported point in the sensor's frame at its time, y"),
  z_sensor_m: col('f32', 'm', 'sensor', "reported point in the sensor's frame at its time, z"),
  hit_x_m: col('f32', 'm', 'truth', 'the hit itself in the world frame, where it truly lies, x'),
  hit_y_m: col('f32', 'm', 'truth', 'the hit itself in the world frame, where it truly lies, y'),
  hit_z_m: col('f32', 'm', 'truth', 'the hit itself in the world frame, where it truly lies, z'),
  normal_x: col('f32', '1', 'truth', 'facet normal at the hit, turned towards the sensor, x'),
  normal_y: col('f32', '1', 'truth', 'facet normal at the hit, turned towards the sensor, y'),
  normal_z: col('f32', '1', 'truth', 'facet normal at the hit, turned towards the sensor, z'),
  material_id: col(
    'u16',
    '1',
    'truth',
    "material that was hit: index in the scene's material list",
  ),
  sensor_time_ns: col(
    'i64',
    'ns',
    'sensor',
    "time of the pulse as the sensor's own clock stamps it",
  ),
  x_clean_m: col(
    'f32',
    'm',
    'truth',
    'reported point as it would be without noise, world frame, x',
  ),
  y_clean_m: col(
    'f32',
    'm',
    'truth',
    'reported point as it would be without noise, world frame, y',
  ),
  z_clean_m: col(
    'f32',
    'm',
    'truth',
    'reported point as it would be without noise, world frame, z',
  ),
  triangle_id: col(
    'u32',
    '1',
    'truth',
    'facet that was hit: index in the triangles of its model; of a learned model, in its triangles, elements and points',
  ),
  mirrors: col('u8', '1', 'truth', 'mirrors on the path to the hit; above 0 the point is virtual'),
  echo_width_m: col(
    'f32',
    'm',
    'sensor',
    'standard deviation in range of what the return is made of and of the pulse',
  ),
  amplitude: col(
    'f32',
    '1/m²',
    'sensor',
    'signal S of the return by the radar equation, air included; a white wall at 1 m has 1',
  ),
  snr: col(
    'f32',
    '1',
    'truth',
    "amplitude over the receiver's noise; NaN for a sensor without a detection limit",
  ),
  intensity_clean: col('f32', '1', 'truth', 'intensity as it would be reported without noise'),
  red: col('u8', '1', 'truth', 'colour of the surface at the hit, of its image or material: red'),
  green: col(
    'u8',
    '1',
    'truth',
    'colour of the surface at the hit, of its image or material: green',
  ),
  blue: col('u8', '1', 'truth', 'colour of the surface at the hit, of its image or material: blue'),
  beam_origin_x_m: col(
    'f32',
    'm',
    'sensor',
    'place that the pulse left, as the navigation reports it, in the world frame, x',
  ),
  beam_origin_y_m: col(
    'f32',
    'm',
    'sensor',
    'place that the pulse left, as the navigation reports it, in the world frame, y',
  ),
  beam_origin_z_m: col(
    'f32',
    'm',
    'sensor',
    'place that the pulse left, as the navigation reports it, in the world frame, z',
  ),
  beam_direction_x: col('f32', '1', 'sensor', 'pulse axis in the world frame, length 1, x'),
  beam_direction_y: col('f32', '1', 'sensor', 'pulse axis in the world frame, length 1, y'),
  beam_direction_z: col('f32', '1', 'sensor', 'pulse axis in the world frame, length 1, z'),
  learned_part: col(
    'u8',
    '1',
    'truth',
    'part of a learned model that was hit: 1 surface, 2 volume element, 3 point; 0: no learned model',
  ),
  support: {
    ...col(
      'u32',
      '1',
      'truth',
      'fewest beams of the logs that observed an element or triangle of learned models that the pulse passed or ended on; 0: it met none',
    ),
    isOfMisses: true,
  },
  is_moving: col('u8', '1', 'truth', 'whether the instance that was hit has a motion: 1 or 0'),
  velocity_x_m_per_s: col(
    'f32',
    'm/s',
    'truth',
    'velocity of the hit in the world frame, x; NaN where it is no object',
  ),
  velocity_y_m_per_s: col('f32', 'm/s', 'truth', 'velocity of the hit in the world frame, y'),
  velocity_z_m_per_s: col('f32', 'm/s', 'truth', 'velocity of the hit in the world frame, z'),
  radial_velocity_m_per_s: col(
    'f32',
    'm/s',
    'truth',
    'velocity of the hit relative to the sensor, along the ray; positive: away; NaN where it is no object, and where mirrors or water turned the ray',
  ),
} as const satisfies Record<string, ReturnColumn>;

export type ReturnColumnName = keyof typeof returnColumns;

/** All names, in the table's order. */
export const returnColumnNames = Object.keys(returnColumns) as ReturnColumnName[];

/** The default of `understory scan` and of CSV files. In CSV `class_id` is written as `class`, by name. */
export const defaultScanColumns = returnColumnNames.slice(
  0,
  returnColumnNames.indexOf('true_range_m') + 1,
);

/** Where each pulse began and its direction: what LAS files have beside the default. */
export const beamColumns = [
  'beam_origin_x_m',
  'beam_origin_y_m',
  'beam_origin_z_m',
  'beam_direction_x',
  'beam_direction_y',
  'beam_direction_z',
] as const satisfies readonly ReturnColumnName[];

/** Columns that beams need, where a table says where pulses began. */
export const neededBeamColumns = ['time_ns', ...beamColumns] as const;

/** Names for columns that belong together. */
export const columnSets = {
  default: { columns: defaultScanColumns, meaning: 'those of a CSV file that asks for nothing' },
  sensor: { columns: ofKind('sensor'), meaning: 'what a real sensor would report' },
  truth: {
    columns: ['time_ns', 'pulse', 'ring', 'return_no', 'range_m', ...ofKind('truth')],
    meaning: 'ground truth, and what distinguishes the rows',
  },
  /** In the order of Gschwandtner 2011: time, yaw, pitch, distance, noisy distance, both points, object. */
  blensor: {
    columns: [
      'time_ns',
      'azimuth_rad',
      'elevation_rad',
      'range_clean_m',
      'range_m',
      'x_clean_m',
      'y_clean_m',
      'z_clean_m',
      'x_m',
      'y_m',
      'z_m',
      'object_id',
    ],
    meaning: 'the twelve fields of BlenSor',
  },
  beam: { columns: beamColumns, meaning: 'where each pulse began, and its direction' },
  all: { columns: returnColumnNames, meaning: 'every one' },
} as const satisfies Record<string, { columns: readonly ReturnColumnName[]; meaning: string }>;

/**
 * The rays of a scan, hit by hit: what its returns are made of. Without noise. A ray that passes leaves has a row for
 * each hit; one that met nothing within the range limits has one only where misses were asked for (hit_no 0,
 * measured values NaN, ids 0).
 */
export const rayColumns = {
  time_ns: col('i64', 'ns', 'truth', 'simulated time at which the pulse left the sensor'),
  pulse: col('u64', '1', 'truth', 'absolute number of the pulse since t = 0'),
  ring: col('u16', '1', 'truth', 'laser, counted from 0 at the lowest elevation'),
  ray: col('u32', '1', 'truth', 'number of the ray in its pulse, from 0'),
  left_m: col('f32', 'm', 'truth', 'offset on the plane 1 m ahead, to the left of the axis'),
  up_m: col('f32', 'm', 'truth', 'offset on the plane 1 m ahead, upwards'),
  weight: col('f32', '1', 'truth', "share of the beam's energy in the ray; 1 over all of a pulse"),
  hit_no: col(
    'u8',
    '1',
    'truth',
    'number of the hit along its ray, from 1; 0: the ray met nothing',
  ),
  range_m: col('f32', 'm', 'truth', 'length of the whole path to the hit, over mirrors as well'),
  intensity: col('f32', '1', 'truth', "of the ray's whole energy: surface, losses, radiometry"),
  share: col('f32', '1', 'truth', "share of the ray's energy that ends at the hit"),
  return_no: col(
    'u8',
    '1',
    'truth',
    'return that the hit went into, from 1; 0: none, or a lost one',
  ),
  incidence_rad: col('f32', 'rad', 'truth', 'angle between ray and facet normal, 0 to pi/2'),
  object_id: col('u32', '1', 'truth', 'id of the instance that was hit'),
  class_id: col('u16', '1', 'truth', "class of the instance: index in the scene's class list"),
  material_id: col('u16', '1', 'truth', "material: index in the scene's material list"),
  triangle_id: col('u32', '1', 'truth', 'facet: index in the triangles of its model'),
  mirrors: col('u8', '1', 'truth', 'mirrors on the path to the hit'),
  hit_x_m: col('f32', 'm', 'truth', 'the hit itself in the world frame, x'),
  hit_y_m: col('f32', 'm', 'truth', 'the hit itself in the world frame, y'),
  hit_z_m: col('f32', 'm', 'truth', 'the hit itself in the world frame, z'),
} as const satisfies Record<string, ReturnColumn>;

export type RayColumnName = keyof typeof rayColumns;

/** All names, in the table's order. */
export const rayColumnNames = Object.keys(rayColumns) as RayColumnName[];

export type ColumnSetName = keyof typeof columnSets;
export const columnSetNames = Object.keys(columnSets) as ColumnSetName[];

/** Columns of a return: the sensor's values, its position in the world, and the surface it hit. */
export const pointColumns = [
  ...(['range_m', 'intensity', 'beam_share', 'x_m', 'y_m', 'z_m'] as const),
  ...(['object_id', 'class_id'] as const),
] as const satisfies readonly ReturnColumnName[];

/** The same return without the sensor's noise. */
export const cleanColumns = [
  ...(['range_clean_m', 'x_clean_m', 'y_clean_m', 'z_clean_m'] as const),
] as const satisfies readonly ReturnColumnName[];

/** Names of columns and of sets of them -> names of columns, each once, in the order given. */
export function namedColumns(names: readonly string[]): string[] {
  const sets: Record<string, { columns: readonly string[] } | undefined> = columnSets;
  return [...new Set(names.flatMap((name) => sets[name]?.columns ?? [name]))];
}

/** The types of a table's columns. */
export function typesOf<T extends Record<string, { type: ColumnType }>>(
  table: T,
): { [N in keyof T & string]: T[N]['type'] } {
  const types = Object.entries(table).map(([name, { type }]) => [name, type]);
  // Why the cast: Object.fromEntries loses which type belongs to which name.
  return Object.fromEntries(types) as { [N in keyof T & string]: T[N]['type'] };
}

/**
 * The columns as they are, once each of `types` is there and of its type.
 * @throws UnderstoryError 'protocol' otherwise
 */
export function checkedColumns<T extends ColumnTypes>(columns: Columns, types: T): Arrays<T> {
  for (const [name, type] of Object.entries(types)) {
    if (columns[name] instanceof columnTypes[type]) continue;
    const message = `expected a column '${name}' of type ${type}`;
    throw new UnderstoryError('protocol', message, { columns: Object.keys(columns) });
  }
  // Why the cast: what was just looked at, name by name.
  return columns as Arrays<T>;
}

/** A set of columns by name. All arrays of one table have the same length. */
export type Columns = Record<string, ColumnArray>;

/** The array type that belongs to a return column. */
export type ReturnColumnArray<N extends ReturnColumnName> =
  ColumnArrays[(typeof returnColumns)[N]['type']];

/** A table of returns: the columns that were asked for. */
export type ReturnTable = { [N in ReturnColumnName]?: ReturnColumnArray<N> };

type NamesOfKind<K extends ReturnColumn['kind']> = {
  [N in ReturnColumnName]: (typeof returnColumns)[N]['kind'] extends K ? N : never;
}[ReturnColumnName];

/** Columns that a real sensor would report. */
export type SensorColumnName = NamesOfKind<'sensor'>;
/** Columns of ground truth. */
export type TruthColumnName = NamesOfKind<'truth'>;

/** A table of rays: all columns. */
export type RayTable = { [N in RayColumnName]: ColumnArrays[(typeof rayColumns)[N]['type']] };

function ofKind(kind: 'sensor' | 'truth'): ReturnColumnName[] {
  return returnColumnNames.filter((name) => returnColumns[name].kind === kind);
}

function col<T extends ColumnType, K extends ReturnColumn['kind']>(
  type: T,
  unit: string,
  kind: K,
  meaning: string,
): ReturnColumn & { type: T; kind: K } {
  return { type, unit, kind, meaning };
}
