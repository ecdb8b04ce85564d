// PCD and PLY: a header in text, then rows in binary data or text, and comments of ours.
import { badInput } from '#contract/errors.ts';
import { statedSystem } from '#domain/shared/systemUnits.ts';
import type { RegularFile } from '#files/regularFile.ts';
import {
  binaryRows,
  colourNames,
  damaged,
  expectRows,
  type Get,
  getterOf,
  type Letter,
  type PointFile,
} from './pointLayout.ts';
import { textRows } from './textRows.ts';

/** Rows as a header in text describes them. */
export interface HeadedRows {
  points: number;
  /** Where the first row is. */
  start: number;
  columns: HeadedColumns;
  /** The header itself. */
  head: string;
  /** Reader of compressed data; null: rows are in the file as they are. */
  rows: PointFile['rows'] | null;
}

/** Columns in the order of a header. */
export interface HeadedColumns {
  readonly rowBytes: number;
  /** Bytes of each field in a row. */
  readonly fieldBytes: readonly number[];
  readonly isText: boolean;
  readonly fields: ReadonlyMap<string, Get>;
  /** As in PointFile. */
  readonly repeated: ReadonlySet<string>;
  /** False: there is no such type. */
  add(name: string, letter: Letter | undefined, size: number, count?: number): boolean;
  /** Red, green and blue out of a column with a byte for each. @param isReal text has it as a real number of these bits */
  addPackedColour(name: string, isReal: boolean): void;
}

const headBytes = 1 << 16;
const maxClasses = 1 << 16;

/** The beginning of a file as text. */
export async function headText(file: RegularFile): Promise<string> {
  return new TextDecoder('latin1').decode(await file.read(0, headBytes));
}

/** @param isText each number is a double in the memory of this machine, whatever its type @param isLittle of binary data */
export function headedColumns(isText: boolean, isLittle = true): HeadedColumns {
  const fields = new Map<string, Get>();
  const repeated = new Set<string>();
  const fieldBytes: number[] = [];
  let rowBytes = 0;
  return {
    get rowBytes() {
      return rowBytes;
    },
    fieldBytes,
    isText,
    fields,
    repeated,
    add(name, letter, size, count = 1) {
      const get = letter === undefined ? null : getterOf(letter, size, rowBytes, isLittle);
      if (get === null) return false;
      const lower = name.toLowerCase();
      if (fields.has(lower)) repeated.add(lower);
      fields.set(lower, isText ? textGetter(rowBytes) : get);
      fieldBytes.push((isText ? 8 : size) * count);
      rowBytes += fieldBytes.at(-1) ?? 0;
      return true;
    },
    addPackedColour(name, isReal) {
      const get = fields.get(name.toLowerCase());
      if (get === undefined) return;
      const bits = isText && isReal ? (...at: Parameters<Get>) => realBits(get(...at)) : get;
      for (const [channel, colour] of colourNames.entries()) {
        fields.set(colour, (...at) => (bits(...at) >>> (16 - 8 * channel)) & 255);
      }
    },
  };
}

/** @throws UnderstoryError 'corrupt' for rows without coordinates, and more than the file has */
export function headedPoints(
  file: RegularFile,
  { points, start, columns: { rowBytes, fields, repeated, isText }, head, rows }: HeadedRows,
): PointFile {
  const hasPlaces = ['x', 'y', 'z'].every((name) => fields.has(name));
  const areCounts = [points, rowBytes].every(Number.isSafeInteger);
  if (!hasPlaces || !areCounts || points < 0 || rowBytes <= 0) {
    throw damaged(file.path, 'it has no points with x, y and z');
  }
  // In text, a number takes 8 bytes of a row, and at least a digit and what ends it in the file; the last line may
  // have no end.
  const rowsEnd = isText ? start + (points * rowBytes) / 4 - 1 : start + points * rowBytes;
  if (rows === null) expectRows(file, rowsEnd);
  const classes: string[] = [];
  for (const [, id, name = ''] of head.matchAll(/^(?:#|comment) class_id (\d+): (.*)$/gm)) {
    if (Number(id) < maxClasses) classes[Number(id)] = name.trim();
  }
  return {
    points,
    rowBytes,
    rows:
      rows ??
      (isText
        ? (opened, maxRows) => textRows(opened, { start, points, columns: rowBytes / 8 }, maxRows)
        : binaryRows(start, points, rowBytes)),
    fields,
    repeated,
    originM: [0, 0, 0],
    isWorld: false,
    frameM: frameOf(head),
    classes: Array.from(classes, (name) => name ?? ''),
    volumeClasses: volumeClassesOf(head, classes),
    system: statedSystem(
      /^(?:#|comment) coordinate reference system: (.*)$/m.exec(head)?.[1]?.trim() ?? null,
    ),
  };
}

/** @throws UnderstoryError 'bad-input' for data that is neither text nor binary data */
export function expectRead(file: string, isRead: boolean, found: string, advice: string): void {
  if (isRead) return;
  const message = `${file}: expected text or binary data, found '${found}' (${advice})`;
  throw badInput('source', message);
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function realBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
}

function textGetter(offset: number): Get {
  return (view, at) => view.getFloat64(at + offset, isLittleEndian);
}

/** As binaryRows.ts of exports states them; null otherwise. */
function volumeClassesOf(head: string, classes: readonly string[]): string[] | null {
  const ids = /^(?:#|comment) volume_class_ids:((?: \d+)*)$/m.exec(head)?.[1];
  if (ids === undefined) return null;
  return ids
    .trim()
    .split(' ')
    .flatMap((id) => classes[Number(id || NaN)] ?? []);
}

/** As binaryRows.ts of exports states it; [0, 0, 0] otherwise. */
function frameOf(head: string): [number, number, number] {
  const found = /x y z are relative to the world position (\S+) (\S+) (\S+)/.exec(head);
  const [x = 0, y = 0, z = 0] = (found ?? []).slice(1).map(Number);
  return [x, y, z];
}
