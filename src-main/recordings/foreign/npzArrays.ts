// Whole arrays of numbers from an archive of NumPy.
import type { ColumnArray } from '#contract/columns.ts';
import type { NumberArrays } from '#services/ports/numberArrays.ts';
import { openArray, withArchive } from './npzArchive.ts';
import { damaged } from './points/pointLayout.ts';

/** As NumberArrays. */
export const numberArrays: NumberArrays = {
  read: (file, names, maxBytes) =>
    withArchive(file, async (zip, entries) => {
      const found: Record<string, { shape: number[]; values: ColumnArray }> = {};
      for (const name of names) {
        const array = await openArray(zip, entries, name, file);
        try {
          const { rows, rowShape, contentBytes } = array.head;
          if (contentBytes > maxBytes) {
            throw damaged(file, `its array '${name}' is larger than ${maxBytes} bytes`);
          }
          const count = rowShape.reduce((product, axis) => product * axis, rows);
          found[name] = { shape: [rows, ...rowShape], values: await array.next(count) };
        } finally {
          array.end();
        }
      }
      return found;
    }),
};
