// Tree lists of stands: a line for each tree, with as many of its sizes as the list has.
import type { Parsed } from '#contract/documents/problems.ts';
import { readTable, refused } from './table.ts';
import { cellOf, columnsByName, lengthOf, type TreeField } from './treeColumns.ts';
import { diameterUnit, maxTrees } from './treeList.ts';

/** A tree of a stand's list, as far as the list says. */
export interface ListedSizes {
  /** In the file. */
  line: number;
  species: string;
  positionM: readonly [number, number];
  diameterM?: number;
  heightM?: number;
  crownWidthM?: number;
  crownBaseM?: number;
}

/**
 * Trees of a stand: x, y, species, and height or diameter; crown (width) or crown radius and crown base where it has
 * them. Lengths without a unit are metres, diameters centimetres.
 */
export function readStandList(text: string): Parsed<ListedSizes[]> {
  const table = readTable(text, maxTrees, 'trees');
  if (table.value === null) return table;
  const { columns, rows, hasDecimalComma } = table.value;
  const [fault] = table.value.faults;
  if (fault !== undefined) return refused(`line ${fault.line}`, fault.message);
  const fields = columnsByName(columns);
  const needed = ['x', 'y', 'species'] as const;
  const missing: string[] = needed.filter((field) => fields[field] === undefined);
  if (fields.height === undefined && fields.diameter === undefined)
    missing.push('height or diameter');
  if (missing.length > 0) {
    const found = columns.map(({ title }) => title).join(', ');
    return refused('line 1', `expected columns named ${missing.join(', ')}, found ${found}`);
  }
  if (rows.length === 0) return refused('(file)', 'expected at least one tree');
  const trees: ListedSizes[] = [];
  for (const { line, cells } of rows) {
    const lengths: Partial<Record<TreeField, number>> = {};
    for (const field of [
      'x',
      'y',
      'height',
      'diameter',
      'crown',
      'crownRadius',
      'crownBase',
    ] as const) {
      const unit = field === 'diameter' ? diameterUnit : 'm';
      const value = lengthOf(fields, cells, { hasDecimalComma }, field, unit);
      if (value === null) continue;
      const isPlace = field === 'x' || field === 'y';
      if (!Number.isFinite(value) || (!isPlace && value <= 0)) {
        const expected = isPlace ? `a number for ${field}` : `a ${field} above 0`;
        return refused(
          `line ${line}`,
          `expected ${expected}, found '${cellOf(fields, cells, field)}'`,
        );
      }
      lengths[field] = value;
    }
    const { x, y, height, diameter, crown, crownRadius, crownBase } = lengths;
    if (x === undefined || y === undefined || (height ?? diameter) === undefined) {
      return refused(
        `line ${line}`,
        'expected x, y, and a height or diameter, found an empty cell',
      );
    }
    const width = crown ?? (crownRadius === undefined ? undefined : 2 * crownRadius);
    trees.push({
      line,
      species: cellOf(fields, cells, 'species'),
      positionM: [x, y],
      ...(diameter !== undefined && { diameterM: diameter }),
      ...(height !== undefined && { heightM: height }),
      ...(width !== undefined && { crownWidthM: width }),
      ...(crownBase !== undefined && { crownBaseM: crownBase }),
    });
  }
  return { value: trees, problems: [] };
}
