// Tables as text: one line of names, then rows, separated by tabs, semicolons or commas. Names may state a unit
// (`height_m`, `height [ft]`). Decimal commas are read where the comma does not separate.
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { LengthUnit } from '#contract/documents/quantities.ts';

export interface TableColumn {
  /** As written. */
  title: string;
  /** Lower case, words joined by _, without the unit. */
  name: string;
  /** null: the name states none. */
  unit: LengthUnit | null;
}

export interface Table {
  columns: TableColumn[];
  /** `line` counts from 1 in the file. */
  rows: { line: number; cells: string[] }[];
  /** Lines that are no rows, in their order. */
  faults: { line: number; message: string }[];
  hasDecimalComma: boolean;
}

/**
 * The whole table of at most `maxRows`. Lines that are empty or begin with # are
 * skipped. @param what rows are
 */
export function readTable(text: string, maxRows: number, what: string): Parsed<Table> {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((content, at) => ({ content, line: at + 1 }))
    .filter(({ content }) => content.trim() !== '' && !content.startsWith('#'));
  const [head, ...body] = lines;
  if (head === undefined) return refused('(file)', 'expected a line with the names of columns');
  if (body.length > maxRows) {
    return refused('(file)', `expected at most ${maxRows} ${what}, found ${body.length}`);
  }
  const separator = ['\t', ';', ','].find((letter) => head.content.includes(letter)) ?? ',';
  const titles = cellsOf(head.content, separator);
  if (titles === null) return refused(`line ${head.line}`, unclosed);
  const columns = titles.map(columnOf);
  const rows: Table['rows'] = [];
  const faults: Table['faults'] = [];
  for (const { content, line } of body) {
    const cells = cellsOf(content, separator);
    if (cells === null) faults.push({ line, message: unclosed });
    else if (cells.length !== columns.length) {
      const expected = `expected ${columns.length} cells as in the first line`;
      faults.push({ line, message: `${expected}, found ${cells.length}` });
    } else rows.push({ line, cells });
  }
  return { value: { columns, rows, faults, hasDecimalComma: separator !== ',' }, problems: [] };
}

/** A number of a cell; NaN for anything else. */
export function numberOfCell(cell: string, hasDecimalComma: boolean): number {
  const text = hasDecimalComma && /^[-+]?\d*,\d+$/.test(cell) ? cell.replace(',', '.') : cell;
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
}

/** A table's problem in place of its value. */
export function refused(path: string, message: string): { value: null; problems: Problem[] } {
  return { value: null, problems: [{ path, code: 'custom', message }] };
}

const unclosed = 'expected a closing quote on the same line';

const unitNames: Record<string, LengthUnit> = {
  m: 'm',
  metres: 'm',
  meters: 'm',
  metre: 'm',
  meter: 'm',
  cm: 'cm',
  mm: 'mm',
  in: 'in',
  inch: 'in',
  inches: 'in',
  ft: 'ft',
  feet: 'ft',
  foot: 'ft',
};

function columnOf(title: string): TableColumn {
  const words = title
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9*]+/)
    .filter((word) => word !== '');
  const unit = words.length > 1 ? unitNames[words.at(-1) ?? ''] : undefined;
  return {
    title: title.trim(),
    name: words.slice(0, unit === undefined ? undefined : -1).join('_'),
    unit: unit ?? null,
  };
}

/** RFC 4180 within one line; null where a quote stays open. */
function cellsOf(line: string, separator: string): string[] | null {
  const cells: string[] = [];
  for (let at = 0; ;) {
    while (line[at] === ' ') at += 1;
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at);
      cells.push(line.slice(at, end < 0 ? undefined : end).trim());
      if (end < 0) return cells;
      at = end + 1;
      continue;
    }
    const quoted = /^"((?:[^"]|"")*)"\s*/.exec(line.slice(at));
    if (quoted === null) return null;
    cells.push((quoted[1] ?? '').replaceAll('""', '"'));
    at += quoted[0].length;
    if (at >= line.length) return cells;
    if (line[at] !== separator) return null;
    at += 1;
  }
}
