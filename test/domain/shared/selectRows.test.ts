// Some rows of a table of returns.
import { expect, it } from 'vitest';
import { selectRows } from '#domain/shared/selectRows.ts';

it('selects rows of every type of column, in their order', () => {
  const table = {
    x_m: Float32Array.of(1, 2, 3),
    pulse: BigUint64Array.of(7n, 8n, 9n),
    return_no: Uint8Array.of(1, 1, 2),
  };
  expect(selectRows(table, 3, (row) => row !== 1)).toEqual({
    table: {
      x_m: Float32Array.of(1, 3),
      pulse: BigUint64Array.of(7n, 9n),
      return_no: Uint8Array.of(1, 2),
    },
    rows: 2,
  });
});
