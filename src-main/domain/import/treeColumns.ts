// Columns of tree lists: which field each one is, by its name or as a request says, in which unit, and the numbers of a
// row in metres. Positions may be polar about the centre of a plot.
import type { Parsed } from '#contract/documents/problems.ts';
import { type LengthUnit, lengthUnits } from '#contract/documents/quantities.ts';
import { metresPerUnit } from '#domain/shared/lengths.ts';
import { numberOfCell, refused, type Table, type TableColumn } from './table.ts';

/** Names of columns, without unit, as inventories have them. */
const columnNames = {
  x: ['x', 'easting', 'east', 'x_utm', 'utm_x', 'utm_e', 'rechtswert', 'x_coord', 'coord_x'],
  y: ['y', 'northing', 'north', 'y_utm', 'utm_y', 'utm_n', 'hochwert', 'y_coord', 'coord_y'],
  z: ['z', 'elevation', 'z_coord', 'ground_z'],
  species: ['species', 'sp', 'spp', 'tree_species', 'species_name', 'baumart', 'genus'],
  height: ['height', 'h', 'tree_height', 'hoehe', 'total_height', 'th', 'ht'],
  crown: ['crown', 'crown_diameter', 'crown_width', 'crown_d', 'cd', 'kronendurchmesser'],
  diameter: ['diameter', 'dbh', 'd', 'bhd', 'dbh_o_b', 'durchmesser'],
  crownBase: ['crown_base', 'crown_base_height', 'cbh', 'hcb', 'kronenansatz'],
  crownRadius: ['crown_radius', 'cr', 'crown_r', 'kronenradius'],
  name: ['name', 'id', 'tree_id', 'treeid', 'tree', 'baum_id', 'nr', 'no', 'tree_tag'],
  distance: ['distance', 'dist', 'horizontal_distance', 'distanz'],
  azimuth: ['azimuth', 'azi', 'az', 'bearing', 'azimut'],
} as const;

export type TreeField = keyof typeof columnNames;

/** Names of fields in requests, besides their own. */
const aliases: Readonly<Record<string, TreeField>> = {
  dbh: 'diameter',
  'crown-base': 'crownBase',
  'crown-radius': 'crownRadius',
};
const requestNames = [...Object.keys(columnNames), ...Object.keys(aliases)].filter(
  (name) => !/[A-Z]/.test(name),
);

/** Where a field is in a row. */
interface FieldColumn {
  index: number;
  /** Null: neither column nor request states one. */
  unit: LengthUnit | null;
}

export type TreeColumns = Partial<Record<TreeField, FieldColumn>>;

/** Fields by the names of columns alone. */
export function columnsByName(columns: readonly TableColumn[]): TreeColumns {
  const found: TreeColumns = {};
  for (const [field, names] of Object.entries(columnNames) as [TreeField, readonly string[]][]) {
    const index = names
      .map((name) => columns.findIndex((column) => column.name === name))
      .find((column) => column >= 0);
    if (index !== undefined) found[field] = { index, unit: columns[index]?.unit ?? null };
  }
  return found;
}

/** Fields by the names of columns, and as a request names them: 'gx', 'DIA:in' by 'x', 'dbh'. */
export function treeColumns(
  columns: readonly TableColumn[],
  wanted: Readonly<Record<string, string>>,
): Parsed<TreeColumns> {
  const found = columnsByName(columns);
  for (const [name, text] of Object.entries(wanted)) {
    const field = aliases[name] ?? (name in columnNames ? (name as TreeField) : undefined);
    if (field === undefined) {
      return refused('columns', `expected one of ${requestNames.join(', ')}, found '${name}'`);
    }
    const [, whole = text, unitText] = /^(.*):([a-z-]+)$/.exec(text) ?? [];
    const unit = lengthUnits.find((known) => known === unitText);
    // Why both: titles of columns may have colons, too.
    const title = unit === undefined ? text : whole;
    const index = columns.findIndex((column) => column.title === title);
    if (index >= 0) {
      found[field] = { index, unit: unit ?? columns[index]?.unit ?? null };
      continue;
    }
    const titles = columns.map((column) => column.title).join(', ');
    const units =
      unitText === undefined || unit !== undefined
        ? ''
        : `, with ${lengthUnits.join(', ')} as a unit`;
    return refused(`columns.${name}`, `expected a column of ${titles}${units}, found '${text}'`);
  }
  return { value: found, problems: [] };
}

/** The cell of a field; '' where there is none. */
export function cellOf(columns: TreeColumns, cells: readonly string[], field: TreeField): string {
  return cells[columns[field]?.index ?? -1] ?? '';
}

/** Metres; NaN for a cell that is no number; null for an empty one. */
export function lengthOf(
  columns: TreeColumns,
  cells: readonly string[],
  { hasDecimalComma }: Pick<Table, 'hasDecimalComma'>,
  field: TreeField,
  unit: LengthUnit,
): number | null {
  const cell = cellOf(columns, cells, field);
  if (cell === '') return null;
  return numberOfCell(cell, hasDecimalComma) * metresPerUnit[columns[field]?.unit ?? unit];
}

/** x and y of a place at a distance from a centre, at an azimuth in degrees clockwise from north. */
export function polarPlace(
  [x, y]: readonly [number, number],
  distanceM: number,
  azimuthDeg: number,
): [number, number] {
  const azimuthRad = (azimuthDeg * Math.PI) / 180;
  return [x + distanceM * Math.sin(azimuthRad), y + distanceM * Math.cos(azimuthRad)];
}
