// Archives of NumPy whose arrays say where each pulse began, as those of our own scans: the arrays are read side by
// side, some rows at a time, so that memory does not grow with them.
import type { Entry, ZipFile } from 'yauzl';
import { type Columns, neededBeamColumns } from '#contract/columns.ts';
import { throwIfCancelled } from '#contract/errors.ts';
import { statedSystem } from '#domain/shared/systemUnits.ts';
import type { BeamSource } from '#services/ports/logSources.ts';
import { anySize, openRegularFile } from '#files/regularFile.ts';
import { npyHeadOf, npyTexts } from '../npyHead.ts';
import {
  archiveOf,
  expectWhole,
  openArray,
  type OpenArray,
  reading,
  withArchive,
} from './npzArchive.ts';
import { damaged } from './points/pointLayout.ts';

/** Rows that are read at once. */
const pieceRows = 1 << 16;
/** Longest array of names. */
const maxTextBytes = 1 << 26;
const maxTexts = 1 << 16;

const readColumns: readonly string[] = [
  ...neededBeamColumns,
  ...['pulse', 'ring', 'azimuth_rad', 'return_no', 'range_m', 'intensity', 'x_m', 'y_m', 'z_m'],
  ...['class_id', 'object_id', 'true_range_m', 'beam_share'],
];

/** Null: it does not say where pulses began. @throws UnderstoryError 'corrupt' | 'not-found' | 'io' */
export async function openNpzBeams(file: string): Promise<BeamSource | null> {
  return withArchive(file, async (zip, entries) => {
    const names = readColumns.filter((name) => entries.has(name));
    if (!neededBeamColumns.every((name) => names.includes(name))) return null;
    let rows: number | null = null;
    for (const name of names) {
      const array = await openArray(zip, entries, name, file);
      array.end();
      rows ??= array.head.rows;
      if (array.head.rows !== rows || array.head.rowShape.length > 0) {
        throw damaged(file, `its array '${name}' has another length than the others`);
      }
    }
    return {
      kind: 'beams' as const,
      originM: [0, 0, 0] as const,
      system: statedSystem(null),
      classes: (await textsOf(zip, entries, 'classes', file)) ?? [],
      volumeClasses: await textsOf(zip, entries, 'volume_classes', file),
      names,
      rows: rows ?? 0,
      tables: (signal) => tables(file, names, rows ?? 0, signal),
      close: () => Promise.resolve(),
    };
  });
}

async function* tables(
  file: string,
  names: readonly string[],
  rows: number,
  signal: AbortSignal,
): AsyncGenerator<{ columns: Columns; rows: number }> {
  const opened = await openRegularFile(file, { maxBytes: anySize, signal });
  const arrays: OpenArray[] = [];
  try {
    const { zip, entries } = await archiveOf(file, opened);
    for (const name of names) arrays.push(await openArray(zip, entries, name, file));
    for (let from = 0; from < rows; from += pieceRows) {
      throwIfCancelled(signal);
      const count = Math.min(pieceRows, rows - from);
      const columns: Columns = {};
      for (const [index, name] of names.entries()) {
        const array = arrays[index];
        if (array !== undefined) columns[name] = await array.next(count);
      }
      yield { columns, rows: count };
    }
  } finally {
    for (const array of arrays) array.end();
    await opened.close();
  }
}

/** Null: there is no such array. */
async function textsOf(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  name: string,
  file: string,
): Promise<string[] | null> {
  const entry = entries.get(name);
  if (entry === undefined || entry.uncompressedSize > maxTextBytes) return null;
  const stream = await reading(file, () => zip.openReadStreamPromise(entry));
  const bytes = await reading(file, async () => {
    const parts: Buffer[] = [];
    for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
    return Buffer.concat(parts);
  });
  const found = npyHeadOf(bytes, (reason) => damaged(file, reason));
  if (found?.head.type !== null) return null;
  expectWhole(file, name, entry, found);
  if (found.head.rows > maxTexts) {
    throw damaged(file, `its array '${name}' has more than ${maxTexts} texts`);
  }
  return npyTexts(bytes.subarray(found.bytes), found.head);
}
