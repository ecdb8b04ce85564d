// Points of PCD, PLY and LAS files as rows of numbers: headers in text, rows of one layout or of text, read in pieces.
import { badInput, type UnderstoryError } from '#contract/errors.ts';
import { anySize, openRegularFile, type RegularFile, withRegularFile } from '#files/regularFile.ts';
import { filled } from '#domain/shared/filledArrays.ts';
import { lasPoints } from './lasFile.ts';
import { textRows } from './textRows.ts';
import { damaged, type Get, getterOf, type Letter, type PointFile } from './pointLayout.ts';

/** A piece of the rows. */
export interface PointRows {
  points: number;
  valuesOf(name: string): Float64Array | null;
}

const headBytes = 1 << 16;
const maxClasses = 1 << 16;
const maxPieceRows = 1 << 18;
const maxPieceBytes = 1 << 26;
/** As LAS has them at most. */
const maxRowBytes = 1 << 16;

/** Reads the header. @throws UnderstoryError 'corrupt', 'bad-input' for layouts that are not read here */
export async function openPointFile(file: string): Promise<PointFile> {
  return withRegularFile(file, { maxBytes: anySize }, async (opened) => {
    const layout = layoutIn(file, await opened.read(0, headBytes));
    const { start, points, rowBytes, isText } = layout;
    if (rowBytes > maxRowBytes) throw damaged(file, `its points have ${rowBytes} bytes`);
    // In text, a number takes 8 bytes of a row, and at least a digit and what ends it in the file; the last line may
    // have no end.
    const end = isText === true ? start + (points * rowBytes) / 4 - 1 : start + points * rowBytes;
    if (end > opened.stats.size) throw cutOff(file);
    return layout;
  });
}

function layoutIn(file: string, head: Uint8Array): PointFile {
  if (/\.las$/i.test(file)) return lasPoints(file, head);
  const text = new TextDecoder('latin1').decode(head);
  return /\.pcd$/i.test(file) ? pcdPoints(file, text) : plyPoints(file, text);
}

/** The rows, some at a time. @throws UnderstoryError 'corrupt' for a file that is shorter than its header says */
export async function* readPoints(file: string, layout: PointFile): AsyncGenerator<PointRows> {
  const opened = await openRegularFile(file, { maxBytes: anySize });
  try {
    yield* layout.isText === true ? textPoints(opened, layout) : binaryPoints(opened, layout);
  } finally {
    await opened.close();
  }
}

function pieceRows({ rowBytes }: PointFile): number {
  return Math.min(maxPieceRows, Math.ceil(maxPieceBytes / rowBytes));
}

async function* textPoints(file: RegularFile, layout: PointFile): AsyncGenerator<PointRows> {
  const columns = layout.rowBytes / 8;
  for await (const { rows, values } of textRows(file, { ...layout, columns }, pieceRows(layout))) {
    yield rowsOf(rows, new DataView(values.buffer), layout);
  }
}

async function* binaryPoints(file: RegularFile, layout: PointFile): AsyncGenerator<PointRows> {
  const { points, start, rowBytes } = layout;
  const rowsAtOnce = pieceRows(layout);
  for (let from = 0; from < points; from += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, points - from);
    const bytes = await file.read(start + from * rowBytes, rows * rowBytes);
    if (bytes.length < rows * rowBytes) throw cutOff(file.path);
    yield rowsOf(rows, new DataView(bytes.buffer), layout);
  }
}

function rowsOf(points: number, view: DataView, { fields, rowBytes }: PointFile): PointRows {
  return {
    points,
    valuesOf(name) {
      const get = fields.get(name);
      if (get === undefined) return null;
      return filled(new Float64Array(points), (row) => get(view, row * rowBytes));
    },
  };
}

