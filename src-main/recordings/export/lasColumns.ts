// Which columns of returns become fields of a LAS point, which extra bytes, and the codes of classes.
import { beamColumns, type ColumnType, type ReturnColumnName } from '#contract/columns.ts';
import { airKinds } from '#contract/worker/weatherRecipe.ts';
import type { FormatOptions } from './format.ts';
import { worldColumnType } from './worldColumns.ts';

/** A point of format 6, before its extra bytes; format 7 adds a colour. */
export const pointBytes = 30;
const colourBytes = 6;
export const colours = ['red', 'green', 'blue'] as const;
export const positions = ['x_m', 'y_m', 'z_m'] as const;

/** A column in the bytes after a point's own. */
export interface LasExtra {
  column: ReturnColumnName;
  /** In the file. */
  name: string;
  type: ColumnType;
  /** In a point. */
  offset: number;
}

/** How the columns of a file become points. */
export interface LasLayout {
  extras: LasExtra[];
  /** Points of format 7. */
  hasColours: boolean;
  /** Bytes of a point. */
  stride: number;
  /** By class_id. */
  classCodes: number[];
  /** By the format's codes. */
  classNames: ReadonlyMap<number, string>;
}

/** Columns that fields of the format hold exactly. */
const inFields: readonly ReturnColumnName[] = [
  ...positions,
  ...(['return_no', 'n_returns'] as const),
];

/**
 * Names of extra bytes where they differ from the columns'. PDAL's dimensions have these types; readers that ignore
 * case have a field `intensity` already.
 */
const extraNames: Partial<Record<ReturnColumnName, { name: string; type?: ColumnType }>> = {
  intensity: { name: 'relative_intensity' },
  beam_origin_x_m: { name: 'BeamOriginX', type: 'f64' },
  beam_origin_y_m: { name: 'BeamOriginY', type: 'f64' },
  beam_origin_z_m: { name: 'BeamOriginZ', type: 'f64' },
  beam_direction_x: { name: 'BeamDirectionX' },
  beam_direction_y: { name: 'BeamDirectionY' },
  beam_direction_z: { name: 'BeamDirectionZ' },
};

/** Classes of the format's own table, by the names of this package's scenes. */
const standardClasses = new Map([
  ['ground', 2],
  ['grass', 3],
  ['shrub', 4],
  ['tree', 5],
  ['wall', 6],
  ['noise', 7],
  ...airKinds.map((kind): [string, number] => [kind, 7]),
]);
/** From here on classes are the user's. */
const firstOwnClass = 64;
const maxOwnClasses = 256 - firstOwnClass;

const sizes = { u8: 1, u16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 } as const;

/** The layout of a file with these columns and classes. */
export function lasLayout({ columns, classes, originM, lasCodes = {} }: FormatOptions): LasLayout {
  const classCodes = classes.map(
    (name, id) =>
      lasCodes[name] ??
      standardClasses.get(name) ??
      firstOwnClass + Math.min(id, maxOwnClasses - 1),
  );
  const classNames = new Map<number, string>();
  for (const [id, code] of classCodes.entries()) {
    if (!classNames.has(code)) classNames.set(code, classes[id] ?? '');
  }
  const hasColours = colours.every((name) => columns.includes(name));
  const held = [...inFields, ...(hasColours ? colours : [])];
  // Why: where two classes share a code, the code does not say which it is.
  if (classNames.size === classes.length) held.push('class_id');
  let offset = pointBytes + (hasColours ? colourBytes : 0);
  const extras = columns
    .filter((column) => !held.includes(column))
    .map((column) => {
      const { name, type } = { name: column, ...extraNames[column] };
      const extra = { column, name, type: type ?? worldColumnType(column, originM), offset };
      offset += sizes[extra.type];
      return extra;
    });
  return { extras, hasColours, stride: offset, classCodes, classNames };
}

/** Whether the columns say where each pulse began and its direction. */
export function hasBeams(columns: readonly ReturnColumnName[]): boolean {
  return beamColumns.every((name) => columns.includes(name));
}
