// NumPy archive of one array for each column, under the contract's names and types: for NumPy, PyTorch, JAX. What ids
// mean is in arrays of texts, `classes` (those of leaves in `volume_classes`) and `sensors` or `legs`; a pulse without an echo is a row with NaN for what was
// not measured.
import { joinNpz } from '../join/joinNpz.ts';
import { type Format, type FormatOptions, type FormatWriter, rowSourceOf } from './format.ts';
import type { PartFile } from './partFile.ts';
import { openNpzArrays } from './npz.ts';
import { worldColumnType, worldTable } from './worldColumns.ts';

export const npz: Format = { write: writeNpz, join: joinNpz };

async function writeNpz(
  file: PartFile,
  { columns, classes, volumeClasses, originM, ...sources }: FormatOptions,
): Promise<FormatWriter> {
  const source = rowSourceOf(sources);
  const arrays = openNpzArrays(file);
  try {
    for (const name of columns) await arrays.add(name, { type: worldColumnType(name, originM) });
    await arrays.addTexts('classes', classes);
    if (volumeClasses !== undefined) await arrays.addTexts('volume_classes', volumeClasses);
    if (source !== null) {
      await arrays.add(source.name, { type: 'u16' });
      await arrays.addTexts(`${source.name}s`, source.names);
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
      if (source === null) return;
      await arrays.append(source.name, new Uint16Array(rows).fill(source.numberOf(sensor)));
    },
    async finish(rows) {
      await arrays.finish();
      return rows;
    },
    abort: () => arrays.abort(),
    leftOut: [],
  };
}
