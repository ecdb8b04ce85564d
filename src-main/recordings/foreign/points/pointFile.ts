// Points of other programs' files as rows of numbers, read in pieces.
import { anySize, openRegularFile, withRegularFile } from '#files/regularFile.ts';
import { filled } from '#domain/shared/filledArrays.ts';
import { lasFormat } from './lasFormat.ts';
import { pcdFormat } from './pcdFormat.ts';
import { plyFormat } from './plyFormat.ts';
import { damaged, type PointFile, type PointFormat } from './pointLayout.ts';

/** A piece of the rows. */
export interface PointRows {
  points: number;
  /** @throws UnderstoryError 'corrupt' for a name that several fields have */
  valuesOf(name: string): Float64Array | null;
  /** The values of the first of these fields that there is. @throws as valuesOf */
  firstOf(names: readonly string[]): Float64Array | null;
}

/** Every format there is. */
const formats: readonly PointFormat[] = [pcdFormat, plyFormat, lasFormat];

/** '.pcd', '.ply' … */
export const pointEndings: readonly string[] = formats.flatMap(({ endings }) => endings);

const maxPieceRows = 1 << 18;
const maxPieceBytes = 1 << 26;
/** As LAS has them at most. */
const maxRowBytes = 1 << 16;

/** Whether a file of this name is one of points. */
export function isPointFile(name: string): boolean {
  return formatOf(name) !== undefined;
}

/** Reads the header. @throws UnderstoryError 'corrupt', 'bad-input' or 'unsupported' for layouts that are not read */
export async function openPointFile(path: string): Promise<PointFile> {
  return withRegularFile(path, { maxBytes: anySize }, async (file) => {
    const layout = await formatOf(path)?.open(file);
    if (layout === undefined) throw damaged(path, `it is none of ${pointEndings.join(', ')}`);
    if (layout.rowBytes <= maxRowBytes) return layout;
    throw damaged(path, `its points have ${layout.rowBytes} bytes`);
  });
}

/** The rows, some at a time. @throws UnderstoryError 'corrupt' for a file that is shorter than its header says */
export async function* readPoints(path: string, layout: PointFile): AsyncGenerator<PointRows> {
  const file = await openRegularFile(path, { maxBytes: anySize });
  const maxRows = Math.min(maxPieceRows, Math.ceil(maxPieceBytes / layout.rowBytes));
  try {
    for await (const { rows, view } of layout.rows(file, maxRows)) {
      yield rowsOf(rows, view, layout, path);
    }
  } finally {
    await file.close();
  }
}

function formatOf(name: string): PointFormat | undefined {
  const lower = name.toLowerCase();
  return formats.find(({ endings }) => endings.some((ending) => lower.endsWith(ending)));
}

function rowsOf(
  points: number,
  view: DataView,
  { fields, repeated, rowBytes }: PointFile,
  path: string,
): PointRows {
  const valuesOf = (name: string): Float64Array | null => {
    if (repeated.has(name)) throw damaged(path, `it has several fields '${name}'`);
    const get = fields.get(name);
    if (get === undefined) return null;
    return filled(new Float64Array(points), (row) => get(view, row * rowBytes));
  };
  return {
    points,
    valuesOf,
    firstOf(names) {
      const known = names.find((name) => fields.has(name) || repeated.has(name));
      return known === undefined ? null : valuesOf(known);
    },
  };
}
