// The points of a scan as a screen shows them, live or from a recording: where they are, and what they can be
// coloured by.
import { columnTypes, type Columns, type ReturnColumnName, type ReturnTable } from '../columns.ts';

/** range_error_m is the range as reported less the one without noise, in metres; sensor its place in the scenario. */
export const shownPointColumns = {
  x_m: 'f32',
  y_m: 'f32',
  z_m: 'f32',
  intensity: 'f32',
  range_m: 'f32',
  range_error_m: 'f32',
  ring: 'u16',
  return_no: 'u8',
  class_id: 'u16',
  sensor: 'u8',
} as const;

type ShownPointColumn = keyof typeof shownPointColumns;

/** Columns of returns that the shown ones are made of. */
export const sampledColumns = [
  ...(['x_m', 'y_m', 'z_m', 'intensity', 'range_m', 'range_clean_m'] as const),
  ...(['ring', 'return_no', 'class_id'] as const),
] satisfies ReturnColumnName[];

/** Returns of a scan, with `sampledColumns`, and which sensor they are of. */
export interface SampledScan {
  sensor: number;
  table: ReturnTable;
}

/** Those of scans, one after the other; without range_clean_m there are no errors. */
export function shownPoints(scans: readonly SampledScan[]): Columns {
  const rows = scans.reduce((sum, { table }) => sum + rowsOf(table), 0);
  const columns: Columns = {};
  for (const name of Object.keys(shownPointColumns) as ShownPointColumn[]) {
    const to = new columnTypes[shownPointColumns[name]](rows);
    let at = 0;
    for (const { sensor, table } of scans) {
      const end = at + rowsOf(table);
      if (name === 'sensor') to.fill(sensor, at, end);
      else {
        const from = name === 'range_error_m' ? rangeErrorsM(table) : table[name];
        // Why the cast: both are of the column's one type.
        if (from !== null && from !== undefined) (to as Float32Array).set(from, at);
      }
      at = end;
    }
    columns[name] = to;
  }
  return columns;
}

function rowsOf({ x_m }: ReturnTable): number {
  return x_m?.length ?? 0;
}

function rangeErrorsM({
  range_m: rangeM,
  range_clean_m: cleanM,
}: ReturnTable): Float32Array | null {
  if (rangeM === undefined || cleanM === undefined) return null;
  const errorsM = new Float32Array(rangeM.length);
  for (let row = 0; row < rangeM.length; row += 1) {
    errorsM[row] = (rangeM[row] ?? 0) - (cleanM[row] ?? 0);
  }
  return errorsM;
}
