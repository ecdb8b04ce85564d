// ESRI ASCII grids (.asc): a head of names and values, then heights by row from the north. The text arrives in pieces,
// and memory is taken only after the head's size was checked.
import type { Parsed } from '#contract/documents/problems.ts';
import { refused } from '../table.ts';
import { gridSizeProblem, type HeightGrid } from './heightGrid.ts';

export interface AsciiGridReader {
  /** The next piece of the file. False: there is a problem, and more pieces change nothing. */
  take(piece: string): boolean;
  finish(): Parsed<HeightGrid>;
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
export function asciiGridReader(crs: string | null): AsciiGridReader {
  const head = new Map<string, number>();
  let rest = '';
  let line = 1;
  let name: string | null = null;
  let grid: HeightGrid | null = null;
  let count = 0;
  let noData = -9999;
  let problem: { path: string; message: string } | null = null;

  const refuse = (message: string): void => {
    problem ??= { path: `line ${line}`, message };
  };

  function takeWord(word: string): void {
    if (grid === null && (name !== null || /^[a-z]/i.test(word))) return takeHead(word);
    if (grid === null) {
      const begun = gridOfHead(head, crs);
      if (typeof begun === 'string') return refuse(begun);
      grid = begun;
      noData = head.get('nodata_value') ?? -9999;
    }
    const height = Number(word);
    if (word === '' || (Number.isNaN(height) && !/^nan$/i.test(word))) {
      return refuse(`expected a height, found '${word.slice(0, 40)}'`);
    }
    if (count >= grid.heights.length) {
      return refuse(`expected ${grid.columns} × ${grid.rows} heights, found more`);
    }
    // Why 1e9: some programs write their nodata as -3.4e38, whatever the head says.
    const isNone = height === noData || Math.abs(height) > 1e9;
    grid.heights[count] = isNone ? NaN : height;
    count += 1;
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
      if (grid === null) return refused('(file)', 'expected heights, found none');
      if (count < grid.heights.length) {
        const expected = `expected ${grid.columns} × ${grid.rows} heights`;
        return refused(`line ${line}`, `${expected}, found the end after ${count}`);
      }
      return { value: grid, problems: [] };
    },
  };
}

/** An empty grid as the head describes it, or what is wrong with the head. */
function gridOfHead(head: ReadonlyMap<string, number>, crs: string | null): HeightGrid | string {
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
  const sizeProblem = gridSizeProblem(columns, rows);
  if (sizeProblem !== null) return sizeProblem;
  return {
    columns,
    rows,
    westM: left + (isCentreX ? 0 : stepX / 2),
    northM: low + (isCentreY ? 0 : stepY / 2) + (rows - 1) * stepY,
    stepM: [stepX, stepY],
    heights: new Float32Array(columns * rows),
    crs,
  };
}
