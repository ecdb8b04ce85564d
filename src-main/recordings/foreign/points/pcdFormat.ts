// PCD: in text, as binary data, or as binary data that LZF compressed.
import { compressedRows } from './compressedRows.ts';
import { expectRead, headedColumns, headedPoints, headText } from './headedPoints.ts';
import { damaged, type Letter, type PointFormat } from './pointLayout.ts';

export const pcdFormat: PointFormat = {
  endings: ['.pcd'],
  async open(file) {
    const text = await headText(file);
    const end = /^DATA\s+(\S+)[ \t]*\r?\n/m.exec(text);
    const words = (key: string): string[] =>
      new RegExp(`^${key}\\s+(.*)$`, 'm').exec(text)?.[1]?.trim().split(/\s+/) ?? [];
    if (end === null) throw damaged(file.path, 'it has no header of PCD');
    const [, data = ''] = end;
    const isCompressed = data === 'binary_compressed';
    const isRead = data === 'ascii' || data === 'binary' || isCompressed;
    expectRead(file.path, isRead, data, 'pcl_convert_pcd_ascii_binary IN OUT 1');
    const [sizes, types, counts] = [words('SIZE'), words('TYPE'), words('COUNT')];
    const columns = headedColumns(data === 'ascii');
    let packed: { name: string; isReal: boolean } | null = null;
    for (const [index, name] of words('FIELDS').entries()) {
      const count = Number(counts[index] ?? 1);
      const isPacked = /^rgba?$/i.test(name) && sizes[index] === '4';
      if (isPacked) packed = { name, isReal: types[index] === 'F' };
      // Why unsigned: a colour as a real number is bits of which some are no number.
      const letter = isPacked && types[index] === 'F' ? 'U' : (types[index] as Letter);
      if (!columns.add(name, letter, Number(sizes[index]), count)) {
        throw damaged(file.path, `its field '${name}' has no type of PCD`);
      }
      if (!Number.isSafeInteger(count) || count < 1) {
        throw damaged(file.path, `its field '${name}' has no count of PCD`);
      }
    }
    if (packed !== null) columns.addPackedColour(packed.name, packed.isReal);
    const points = Number(words('POINTS')[0] ?? NaN);
    const start = end.index + end[0].length;
    const head = text.slice(0, end.index);
    const rows = isCompressed ? compressedRows(start, points, columns.fieldBytes) : null;
    return headedPoints(file, { points, start, columns, head, rows });
  },
};
