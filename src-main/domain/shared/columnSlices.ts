// Columns that come in slices of rows, put together where they belong.
import { columnTypes, type ColumnArray, type Columns } from '#contract/columns.ts';

export interface ColumnSlices {
  /** Every column seen so far, of all rows. */
  readonly columns: Columns;
  /** Copies a slice whose first row is `fromRow`; rows beyond the total are left out. */
  put(fromRow: number, slice: Columns): void;
}

/** Columns of `rows` rows, allocated with the first slice of each. */
export function createColumnSlices(totalRows: number): ColumnSlices {
  const columns: Columns = {};
  return {
    columns,
    put(fromRow, slice) {
      for (const [name, array] of Object.entries(slice)) {
        const whole = (columns[name] ??= emptyLike(array, totalRows));
        // Why the cast: both are of the column's one type, which the compiler cannot follow through a name.
        (whole as Float32Array).set(
          array.subarray(0, Math.max(0, totalRows - fromRow)) as Float32Array,
          fromRow,
        );
      }
    },
  };
}

function emptyLike(array: ColumnArray, rows: number): ColumnArray {
  const found = Object.values(columnTypes).find((ArrayOf) => array instanceof ArrayOf);
  if (found === undefined) throw new TypeError('a column must be one of the typed arrays');
  return new found(rows);
}