/** Reads a number of a line of text, which is a double in the memory of this machine. */
function textGetter(column: number): Get {
  return (view, at) => view.getFloat64(at + 8 * column, isLittleEndian);
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function pcdPoints(file: string, text: string): PointFile {
  const end = /^DATA\s+(\S+)[ \t]*\r?\n/m.exec(text);
  const words = (key: string): string[] =>
    new RegExp(`^${key}\\s+(.*)$`, 'm').exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  if (end === null) throw damaged(file, 'it has no header of PCD');
  const isText = end[1] === 'ascii';
  const isRead = isText || end[1] === 'binary';
  expectRead(file, isRead, end[1] ?? '', 'pcl_convert_pcd_ascii_binary IN OUT 1');
  const [names, sizes, types] = [words('FIELDS'), words('SIZE'), words('TYPE')];
  const counts = words('COUNT');
  const fields = new Map<string, Get>();
  let rowBytes = 0;
  for (const [index, name] of names.entries()) {
    const size = Number(sizes[index]);
    const get = getterOf(types[index] as Letter, size, rowBytes);
    if (get === null) throw damaged(file, `its field '${name}' has no type of PCD`);
    fields.set(name.toLowerCase(), isText ? textGetter(rowBytes / 8) : get);
    const count = Number(counts[index] ?? 1);
    if (!Number.isSafeInteger(count) || count < 1) {
      throw damaged(file, `its field '${name}' has no count of PCD`);
    }
    rowBytes += (isText ? 8 : size) * count;
  }
  const points = Number(words('POINTS')[0] ?? NaN);
  const start = end.index + end[0].length;
  return layoutOf(file, { points, start, rowBytes, fields, isText }, text.slice(0, end.index));
}

const plyTypes: Record<string, [Letter, number]> = {
  char: ['I', 1],
  int8: ['I', 1],
  uchar: ['U', 1],
  uint8: ['U', 1],
  short: ['I', 2],
  int16: ['I', 2],
  ushort: ['U', 2],
  uint16: ['U', 2],
  int: ['I', 4],
  int32: ['I', 4],
  uint: ['U', 4],
  uint32: ['U', 4],
  float: ['F', 4],
  float32: ['F', 4],
  double: ['F', 8],
  float64: ['F', 8],
};

function plyPoints(file: string, text: string): PointFile {
  const end = /^end_header\r?\n/m.exec(text);
  const format = /^format\s+(\S+)/m.exec(text)?.[1] ?? '';
  if (end === null || !text.startsWith('ply')) throw damaged(file, 'it has no header of PLY');
  const isText = format === 'ascii';
  const isRead = isText || format === 'binary_little_endian';
  expectRead(file, isRead, format, 'CloudCompare saves it so');
  const head = text.slice(0, end.index);
  const vertices = /^element vertex (\d+)\s*$/m.exec(head);
  const first = /^element (\S+)/m.exec(head)?.[1];
  if (vertices === null || first !== 'vertex')
    throw damaged(file, 'its first element is no vertex');
  const ofVertex = head.slice(vertices.index + vertices[0].length).split(/^element /m)[0] ?? '';
  const fields = new Map<string, Get>();
  let rowBytes = 0;
  for (const [, type = '', name = ''] of ofVertex.matchAll(/^property (\S+) (\S+)\s*$/gm)) {
    const [letter, size] = plyTypes[type] ?? [];
    const get = letter === undefined ? null : getterOf(letter, size ?? 0, rowBytes);
    if (get === null) throw damaged(file, `its property '${name}' has no type of PLY`);
    const field = name.toLowerCase().replace(/^scalar_/, '');
    fields.set(field, isText ? textGetter(rowBytes / 8) : get);
    rowBytes += isText ? 8 : (size ?? 0);
  }
  const start = end.index + end[0].length;
  const points = Number(vertices[1]);
  return layoutOf(file, { points, start, rowBytes, fields, isText }, head);
}

function layoutOf(
  file: string,
  layout: Pick<PointFile, 'points' | 'start' | 'rowBytes' | 'fields' | 'isText'>,
  head: string,
): PointFile {
  const hasPlaces = ['x', 'y', 'z'].every((name) => layout.fields.has(name));
  const areCounts = [layout.points, layout.rowBytes].every(Number.isSafeInteger);
  const isWhole = areCounts && layout.points >= 0 && layout.rowBytes > 0;
  if (!hasPlaces || !isWhole) throw damaged(file, 'it has no points with x, y and z');
  const classes: string[] = [];
  for (const [, id, name = ''] of head.matchAll(/^(?:#|comment) class_id (\d+): (.*)$/gm)) {
    if (Number(id) < maxClasses) classes[Number(id)] = name.trim();
  }
  return {
    ...layout,
    originM: [0, 0, 0],
    isWorld: false,
    frameM: frameOf(head),
    classes: Array.from(classes, (name) => name ?? ''),
    crs: /^(?:#|comment) coordinate reference system: (.*)$/m.exec(head)?.[1]?.trim() ?? null,
  };
}

/** As binaryRows.ts states it; [0, 0, 0] otherwise. */
function frameOf(head: string): [number, number, number] {
  const found = /x y z are relative to the world position (\S+) (\S+) (\S+)/.exec(head);
  const [x = 0, y = 0, z = 0] = (found ?? []).slice(1).map(Number);
  return [x, y, z];
}

function expectRead(file: string, isRead: boolean, found: string, advice: string): void {
  if (isRead) return;
  const message = `${file}: expected text or little-endian binary data, found '${found}' (${advice})`;
  throw badInput('source', message);
}

function cutOff(file: string): UnderstoryError {
  return damaged(file, 'it is shorter than its header says');
}
