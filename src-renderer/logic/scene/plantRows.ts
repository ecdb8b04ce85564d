// Plants of the open scene as rows of a table: species, sizes and leaf area.
import type { Columns } from '#contract/columns.ts';
import type { PlantList, SceneContents } from '#contract/host/sceneMethods.ts';
import { sceneObject } from './sceneObjects.ts';

/** Sizes in metres, leaf area one-sided; NaN: it has none, or it is not known. */
export interface PlantRow {
  id: number;
  name: string;
  /** Its model or class where it is of no species. */
  species: string;
  diameterM: number;
  heightM: number;
  crownBaseM: number;
  crownWidthM: number;
  leafAreaM2: number;
}

export interface PlantColumn {
  key: keyof PlantRow;
  title: string;
  /** As a tooltip. */
  says: string;
  unit?: string;
  isNumber: boolean;
}

export const plantColumns: readonly PlantColumn[] = [
  { key: 'name', title: 'Plant', says: 'as the scene names it', isNumber: false },
  {
    key: 'species',
    title: 'Species',
    says: 'of grown plants; otherwise the model',
    isNumber: false,
  },
  { key: 'diameterM', title: 'Diameter', says: 'of the stem at 1.3 m', unit: 'm', isNumber: true },
  { key: 'heightM', title: 'Height', says: 'above the foot', unit: 'm', isNumber: true },
  { key: 'crownBaseM', title: 'Crown base', says: 'lowest leaf', unit: 'm', isNumber: true },
  {
    key: 'crownWidthM',
    title: 'Crown width',
    says: 'of a circle with the area of the crown from above',
    unit: 'm',
    isNumber: true,
  },
  { key: 'leafAreaM2', title: 'Leaf area', says: 'one-sided', unit: 'm²', isNumber: true },
];

/** @param columns of scene.plants */
export function plantRows(
  contents: SceneContents,
  { plants, species }: PlantList,
  columns: Columns,
): PlantRow[] {
  const value = (name: string, row: number): number => Number(columns[name]?.[row] ?? NaN);
  return Array.from({ length: plants }, (_, row) => {
    const id = value('instance_id', row);
    const object = sceneObject(contents, id);
    const own = species[value('model_id', row)] ?? '';
    return {
      id,
      name: object?.name ?? '',
      species: own === '' ? (object?.modelName ?? '') : own,
      diameterM: value('dbh_m', row),
      heightM: value('height_m', row),
      crownBaseM: value('crown_base_m', row),
      crownWidthM: value('crown_width_m', row),
      leafAreaM2: value('leaf_area_m2', row),
    };
  });
}

/** Sorted copies, missing values last. Null: in the order of the scene. */
export function sortedPlants(
  rows: readonly PlantRow[],
  by: keyof PlantRow | null,
  isDescending: boolean,
): readonly PlantRow[] {
  if (by === null) return rows;
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[by], other[by]];
    if (typeof a === 'string' || typeof b === 'string') {
      return sign * String(a).localeCompare(String(b), 'en', { numeric: true });
    }
    if (Number.isNaN(a) || Number.isNaN(b))
      return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return sign * (a - b);
  });
}

const digitsOf: Partial<Record<keyof PlantRow, number>> = { diameterM: 3, leafAreaM2: 1 };

/** A cell; '–': the plant has none. */
export function plantText(row: PlantRow, key: keyof PlantRow): string {
  const value = row[key];
  if (typeof value === 'string') return value;
  return Number.isNaN(value) ? '–' : value.toFixed(digitsOf[key] ?? 2);
}
