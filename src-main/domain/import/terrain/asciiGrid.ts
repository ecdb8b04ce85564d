// ESRI ASCII grids (.asc): a head of names and values, then heights by row from the north. The text arrives in pieces, and
// memory is taken for a row of the file and the part that is asked for, after their size was checked.
import type { Parsed } from '#contract/documents/problems.ts';
import { refused } from '../table.ts';
import {
  cutHeights,
  cutNotes,
  gridCut,
  type CutHeights,
  type GridCut,
  type GridFrame,
  type TerrainCut,
} from './gridCut.ts';
import { gridSizeProblem, type TerrainPart } from './heightGrid.ts';

export interface AsciiGridReader {
  /** The next piece of the file. False: there is a problem, and more pieces change nothing. */
  take(piece: string): boolean;
  finish(): Parsed<TerrainPart>;
}

const headNames = [
  'ncols',
  'nrows',
  'xllcorner',
  'yllcorner',
  'xllcenter',
  'yllcenter',
  'cellsize',
  'dx',
  'dy',
  'nodata_value',
];

/** @param crs of the file, from a .prj beside it */
export function asciiGridReader(crs: string | null, asked: TerrainCut): AsciiGridReader {
  const head = new Map<string, number>();
  let rest = '';
  let line = 1;
  let name: string | null = null;
  let reading: GridReading | null = null;
  let count = 0;
  let problem: { path: string; message: string } | null = null;

  const refuse = (message: string): void => {
    problem ??= { path: `line ${line}`, message };
  };

  function takeWord(word: string): void {
    if (reading === null && (name !== null || /^[a-z]/i.test(word))) return takeHead(word);
    if (reading === null) {
      const begun = beginReading(head, crs, asked);
      if (typeof begun === 'string') return refuse(begun);
      reading = begun;
    }
    const { frame, values, heights } = reading;
    const height = Number(word);
    if (word === '' || (Number.isNaN(height) && !/^nan$/i.test(word))) {
      return refuse(`expected a height, found '${word.slice(0, 40)}'`);
    }
    if (count >= frame.columns * frame.rows) {
      return refuse(`expected ${frame.columns} × ${frame.rows} heights, found more`);
    }
    const column = count % frame.columns;
    values[column] = height;
    count += 1;
    if (column < frame.columns - 1) return;
    const row = count / frame.columns - 1;
    heights.addRow(row, 0, values, { at: 0, stride: 1, count: frame.columns });
    heights.isDone(row + 1);
  }

  function takeHead(word: string): void {
    if (name === null) {
      name = word.toLowerCase();
      if (!headNames.includes(name))
        refuse(`expected one of ${headNames.join(', ')}, found '${word}'`);
      return;
    }
    const value = Number(word);
    if (!Number.isFinite(value) && name !== 'nodata_value') {
      return refuse(`expected a number for ${name}, found '${word.slice(0, 40)}'`);
    }
    head.set(name, value);
    name = null;
  }

  const takeText = (text: string): void => {
    for (const match of text.matchAll(/\n|[^\s]+/g)) {
      if (problem !== null) return;
      if (match[0] === '\n') line += 1;
      else takeWord(match[0]);
    }
  };

  return {
    take: (piece) => {
      const text = rest + piece;
      const end =
        Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'), text.lastIndexOf('\t')) + 1;
      rest = text.slice(end);
      if (rest.length > 1000) refuse('expected numbers separated by blanks, found a long word');
      takeText(text.slice(0, end));
      return problem === null;
    },
    finish: () => {
      takeText(rest);
      rest = '';
      if (problem !== null) return refused(problem.path, problem.message);
      if (reading === null) return refused('(file)', 'expected heights, found none');
      const { frame, cut, heights } = reading;
      if (count < frame.columns * frame.rows) {
        const expected = `expected ${frame.columns} × ${frame.rows} heights`;
        return refused(`line ${line}`, `${expected}, found the end after ${count}`);
      }
      const grid = { ...cut.frame, heights: heights.finish() };
      return { value: { grid, ignored: [], notes: cutNotes(frame, cut, asked) }, problems: [] };
    },
  };
}

interface GridReading {
  frame: GridFrame;
  cut: GridCut;
  /** The row under way. */
  values: Float64Array;
  heights: CutHeights;
}

/** Columns of a file at most: of a row in memory. */
const maxColumns = 2 ** 24;

/** A grid as the head describes it and its cut, or what is wrong with the head. */
function beginReading(
  head: ReadonlyMap<string, number>,
  crs: string | null,
  asked: TerrainCut,
): GridReading | string {
  const frame = frameOfHead(head, crs);
  if (typeof frame === 'string') return frame;
  const cut = gridCut(frame, asked);
  if (typeof cut === 'string') return cut;
  const sizeProblem = gridSizeProblem(cut.frame);
  if (sizeProblem !== null) return sizeProblem;
  const { columns } = frame;
  if (columns > maxColumns) return `expected at most ${maxColumns} columns, found ${columns}`;
  const noData = head.get('nodata_value') ?? -9999;
  const values = new Float64Array(frame.columns);
  return { frame, cut, values, heights: cutHeights(cut, (height) => height === noData) };
}

function frameOfHead(head: ReadonlyMap<string, number>, crs: string | null): GridFrame | string {
  const columns = head.get('ncols');
  const rows = head.get('nrows');
  const stepX = head.get('dx') ?? head.get('cellsize');
  const stepY = head.get('dy') ?? head.get('cellsize');
  const isCentreX = head.has('xllcenter');
  const isCentreY = head.has('yllcenter');
  const left = head.get('xllcenter') ?? head.get('xllcorner');
  const low = head.get('yllcenter') ?? head.get('yllcorner');
  const parts = { ncols: columns, nrows: rows, xllcorner: left, yllcorner: low, cellsize: stepX };
  const missing = Object.entries(parts).flatMap(([key, value]) => (value === undefined ? key : []));
  if (missing.length > 0) return `expected ${missing.join(', ')} before the first height`;
  if (columns === undefined || rows === undefined || left === undefined || low === undefined)
    return '';
  if (stepX === undefined || stepY === undefined || !(stepX > 0) || !(stepY > 0)) {
    return `expected a cellsize above 0, found ${stepX}`;
  }
  if (![columns, rows].every((count) => Number.isSafeInteger(count) && count > 0)) {
    return `expected whole numbers of columns and rows, found ${columns} × ${rows}`;
  }
  return {
    columns,
    rows,
    westM: left + (isCentreX ? 0 : stepX / 2),
    northM: low + (isCentreY ? 0 : stepY / 2) + (rows - 1) * stepY,
    stepM: [stepX, stepY],
    crs,
  };
}
