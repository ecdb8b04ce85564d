// Rows of PCD and PLY in text: one line a point, numbers between spaces.
import { linesOf } from '#files/lines.ts';
import type { RegularFile } from '#files/regularFile.ts';
import { damaged, type RowPiece } from './pointLayout.ts';

/**
 * The numbers of `points` lines from byte `start` on, `pieceRows` lines at a time, row by row.
 * @throws UnderstoryError 'corrupt' for too few lines and for words that are no numbers, 'io'
 */
export async function* textRows(
  file: RegularFile,
  { start, points, columns }: { start: number; points: number; columns: number },
  pieceRows: number,
): AsyncGenerator<RowPiece> {
  const lines = linesOf(file, start);
  for (let from = 0; from < points; from += pieceRows) {
    const rows = Math.min(pieceRows, points - from);
    const values = new Float64Array(rows * columns);
    for (let row = 0; row < rows;) {
      const next = await lines.next();
      if (next.done === true) throw damaged(file.path, 'it is shorter than its header says');
      const line = next.value.trim();
      if (line === '') continue;
      fill(file.path, line, values.subarray(row * columns, (row + 1) * columns), from + row + 1);
      row += 1;
    }
    yield { rows, view: new DataView(values.buffer) };
  }
}

function fill(file: string, line: string, values: Float64Array, point: number): void {
  const words = line.split(/\s+/);
  if (words.length !== values.length) {
    const found = `point ${point} has ${words.length} numbers, not ${values.length}`;
    throw damaged(file, found);
  }
  for (const [column, word] of words.entries()) {
    const value = Number(word);
    const isNumber = !Number.isNaN(value) || /^[+-]?nan$/i.test(word);
    if (!isNumber) throw damaged(file, `'${word}' of point ${point} is no number`);
    values[column] = value;
  }
}
