// LAS 1.0 to 1.4 and LAZ, including COPC: points are world coordinates, most with times since a start of their own.
// Points of LAZ come in the order of the file, whatever levels of detail COPC has; all else is the same for both.
import type { RegularFile } from '#files/regularFile.ts';
import { lasFields, rowBytesOf } from './lasFields.ts';
import { lasHead, type LasHead } from './lasHead.ts';
import { type LasRecord, nameOf, readLasRecords } from './lasRecords.ts';
import { systemOfLas } from './lasSystem.ts';
import { compressionOf } from './lazItems.ts';
import { lazRows } from './lazRows.ts';
import {
  binaryRows,
  damaged,
  expectRows,
  type PointFile,
  type PointFormat,
} from './pointLayout.ts';

/** As the header and the first records of a file need at most. */
const headBytes = 375;

export const lasFormat: PointFormat = {
  endings: ['.las', '.laz'],
  async open(file) {
    const head = lasHead(file.path, await file.read(0, headBytes));
    if (head.rowBytes < rowBytesOf(head.format)) {
      throw damaged(file.path, 'its points are too short', 105);
    }
    const records = await readLasRecords(file, head);
    return {
      ...rowsIn(file, head, records),
      originM: head.originM,
      isWorld: true,
      frameM: [0, 0, 0],
      classes: classesOf(records),
      volumeClasses: null,
      system: systemOfLas(records),
    };
  },
};

type Rows = Pick<PointFile, 'points' | 'rowBytes' | 'rows' | 'fields' | 'repeated'>;

function rowsIn(file: RegularFile, head: LasHead, records: readonly LasRecord[]): Rows {
  const { points, start, rowBytes, scaleM } = head;
  if (!head.isCompressed) {
    expectRows(file, start + points * rowBytes);
    const named = lasFields({ format: head.format, rowBytes, scaleM }, records);
    return { points, rowBytes, rows: binaryRows(start, points, rowBytes), ...named };
  }
  const compression = compressionOf(file.path, head, records);
  return {
    points,
    rowBytes: compression.rowBytes,
    rows: lazRows(head, compression),
    ...lasFields({ ...compression, scaleM }, records),
  };
}

/** Classes of LAS 1.4, by code. */
const standardClasses = [
  ...['never classified', 'unclassified', 'ground', 'low vegetation', 'medium vegetation'],
  ...['high vegetation', 'building', 'low point', '', 'water', 'rail', 'road surface'],
];

/** Names by code, of the record LASF_Spec 0 (256 codes with 15 letters each); without it those of the standard. */
function classesOf(records: readonly LasRecord[]): string[] {
  const content = records.find(({ user, id }) => user === 'LASF_Spec' && id === 0)?.content;
  if (content === undefined) return [...standardClasses];
  const names: string[] = [];
  for (let at = 0; at + 16 <= content.length; at += 16) {
    const name = nameOf(content.subarray(at + 1, at + 16));
    if (name !== '') names[content[at] ?? 0] = name;
  }
  return Array.from(names, (name) => name ?? '');
}
