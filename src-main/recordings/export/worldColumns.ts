// Points of files for other programs are world coordinates. Where a scene has an origin, they are double precision: a
// single has steps of 0.5 m at a northing of 5,400,000 m. Without one they stay as they were measured, single.
import {
  rayColumns,
  returnColumns,
  type ColumnArray,
  type RayTable,
  type RayColumnName,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import { isZeroOrigin, type OriginM } from '#contract/worldOrigin.ts';

/** Columns of positions, with the axis of each. */
const axisOf = {
  x_m: 0,
  y_m: 1,
  z_m: 2,
  hit_x_m: 0,
  hit_y_m: 1,
  hit_z_m: 2,
  x_clean_m: 0,
  y_clean_m: 1,
  z_clean_m: 2,
  beam_origin_x_m: 0,
  beam_origin_y_m: 1,
  beam_origin_z_m: 2,
} as const;

type WorldColumn = keyof typeof axisOf;
type TypeOfColumn = (typeof returnColumns)[ReturnColumnName]['type'];

/** A table of returns; positions are doubles where they are world coordinates about an origin. */
export type WorldTable = {
  [N in ReturnColumnName]?: ReturnTable[N] | (N extends WorldColumn ? Float64Array : never);
};

/** The type of a column of returns or rays in a file of world coordinates. */
export function worldColumnType(
  column: ReturnColumnName | RayColumnName,
  originM: OriginM,
): TypeOfColumn | 'f64' {
  if (column in axisOf && !isZeroOrigin(originM)) return 'f64';
  return { ...rayColumns, ...returnColumns }[column].type;
}

/** The table with world coordinates; itself where the origin is zero. */
export function worldTable(table: ReturnTable, originM: OriginM): WorldTable {
  return isZeroOrigin(originM) ? table : { ...table, ...worldPositions(table, originM) };
}

/** Columns of rays by name, with world coordinates. */
export function worldRays(table: RayTable, originM: OriginM): Record<RayColumnName, ColumnArray> {
  return isZeroOrigin(originM) ? table : { ...table, ...worldPositions(table, originM) };
}

function worldPositions(
  table: Partial<Record<WorldColumn, Float32Array>>,
  originM: OriginM,
): Partial<Record<WorldColumn, Float64Array>> {
  const moved: Partial<Record<WorldColumn, Float64Array>> = {};
  for (const [name, axis] of Object.entries(axisOf) as [WorldColumn, 0 | 1 | 2][]) {
    const relative = table[name];
    if (relative === undefined) continue;
    const offsetM = originM[axis];
    moved[name] = Float64Array.from(relative, (m) => m + offsetM);
  }
  return moved;
}
