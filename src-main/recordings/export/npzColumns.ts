// NumPy archive of one array for each column, under the contract's names and types: for NumPy, PyTorch, JAX. What ids
// mean is in arrays of texts, `classes` and `sensors`; a pulse without an echo is a row with NaN for what was
// not measured.
import type { Format } from './format.ts';
import { openNpzArrays } from './npz.ts';
import { worldColumnType, worldTable } from './worldColumns.ts';

/** Starts an NPZ file. */
export const npz: Format = async (file, { columns, classes, sensors, originM }) => {
  const arrays = openNpzArrays(file);
  try {
    for (const name of columns) await arrays.add(name, { type: worldColumnType(name, originM) });
    await arrays.addTexts('classes', classes);
    if (sensors !== undefined) {
      await arrays.add('sensor', { type: 'u16' });
      await arrays.addTexts('sensors', sensors);
    }
  } catch (error) {
    await arrays.abort();
    throw error;
  }
  return {
    async write(relative, rows, sensor) {
      const table = worldTable(relative, originM);
      for (const name of columns) {
        const values = table[name];
        if (values === undefined) throw new TypeError(`the table lacks the column ${name}`);
        await arrays.append(name, values.subarray(0, rows));
      }
      if (sensors !== undefined) await arrays.append('sensor', new Uint16Array(rows).fill(sensor));
    },
    async finish(rows) {
      await arrays.finish();
      return rows;
    },
    abort: () => arrays.abort(),
    leftOut: [],
  };
};
